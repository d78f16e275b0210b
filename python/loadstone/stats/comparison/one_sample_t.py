"""Student's t interval of the mean of one arm's runs.

Student, "The Probable Error of a Mean", Biometrika 6(1), 1908. It is of this arm alone, with what its
runs shared with those of other arms in it: whether two arms differ is told by their comparison.
"""

import math
from collections.abc import Sequence

from loadstone.stats.comparison.estimate import Estimate
from loadstone.stats.comparison.log_ratio import exponential
from loadstone.stats.comparison.paired_t import paired_t


def mean_interval(values: Sequence[float], level: float) -> tuple[float, float]:
    """Of the mean. `ValueError` for fewer than two values, or one that is not finite."""
    return _mean(values).interval(level)


def geometric_mean_interval(values: Sequence[float], level: float) -> tuple[float, float]:
    """Of the geometric mean, by the logarithms. `ValueError` also for a value of 0 or less."""
    if any(value <= 0 for value in values):
        raise ValueError("a geometric mean has an interval only of values above 0")
    low, high = _mean([*map(math.log, values)]).interval(level)
    return exponential(low), exponential(high)


def _mean(values: Sequence[float]) -> Estimate:
    """The mean as a difference from 0, run by run."""
    return paired_t([0.0] * len(values), values)
