"""Writes the histogram log of a run: V2 payloads, all lines encoded in one pass over arrays."""

import struct
import zlib
from base64 import b64encode
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from large_study.plan import OPERATIONS
from large_study.samples import CLOCKS, GROUPS_OF_AN_INTERVAL, Times
from loadstone.simulate.engine_files import HIGHEST_NS, LOWEST_NS, SIGNIFICANT_DIGITS
from loadstone.simulate.intervals import CONNECT_NS
from simulated_load import MILLISECOND_NS, SECOND_NS

UNIT_MAGNITUDE, HALF_MAGNITUDE = 9, 10
"""Of histograms from `LOWEST_NS` on with `SIGNIFICANT_DIGITS`."""
HEADING = """#[Histogram log format version 1.3]
#[Values: nanoseconds; Interval_Max: milliseconds]
#[StartTime: 1767268800.000 (seconds since epoch)]
#[BaseTime: 1767268800.000 (seconds since epoch)]
"StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"
"""
_COOKIE, _COMPRESSED_COOKIE = 0x1C849313, 0x1C849314


def write_log(path: Path, times: Times, edges_ns: NDArray[np.int64], connections: int) -> None:
    """Write the log, interval by interval; connections are all opened in the first."""
    groups, first = np.unique(times.group, return_index=True)
    largest = times.values[np.append(first[1:], len(times.values)) - 1]
    opened = Times(np.full(connections, -1), np.full(connections, CONNECT_NS))
    payloads = payloads_of(
        Times(
            np.concatenate((opened.group, times.group)),
            np.concatenate((opened.values, times.values)),
        )
    )
    tags = [f"{name}/{clock}/{end}" for name in OPERATIONS for clock in CLOCKS for end in ENDS]
    lines = [_line("connect/ok", edges_ns[:2], CONNECT_NS, payloads[0])]
    for group, highest_ns, payload in zip(
        groups.tolist(), largest.tolist(), payloads[1:], strict=True
    ):
        interval, tag = divmod(group, GROUPS_OF_AN_INTERVAL)
        lines.append(_line(tags[tag], edges_ns[interval : interval + 2], highest_ns, payload))
    path.write_text(HEADING + "".join(lines))


ENDS = ("ok", "failed")


def _line(
    tag: str, span_ns: Sequence[int] | NDArray[np.int64], highest_ns: int, payload: bytes
) -> str:
    start_ns, end_ns = span_ns
    return (
        f"Tag={tag},{start_ns / SECOND_NS:.6f},{(end_ns - start_ns) / SECOND_NS:.6f},"
        f"{highest_ns / MILLISECOND_NS:.3f},{payload.decode()}\n"
    )


def payloads_of(times: Times) -> list[bytes]:
    """The encoded histogram of each group, in their order."""
    shifted = times.group - times.group.min()
    keys, counts = np.unique((shifted << 32) | _bucket_of(times.values), return_counts=True)
    group, bucket = keys >> 32, keys & 0xFFFFFFFF
    is_first = np.append(True, np.diff(group) != 0)
    before = np.where(is_first, -1, np.append(-1, bucket[:-1]))
    empty = bucket - before - 1
    # A single empty bucket is a zero, more of them are one negative number.
    symbols = np.column_stack((np.where(empty == 1, 0, -empty), counts)).ravel()
    is_written = np.column_stack((empty > 0, np.ones(len(counts), dtype=bool))).ravel()
    of_symbol = np.repeat(group, 2)[is_written]
    encoded, ends = _variable_length(symbols[is_written])
    last = np.append(np.flatnonzero(np.diff(of_symbol)), len(of_symbol) - 1)
    parts, begin = [], 0
    for end in ends[last].tolist():
        parts.append(_payload(encoded[begin:end]))
        begin = end
    return parts


def _bucket_of(values: NDArray[np.int64]) -> NDArray[np.int64]:
    raised = np.maximum(values, LOWEST_NS)
    bucket = np.maximum(np.frexp(raised)[1] - HALF_MAGNITUDE - 1 - UNIT_MAGNITUDE, 0).astype(
        np.int64
    )
    return (bucket << HALF_MAGNITUDE) + (raised >> (bucket + UNIT_MAGNITUDE))


def _variable_length(symbols: NDArray[np.int64]) -> tuple[bytes, NDArray[np.int64]]:
    """ZigZag LEB128, and where each symbol ends."""
    folded = (symbols << 1) ^ (symbols >> 63)
    lengths = np.ones(len(folded), dtype=np.int64)
    for group in range(1, 9):
        lengths += folded >> (7 * group) > 0
    ends = np.cumsum(lengths)
    encoded = np.zeros(int(ends[-1]), dtype=np.uint8)
    for group in range(int(lengths.max())):
        has = lengths > group
        more = np.where(lengths[has] > group + 1, 0x80, 0)
        encoded[ends[has] - lengths[has] + group] = (folded[has] >> (7 * group)) & 0x7F | more
    return encoded.tobytes(), ends


def _payload(counts: bytes) -> bytes:
    heading = struct.pack(
        ">IIIIQQd", _COOKIE, len(counts), 0, SIGNIFICANT_DIGITS, LOWEST_NS, HIGHEST_NS, 1.0
    )
    compressed = zlib.compress(heading + counts)
    return b64encode(struct.pack(">II", _COMPRESSED_COOKIE, len(compressed)) + compressed)
