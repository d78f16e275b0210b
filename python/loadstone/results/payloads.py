"""Decodes many encoded histograms in one pass over arrays: HdrHistogram's V2 format in Base64.

A payload is a head, and behind it zlib's form of a second head and of the counts of all buckets in
turn: ZigZag LEB128 numbers, of which a negative one stands for so many empty buckets. Decoding them
one by one, as the hdrhistogram package does, takes most of the time of a large study.
"""

import struct
import zlib
from base64 import b64decode
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from loadstone.errors import LoadstoneError

_HEAD = struct.Struct(">II")
"""Cookie, and bytes that follow."""
_INNER_HEAD = struct.Struct(">IIIIQQd")
"""Cookie, bytes of the counts, offset, significant digits, lowest and highest value, ratio."""
_COMPRESSED_COOKIE, _COOKIE = 0x1C849304, 0x1C849303
_VERSION = 0xFFFFFF0F
"""Of a cookie, without the word size that is in it."""
_WORD_SIZE = 0x10
"""Of the second version in its cookie: counts are of variable length."""

_MOST_BYTES = 4 << 20
"""Of one payload, decompressed: the package's own bound. Of three digits, 100 kB are the most."""
_MOST_GROUPS = 8
"""Of seven bits, in a count or a number of empty buckets: 2^55 requests in one bucket."""


_FARTHEST = 1 << 31
"""Step over empty buckets: beyond the last bucket of any layout, and no overflow of a sum."""


class Layout(NamedTuple):
    """Which values share a bucket: HdrHistogram's magnitudes."""

    unit_magnitude: int
    half_magnitude: int
    """Of the sub-buckets."""


class BrokenPayload(LoadstoneError):
    """A payload whose counts are cut or foreign."""

    def __init__(self, position: int, reason: str) -> None:
        super().__init__(reason)
        self.position = position
        """Of the payload among those that were given."""


@dataclass(frozen=True, eq=False)
class Decoded:
    """The filled buckets of histograms, one histogram behind the other."""

    ends: NDArray[np.int64]
    """Of each histogram: the first of the next one's buckets."""
    buckets: NDArray[np.int64]
    """By their index, ascending in a histogram."""
    counts: NDArray[np.int64]
    """Of each bucket; none is 0."""

    @property
    def sizes(self) -> NDArray[np.int64]:
        """How many buckets each histogram fills."""
        return np.diff(self.ends, prepend=0)


class Payload(NamedTuple):
    """One histogram whose counts are still encoded."""

    layout: Layout
    buckets: int
    """How many there are, filled or not."""
    counts: bytes


def open_payload(text: str) -> Payload:
    """Unpack one payload. `ValueError` where it is cut or foreign."""
    try:
        raw = b64decode(text, validate=True)
        cookie, length = _HEAD.unpack_from(raw)
        if cookie & _VERSION != _COMPRESSED_COOKIE:
            raise ValueError(f"its cookie is {cookie:#x}")
        if length != len(raw) - _HEAD.size:
            raise ValueError(f"it says {length} bytes and has {len(raw) - _HEAD.size}")
        content = _decompressed(raw[_HEAD.size :])
        cookie, _, _, digits, lowest, highest, _ = _INNER_HEAD.unpack_from(content)
    except (struct.error, zlib.error) as error:
        raise ValueError(str(error)) from None
    if cookie != _COOKIE | _WORD_SIZE:
        raise ValueError(f"its inner cookie is {cookie:#x}")
    return Payload(*_layout(digits, lowest, highest), content[_INNER_HEAD.size :])


def decode(payloads: Sequence[Payload]) -> Decoded:
    """Decode the counts of all payloads. `BrokenPayload` for one whose counts are none."""
    encoded = np.frombuffer(b"".join(each.counts for each in payloads), dtype=np.uint8)
    byte_ends = np.cumsum([len(each.counts) for each in payloads], dtype=np.int64)
    _require_whole(encoded, byte_ends)
    symbols, symbol_ends = _symbols(encoded, byte_ends)
    # After each symbol the next bucket is one further, or behind the empty ones.
    steps = np.where(symbols < 0, np.minimum(-symbols, _FARTHEST), 1)
    after = np.append(0, np.cumsum(steps))
    before_payload = after[np.append(0, symbol_ends)]
    limits = np.array([each.buckets for each in payloads], dtype=np.int64)
    beyond = np.flatnonzero(np.diff(before_payload) > limits)
    if beyond.size:
        raise BrokenPayload(int(beyond[0]), "it goes beyond its last bucket")
    filled = np.flatnonzero(symbols > 0)
    ends = np.searchsorted(filled, symbol_ends)
    of_filled = np.repeat(np.arange(len(payloads)), np.diff(ends, prepend=0))
    buckets = after[filled] - before_payload[of_filled]
    return Decoded(ends, buckets, symbols[filled])


def _decompressed(compressed: bytes) -> bytes:
    stream = zlib.decompressobj()
    content = stream.decompress(compressed, _MOST_BYTES)
    if not stream.eof:
        raise ValueError("it is too large" if stream.unconsumed_tail else "it is cut")
    return content


@lru_cache(maxsize=64)
def _layout(digits: int, lowest: int, highest: int) -> tuple[Layout, int]:
    """The layout of a histogram of so many significant digits, and how many buckets it has."""
    if not 1 <= digits <= 5 or not 1 <= lowest <= highest:
        raise ValueError(f"it has {digits} digits from {lowest} to {highest}")
    unit_magnitude = lowest.bit_length() - 1
    half_magnitude = (2 * 10**digits - 1).bit_length() - 1
    doublings = 1
    while (2 << half_magnitude << unit_magnitude << (doublings - 1)) <= highest:
        doublings += 1
    return Layout(unit_magnitude, half_magnitude), (doublings + 1) << half_magnitude


def _require_whole(encoded: NDArray[np.uint8], ends: NDArray[np.int64]) -> None:
    """Every payload's last number ends in it."""
    filled = np.flatnonzero(np.diff(ends, prepend=0))
    torn = filled[encoded[ends[filled] - 1] >= 0x80]
    if torn.size:
        raise BrokenPayload(int(torn[0]), "its last count is cut")


def _symbols(
    encoded: NDArray[np.uint8], byte_ends: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The numbers of all payloads, and where those of each end."""
    last = np.flatnonzero(encoded < 0x80)
    first = np.append(0, last + 1)[:-1]
    groups = last - first + 1
    if groups.size and groups.max() > _MOST_GROUPS:
        at = first[np.argmax(groups > _MOST_GROUPS)]
        raise BrokenPayload(
            int(np.searchsorted(byte_ends, at, side="right")), "a count of it is too large"
        )
    folded = (encoded[first] & 0x7F).astype(np.int64)
    longer = np.flatnonzero(groups > 1)
    group = 1
    while longer.size:
        bits = (encoded[first[longer] + group] & 0x7F).astype(np.int64)
        folded[longer] |= bits << (7 * group)
        group += 1
        longer = longer[groups[longer] > group]
    symbols = (folded >> 1) ^ -(folded & 1)
    return symbols, np.searchsorted(last, byte_ends)
