"""The ratio of two arms by a t comparison of logarithms.

Run-to-run variation of times and rates is about proportional, so logarithms are nearer to normal,
and the interval of the ratio does not depend on which arm is the baseline. Georges, Buytaert &
Eeckhout, "Statistically rigorous Java performance evaluation", OOPSLA 2007, for the run as unit.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from loadstone.stats.comparison.estimate import Estimate

Compare = Callable[[Sequence[float], Sequence[float]], Estimate]
"""`paired_t` or `welch`."""


@dataclass(frozen=True)
class RatioEstimate:
    """A ratio `other / baseline`, kept as the estimate of its logarithm."""

    logarithm: Estimate

    @property
    def ratio(self) -> float:
        """The ratio of the geometric means."""
        return math.exp(self.logarithm.mean)

    def p_value(self) -> float:
        """Two-sided, of a ratio of 1."""
        return self.logarithm.p_value()

    def interval(self, level: float) -> tuple[float, float]:
        """Of the ratio, at `level`. A very wide one ends at infinity, not in an error."""
        low, high = self.logarithm.interval(level)
        return exponential(low), exponential(high)


def exponential(value: float) -> float:
    """Infinity where no double can hold it."""
    try:
        return math.exp(value)
    except OverflowError:
        return math.inf


def log_ratio(compare: Compare, baseline: Sequence[float], other: Sequence[float]) -> RatioEstimate:
    """`compare` of the logarithms. `ValueError` unless every value is above 0 and finite."""
    if any(value <= 0 for value in (*baseline, *other)):
        raise ValueError("a ratio needs values above 0; compare those that can be 0 by differences")
    return RatioEstimate(compare([*map(math.log, baseline)], [*map(math.log, other)]))
