"""Reads a histogram log: intervals merged over a window, one histogram per tag.

The log is HdrHistogram's V2 interval log, values in nanoseconds, timestamps since the load began.
Tags are `operation/clock/ok` and `operation/clock/failed`, and for connections `connect/ok`,
`connect/failed`, `tls/ok` and `tls/failed`. The hdrhistogram package decodes; the merged counts are
kept as arrays, since intervals that grew to different ranges then add at once.
"""

import re
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np
from hdrh.codec import HdrCookieException, HdrLengthException
from hdrh.histogram import HdrHistogram
from numpy.typing import NDArray

from loadstone.errors import InputError
from loadstone.results.outcomes import Clock, ConnectionClock

TIMESTAMP_RESOLUTION_NS = 1_000
"""The log's timestamps are seconds with six decimals."""

_INTERVAL = re.compile(r"^Tag=([^,]+),([\d.]+),([\d.]+),[\d.]+,(\S+)$")

_BROKEN = (HdrCookieException, HdrLengthException, zlib.error, ValueError)
"""What the package raises for a line that is cut or foreign."""


class Key(NamedTuple):
    """One tag of the log."""

    operation: str
    """Empty for the times of connections, which belong to none."""
    clock: Clock | ConnectionClock
    ok: bool


@dataclass(frozen=True, eq=False)
class Histogram:
    """Counts of merged intervals, in HdrHistogram's layout of buckets."""

    counts: NDArray[np.int64]
    unit_magnitude: int
    half_magnitude: int
    """Of the sub-buckets: together with the unit's it fixes which values share a bucket."""

    @property
    def count(self) -> int:
        """How many values were recorded."""
        return int(self.counts.sum())

    @cached_property
    def recorded(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Values that were recorded, ascending (the highest of their bucket), and their counts."""
        indices = np.flatnonzero(self.counts)
        lowest, size = self._buckets(indices)
        return lowest + size - 1, self.counts[indices]

    @cached_property
    def middles(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Middles of the buckets that hold values, ascending, and the counts in them."""
        indices = np.flatnonzero(self.counts)
        lowest, size = self._buckets(indices)
        return lowest + size // 2, self.counts[indices]

    def mean_ns(self) -> float | None:
        """Mean of the values, each taken as the middle of its bucket; none where there are none."""
        values, counts = self.middles
        return float(np.average(values, weights=counts)) if values.size else None

    def plus(self, other: "Histogram") -> "Histogram":
        """Both together. `ValueError` where their buckets differ."""
        if (self.unit_magnitude, self.half_magnitude) != (
            other.unit_magnitude,
            other.half_magnitude,
        ):
            raise ValueError("histograms of different precision cannot be merged without loss")
        longer, shorter = sorted((self.counts, other.counts), key=len, reverse=True)
        counts = longer.copy()
        counts[: len(shorter)] += shorter
        return Histogram(counts, self.unit_magnitude, self.half_magnitude)

    def _buckets(self, indices: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Lowest value and width of each bucket: HdrHistogram's mapping, on a whole array."""
        half = 1 << self.half_magnitude
        bucket = np.maximum((indices >> self.half_magnitude) - 1, 0)
        within = np.where(indices < half, indices, (indices & (half - 1)) + half)
        shift = bucket + self.unit_magnitude
        return within << shift, np.left_shift(np.int64(1), shift)


EMPTY = Histogram(np.zeros(0, dtype=np.int64), unit_magnitude=0, half_magnitude=10)
"""No value, at three significant figures."""


def merge(histograms: list[Histogram]) -> Histogram:
    """All together; `EMPTY` for none."""
    filled = [histogram for histogram in histograms if histogram.counts.size]
    if not filled:
        return EMPTY
    merged = filled[0]
    for histogram in filled[1:]:
        merged = merged.plus(histogram)
    return merged


def _nothing(key: Key, start_ns: int, histogram: Histogram) -> None:
    """Nobody looks at the single intervals."""


def read_histograms(
    path: Path,
    keep: Callable[[int, int], bool],
    on_interval: Callable[[Key, int, Histogram], None] = _nothing,
) -> dict[Key, Histogram]:
    """The merged histogram of each tag over the intervals for which `keep(start_ns, end_ns)`.

    `on_interval` is shown each of them, with its start, before they are merged. A last line that is cut
    (the engine was killed while it wrote) is left out. `InputError` for a file that is missing and for
    any other line that is not one of this log.
    """
    try:
        text = path.read_text(encoding="ascii", errors="replace")
    except FileNotFoundError:
        raise InputError(
            "the histogram log is missing", path=path, remedy="do the run again"
        ) from None
    lines = text.splitlines()
    parts: dict[Key, list[Histogram]] = {}
    for number, line in enumerate(lines, start=1):
        if not line or line.startswith(("#", '"')):
            continue
        try:
            interval = _interval(line, keep)
        except _BROKEN as error:
            if number == len(lines):
                break
            raise InputError(
                f"not an interval of a Loadstone histogram log ({error})",
                path=path,
                line=number,
                remedy="the file was changed or is not the engine's: do the run again",
            ) from None
        if interval is not None:
            key, start_ns, histogram = interval
            on_interval(key, start_ns, histogram)
            parts.setdefault(key, []).append(histogram)
    return {key: merge(histograms) for key, histograms in sorted(parts.items())}


def _interval(line: str, keep: Callable[[int, int], bool]) -> tuple[Key, int, Histogram] | None:
    matched = _INTERVAL.match(line)
    if matched is None:
        raise ValueError("no tag, start, length, largest value and histogram")
    tag, start, length, payload = matched.groups()
    start_ns = round(float(start) * 1e9)
    if not keep(start_ns, start_ns + round(float(length) * 1e9)):
        return None
    return _key(tag), start_ns, _decode(payload)


def _key(tag: str) -> Key:
    *operation, clock, ended = ("", *tag.rsplit("/", 2))[-3:]
    if ended not in ("ok", "failed"):
        raise ValueError(f"the tag {tag!r} does not end with /ok or /failed")
    if operation and operation[0]:
        return Key(operation[0], Clock(clock), ended == "ok")
    return Key("", ConnectionClock(clock), ended == "ok")


def _decode(payload: str) -> Histogram:
    decoded = HdrHistogram.decode(payload)
    counts = np.frombuffer(decoded.counts, dtype=np.int64)
    used = int(counts.nonzero()[0][-1]) + 1 if decoded.total_count else 0
    return Histogram(
        counts[:used].copy(), decoded.unit_magnitude, decoded.sub_bucket_half_count_magnitude
    )
