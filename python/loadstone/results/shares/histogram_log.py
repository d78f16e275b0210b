"""The histogram logs of several engines as one: bucket by bucket, interval by interval.

The histograms of all engines have the same layout, so adding counts loses nothing: a quantile of
the sum is that of all requests together.
"""

import struct
import zlib
from base64 import b64encode
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import NDArray

from loadstone.results.histogram_log import (
    TIMESTAMP_RESOLUTION_NS,
    Key,
    intervals_of,
    read_log,
)
from loadstone.results.histograms import Histogram
from loadstone.results.payloads import Layout

LOWEST_NS, HIGHEST_NS, DIGITS = 1_000, 3_600 * 10**9, 3
"""As the engine states them of every histogram (`clock_histogram.rs`)."""

_COOKIE, _COMPRESSED_COOKIE = 0x1C849313, 0x1C849314
"""HdrHistogram's V2 format, counts of variable length, and its compressed form."""

Interval = int
"""The place of an interval in the merged timeline."""


class Summed:
    """The histogram of one tag in one interval: what each engine filled of it, added when it is
    asked.
    """

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._parts: list[tuple[NDArray[np.int64], NDArray[np.int64]]] = []

    def add(self, buckets: NDArray[np.int64], counts: NDArray[np.int64], layout: Layout) -> None:
        """Add filled buckets. `ValueError` where these are others."""
        if layout != self._layout:
            raise ValueError("histograms of different precision cannot be merged without loss")
        self._parts.append((buckets, counts))

    def histogram(self) -> Histogram:
        """Return the sum; it has a value, since only what has one is in a log."""
        most = max(int(buckets[-1]) for buckets, _ in self._parts)
        filled = np.zeros(most + 1, dtype=np.int64)
        for buckets, counts in self._parts:
            filled[buckets] += counts
        return Histogram(filled, *self._layout)


Histograms = dict[tuple[Interval, Key], Summed]


def merged_histograms(logs: Sequence[tuple[Path, Mapping[int, Interval]]]) -> Histograms:
    """Return the sum of all engines' histograms of each interval and tag, in their order.

    Each log comes with where its intervals belong, by their begin in microseconds. Raises InputError as
    `intervals_of`; an interval that belongs nowhere is left out, as its line of the timeline was.
    """
    summed: Histograms = {}
    for path, places in logs:
        for intervals in intervals_of(read_log(path), path, lambda _start, _end: True):
            decoded, layout, begin = intervals.decoded, intervals.layout, 0
            for key, start_ns, end in zip(
                intervals.keys, intervals.starts_ns, decoded.ends, strict=True
            ):
                place = places.get(in_log(int(start_ns)))
                if place is not None and end > begin:
                    of_tag = summed.setdefault((place, key), Summed(layout))
                    of_tag.add(decoded.buckets[begin:end], decoded.counts[begin:end], layout)
                begin = int(end)
    return {each: summed[each] for each in sorted(summed)}


def in_log(time_ns: int) -> int:
    """Return a time as a log tells it, in microseconds."""
    return round(time_ns / TIMESTAMP_RESOLUTION_NS)


def quantile_ns(histogram: Histogram, quantile: float) -> int:
    """Return the highest value of the bucket that the quantile is in, as the engine's timeline does."""
    values, counts = histogram.recorded
    rank = max(1, int(np.ceil(quantile * histogram.count)))
    return int(values[np.searchsorted(np.cumsum(counts), rank)])


def write_log(
    file: IO[str],
    started_unix_ns: int,
    spans_ns: Sequence[tuple[int, int]],
    histograms: Histograms,
) -> None:
    """Write histograms as the engine writes its log; `spans_ns` are begin and end of each interval."""
    started = f"{started_unix_ns / 1e9:.3f} (seconds since epoch)"
    file.write("#[Histogram log format version 1.3]\n")
    file.write("#[Values: nanoseconds; Interval_Max: milliseconds]\n")
    file.write(f"#[StartTime: {started}]\n#[BaseTime: {started}]\n")
    file.write(
        '"StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"\n'
    )
    for (interval, key), summed in histograms.items():
        histogram = summed.histogram()
        start_ns, end_ns = spans_ns[interval]
        most_ns = int(histogram.recorded[0][-1])
        file.write(
            f"Tag={_tag(key)},{start_ns / 1e9:.6f},{(end_ns - start_ns) / 1e9:.6f},"
            f"{most_ns / 1e6:.3f},{_payload(histogram)}\n"
        )


def _tag(key: Key) -> str:
    names = (key.operation, key.clock.value, "ok" if key.ok else "failed")
    return "/".join(name for name in names if name)


def _payload(histogram: Histogram) -> str:
    counts = _encoded(histogram.counts)
    head = struct.pack(">IIIIQQd", _COOKIE, len(counts), 0, DIGITS, LOWEST_NS, HIGHEST_NS, 1.0)
    compressed = zlib.compress(head + counts)
    return b64encode(struct.pack(">II", _COMPRESSED_COOKIE, len(compressed)) + compressed).decode()


def _encoded(counts: NDArray[np.int64]) -> bytes:
    """Each count as a ZigZag LEB128 number; so many empty buckets in a row as one below 0."""
    encoded = bytearray()
    filled = np.flatnonzero(counts)
    behind = np.append(0, filled[:-1] + 1)
    for empty, count in zip((filled - behind).tolist(), counts[filled].tolist(), strict=True):
        if empty == 1:
            encoded.append(0)
        elif empty:
            _append(encoded, -empty)
        _append(encoded, count)
    return bytes(encoded)


def _append(encoded: bytearray, number: int) -> None:
    folded = (number << 1) ^ (number >> 63)
    while folded > 0x7F:
        encoded.append(0x80 | (folded & 0x7F))
        folded >>= 7
    encoded.append(folded)
