"""Times of requests in HdrHistogram's buckets: memory grows with their range, not their number."""

import numpy as np
from hdrh.histogram import HdrHistogram

from loadstone.results.clock_facts import ClockSummary
from loadstone.results.timeline import TimeSummary
from loadstone.stats.values.quantile import quantile_over_offered

LOWEST_NS, HIGHEST_NS, SIGNIFICANT_DIGITS = 1_000, 3_600_000_000_000, 3
"""As the engine's histograms have them, so that they can be merged with those of other runs."""
_UNIT_MAGNITUDE = LOWEST_NS.bit_length() - 1
_SUB_BUCKET_BITS = 11
"""2,048 sub-buckets are the power of two above 2 x 10^3: three significant digits."""


class BucketedTimes:
    """Count, sum and extremes are exact; what lies between is as exact as its bucket."""

    __slots__ = ("_buckets", "count", "max_ns", "min_ns", "sum_ns")

    def __init__(self) -> None:
        self._buckets: dict[int, int] = {}
        self.count = self.sum_ns = self.max_ns = 0
        self.min_ns = HIGHEST_NS

    def add(self, value_ns: int) -> None:
        """Count one time of 0 to `HIGHEST_NS`."""
        lowest_ns = _lowest_of_bucket(value_ns)
        self._buckets[lowest_ns] = self._buckets.get(lowest_ns, 0) + 1
        self.count += 1
        self.sum_ns += value_ns
        self.min_ns = min(self.min_ns, value_ns)
        self.max_ns = max(self.max_ns, value_ns)

    def merge(self, other: "BucketedTimes") -> None:
        """Count all of another's."""
        for lowest_ns, count in other._buckets.items():
            self._buckets[lowest_ns] = self._buckets.get(lowest_ns, 0) + count
        self.count += other.count
        self.sum_ns += other.sum_ns
        self.min_ns = min(self.min_ns, other.min_ns)
        self.max_ns = max(self.max_ns, other.max_ns)

    def clock_summary(self) -> ClockSummary:
        """Return the summary of a clock, for a record; at least one time was counted."""
        return ClockSummary(
            count=self.count,
            min_ns=self.min_ns,
            mean_ns=self.sum_ns / self.count,
            max_ns=self.max_ns,
        )

    def time_summary(self) -> TimeSummary:
        """Of at least one time; a quantile is the highest of its bucket, but none above the longest."""
        lowest = np.array(sorted(self._buckets), dtype=np.int64)
        counts = np.array([self._buckets[each] for each in lowest.tolist()], dtype=np.int64)
        highest = np.array([_highest_of_bucket(each) for each in lowest.tolist()], dtype=np.int64)
        p50, p99 = (
            quantile_over_offered(highest, counts, failed=0, quantile=each) for each in (0.5, 0.99)
        )
        return TimeSummary(
            count=self.count,
            mean_ns=self.sum_ns / self.count,
            p50_ns=min(p50 or 0, self.max_ns),
            p99_ns=min(p99 or 0, self.max_ns),
            max_ns=self.max_ns,
        )

    def encoded(self) -> str:
        """Compressed, as a histogram log has it."""
        histogram = HdrHistogram(LOWEST_NS, HIGHEST_NS, SIGNIFICANT_DIGITS)
        for lowest_ns, count in self._buckets.items():
            histogram.record_value(lowest_ns, count)
        return str(histogram.encode().decode("ascii"))


def _shift(value_ns: int) -> int:
    return max(value_ns.bit_length() - _SUB_BUCKET_BITS, _UNIT_MAGNITUDE)


def _lowest_of_bucket(value_ns: int) -> int:
    shift = _shift(value_ns)
    return value_ns >> shift << shift


def _highest_of_bucket(lowest_ns: int) -> int:
    return lowest_ns + (1 << _shift(lowest_ns)) - 1
