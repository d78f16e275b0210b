import struct
import zlib
from base64 import b64decode, b64encode

import numpy as np
import pytest
from hdrh.histogram import HdrHistogram
from hypothesis import given, settings
from hypothesis import strategies as st

from loadstone.results.payloads import BrokenPayload, Decoded, decode, open_payload

HEAD = struct.Struct(">IIIIQQd")
VALUES = st.lists(st.integers(1_000, 3_600 * 10**9), max_size=40)


def recorded(
    values: list[int], lowest: int = 1_000, highest: int = 2**43, digits: int = 3
) -> HdrHistogram:
    histogram = HdrHistogram(lowest, highest, digits)
    for value in values:
        histogram.record_value(value)
    return histogram


def text_of(histogram: HdrHistogram) -> str:
    encoded: bytes = histogram.encode()
    return encoded.decode()


def with_counts(counts: bytes, digits: int = 3, lowest: int = 1_000, highest: int = 2**43) -> str:
    """A payload whose counts are any bytes."""
    return packed(HEAD.pack(0x1C849313, len(counts), 0, digits, lowest, highest, 1.0) + counts)


def packed(content: bytes) -> str:
    compressed = zlib.compress(content)
    return b64encode(struct.pack(">II", 0x1C849314, len(compressed)) + compressed).decode()


def decoded(*texts: str) -> Decoded:
    return decode([open_payload(text) for text in texts])


def filled(found: Decoded, position: int) -> dict[int, int]:
    end = int(found.ends[position])
    part = slice(end - int(found.sizes[position]), end)
    return dict(zip(found.buckets[part].tolist(), found.counts[part].tolist(), strict=True))


def filled_by_the_package(text: str) -> dict[int, int]:
    counts = np.frombuffer(HdrHistogram.decode(text).counts, dtype=np.int64)
    return {index: int(counts[index]) for index in counts.nonzero()[0].tolist()}


@given(values=VALUES, digits=st.integers(1, 4), lowest=st.sampled_from([1, 7, 1_000, 2**20]))
@settings(max_examples=150)
def test_counts_and_layout_are_those_of_the_hdrhistogram_package(
    values: list[int], digits: int, lowest: int
) -> None:
    histogram = recorded(values, lowest, 2**44, digits)
    payload = open_payload(text_of(histogram))
    assert filled(decode([payload]), 0) == filled_by_the_package(text_of(histogram))
    magnitudes = (histogram.unit_magnitude, histogram.sub_bucket_half_count_magnitude)
    assert (payload.layout, payload.buckets) == (magnitudes, histogram.counts_len)


@given(parts=st.lists(VALUES, max_size=6))
def test_many_payloads_decode_as_each_alone(parts: list[list[int]]) -> None:
    texts = [text_of(recorded(values)) for values in parts]
    found = decoded(*texts)
    assert [filled(found, position) for position in range(len(texts))] == [
        filled_by_the_package(text) for text in texts
    ]


@given(counts=st.lists(st.integers(1, 2**54), min_size=1, max_size=30), gaps=st.booleans())
def test_counts_of_any_size_decode(counts: list[int], gaps: bool) -> None:
    histogram = recorded([])
    for position, count in enumerate(counts):
        histogram.record_value(1_000 + 512 * position * (3 if gaps else 1), count)
    text = text_of(histogram)
    assert filled(decoded(text), 0) == filled_by_the_package(text)


@given(counts=st.binary(max_size=60))
@settings(max_examples=300)
def test_any_bytes_are_what_the_package_takes_them_for_or_an_error(counts: bytes) -> None:
    try:
        found = filled(decoded(with_counts(counts)), 0)
    except BrokenPayload:
        # A number of nine bytes is none that a load comes to. The package sees that it has gone too
        # far only when something follows.
        refused = (by_the_package(each) is None for each in (counts, counts + b"\x02"))
        assert _longest_number(counts) > 8 or any(refused)
    else:
        assert found == by_the_package(counts)


def by_the_package(counts: bytes) -> dict[int, int] | None:
    try:
        return filled_by_the_package(with_counts(counts))
    except (ValueError, IndexError, OverflowError):
        return None


def _longest_number(counts: bytes) -> int:
    longest = length = 0
    for byte in counts:
        length += 1
        longest = max(longest, length)
        length = length if byte >= 0x80 else 0
    return longest


@given(flipped=st.integers(0), bit=st.integers(0, 7))
@settings(max_examples=200)
def test_a_flipped_bit_is_never_read_as_other_counts(flipped: int, bit: int) -> None:
    text = text_of(recorded([5_000, 6_000, 10**9]))
    raw = bytearray(b64decode(text))
    raw[flipped % len(raw)] ^= 1 << bit
    try:
        found = decoded(b64encode(raw).decode())
    except ValueError:
        return
    assert filled(found, 0) == filled_by_the_package(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("HIST", "unpack"),
        ("HISTFAAAA!", "Only base64"),
        (b64encode(struct.pack(">II", 0x1C849303, 0)).decode(), "its cookie is 0x1c849303"),
        (b64encode(struct.pack(">II", 0x1C849314, 9)).decode(), "it says 9 bytes and has 0"),
        (b64encode(struct.pack(">II", 0x1C849314, 4) + b"none").decode(), "decompress"),
        (packed(b"short"), "unpack"),
        (packed(b"\0" * HEAD.size), "its inner cookie is 0x0"),
        (with_counts(b"", digits=9), "it has 9 digits"),
        (with_counts(b"", lowest=0), "from 0 to"),
        (packed(b"\0" * (5 << 20)), "it is too large"),
    ],
)
def test_a_foreign_payload_is_an_error_that_says_why(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        open_payload(text)


def test_compressed_counts_that_end_early_are_an_error() -> None:
    compressed = zlib.compress(b"\0" * 100)[:-6]
    raw = struct.pack(">II", 0x1C849314, len(compressed)) + compressed
    with pytest.raises(ValueError, match="it is cut"):
        open_payload(b64encode(raw).decode())


@pytest.mark.parametrize(
    ("counts", "reason"),
    [
        (b"\x02\x80", "its last count is cut"),
        (b"\x80" * 9 + b"\x02", "a count of it is too large"),
        (b"\xff\xff\x7f\x02", "it goes beyond its last bucket"),
        (b"\xff\xff\xff\xff\xff\xff\xff\x7f", "it goes beyond its last bucket"),
    ],
)
def test_broken_counts_are_an_error_with_their_place(counts: bytes, reason: str) -> None:
    whole = text_of(recorded([5_000]))
    with pytest.raises(BrokenPayload, match=reason) as error:
        decoded(whole, text_of(recorded([])), with_counts(counts), whole)
    assert error.value.position == 2


def test_no_payload_decodes_to_nothing() -> None:
    found = decoded()
    assert (len(found.ends), len(found.buckets)) == (0, 0)
