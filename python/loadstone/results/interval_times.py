"""What one interval's histogram says of its times, to be held against what was said elsewhere."""

from dataclasses import dataclass

import numpy as np

from loadstone.results.histograms import Histogram
from loadstone.stats.quantile import quantile_over_offered


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


def interval_times(start_ns: int, histogram: Histogram) -> IntervalTimes:
    """Reduce one interval's histogram, which must not be empty."""
    values, counts = histogram.recorded
    count = int(counts.sum())
    mean_ns = float(np.average(values, weights=counts))
    squares = float(((values - mean_ns) ** 2 * counts).sum())
    p50_ns, p99_ns = (quantile_over_offered(values, counts, 0, each) for each in (0.5, 0.99))
    assert p50_ns is not None
    assert p99_ns is not None
    return IntervalTimes(
        start_ns, count, mean_ns, squares / max(count - 1, 1), p50_ns, p99_ns, int(values[-1])
    )
