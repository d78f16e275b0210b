"""A difference of means with its standard error: Student's t gives its interval and p value.

Student, "The Probable Error of a Mean", Biometrika 6(1), 1908. Assumes that the means are about
normal, which is why times are compared by their logarithms (`log_ratio.py`).
"""

import math
from dataclasses import dataclass

from scipy.special import stdtr, stdtrit


@dataclass(frozen=True)
class Estimate:
    """What paired t and Welch have in common. A standard error of 0 makes a certain estimate."""

    mean: float
    standard_error: float
    degrees_of_freedom: float
    """Of the t distribution that the interval and the p value are by."""
    spread_degrees: float | None = None
    """Of the standard error itself, where it is better known than the interval takes it to be."""

    def p_value(self) -> float:
        """Two-sided, of no difference; without any variance 1 for no difference and 0 for one."""
        if self.standard_error == 0:
            return 1.0 if self.mean == 0 else 0.0
        return float(2 * stdtr(self.degrees_of_freedom, -abs(self.mean) / self.standard_error))

    def interval(self, level: float) -> tuple[float, float]:
        """The two-sided interval at `level`, for example 0.95."""
        if not 0 < level < 1:
            raise ValueError(f"a level lies between 0 and 1, not at {level}")
        if self.standard_error == 0:
            return self.mean, self.mean
        reach = float(stdtrit(self.degrees_of_freedom, (1 + level) / 2)) * self.standard_error
        return self.mean - reach, self.mean + reach


def require_finite(values: tuple[float, ...] | list[float]) -> None:
    """`ValueError` where a value is NaN or infinite: no statistic swallows one."""
    if any(not math.isfinite(value) for value in values):
        raise ValueError(f"a comparison needs finite values, not {values}")
