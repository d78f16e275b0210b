"""What the histograms of single intervals say of their times, to be held against what was said
elsewhere.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from loadstone.results.histogram_log import Intervals
from loadstone.stats.values.quantile import rank


@dataclass(frozen=True, slots=True)
class IntervalTimes:
    """Times of one interval, nanoseconds; each is that of its bucket."""

    start_ns: int
    """Since the load began, at the log's resolution."""
    count: int
    mean_ns: float
    variance_ns2: float
    """Over the interval's requests, with one degree of freedom less than there are."""
    p50_ns: int
    p99_ns: int
    max_ns: int


def interval_times(intervals: Intervals) -> tuple[tuple[str, IntervalTimes], ...]:
    """Reduce each interval that is not empty; with its operation, in their order."""
    sizes = intervals.decoded.sizes
    filled = np.flatnonzero(sizes)
    if not filled.size:
        return ()
    values, counts = intervals.values_ns, intervals.decoded.counts
    sizes, first = sizes[filled], (intervals.decoded.ends - sizes)[filled]
    totals = np.add.reduceat(counts, first)
    means = np.add.reduceat(values.astype(float) * counts, first) / totals
    squares = np.add.reduceat((values - np.repeat(means, sizes)) ** 2 * counts, first)
    cumulative = np.cumsum(counts)
    before = cumulative[first] - counts[first]

    def quantiles(quantile: float) -> NDArray[np.int64]:
        ranks = np.array([rank(quantile, count) for count in totals.tolist()])
        return np.asarray(values[np.searchsorted(cumulative, before + ranks)])

    reduced = zip(
        intervals.starts_ns[filled].tolist(),
        totals.tolist(),
        means.tolist(),
        (squares / np.maximum(totals - 1, 1)).tolist(),
        quantiles(0.5).tolist(),
        quantiles(0.99).tolist(),
        values[first + sizes - 1].tolist(),
        strict=True,
    )
    operations = (intervals.keys[at].operation for at in filled.tolist())
    return tuple(
        (operation, IntervalTimes(*each))
        for operation, each in zip(operations, reduced, strict=True)
    )
