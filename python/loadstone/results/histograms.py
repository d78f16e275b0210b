"""Histograms of times: counts in HdrHistogram's layout of buckets, kept as arrays.

Intervals that grew to different ranges then add at once. Values are nanoseconds.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from loadstone.results.payloads import Layout


@dataclass(frozen=True, eq=False)
class Histogram:
    """Counts of merged intervals, in HdrHistogram's layout of buckets."""

    counts: NDArray[np.int64]
    unit_magnitude: int
    half_magnitude: int
    """Of the sub-buckets: together with the unit's it fixes which values share a bucket."""

    @property
    def layout(self) -> Layout:
        """Which values share a bucket."""
        return Layout(self.unit_magnitude, self.half_magnitude)

    @property
    def count(self) -> int:
        """How many values were recorded."""
        return int(self.counts.sum())

    @cached_property
    def recorded(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Values that were recorded, ascending (the highest of their bucket), and their counts."""
        indices = np.flatnonzero(self.counts)
        lowest, size = bounds_of(indices, self.layout)
        return lowest + size - 1, self.counts[indices]

    @cached_property
    def middles(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Middles of the buckets that hold values, ascending, and the counts in them."""
        indices = np.flatnonzero(self.counts)
        lowest, size = bounds_of(indices, self.layout)
        return lowest + size // 2, self.counts[indices]

    def mean_ns(self) -> float | None:
        """Mean of the values, each taken as the middle of its bucket; none where there are none."""
        values, counts = self.middles
        return float(np.average(values, weights=counts)) if values.size else None

    def plus(self, other: "Histogram") -> "Histogram":
        """Both together. `ValueError` where their buckets differ."""
        if self.layout != other.layout:
            raise ValueError("histograms of different precision cannot be merged without loss")
        longer, shorter = sorted((self.counts, other.counts), key=len, reverse=True)
        counts = longer.copy()
        counts[: len(shorter)] += shorter
        return Histogram(counts, self.unit_magnitude, self.half_magnitude)


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


def bounds_of(
    buckets: NDArray[np.int64], layout: Layout
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Lowest value and width of each bucket: HdrHistogram's mapping, on a whole array."""
    half = 1 << layout.half_magnitude
    doubled = np.maximum((buckets >> layout.half_magnitude) - 1, 0)
    within = np.where(buckets < half, buckets, (buckets & (half - 1)) + half)
    shift = doubled + layout.unit_magnitude
    return within << shift, np.left_shift(np.int64(1), shift)
