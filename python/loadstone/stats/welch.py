"""Welch's t: the difference of two arms whose runs are not paired and vary differently.

Welch, "The generalization of 'Student's' problem when several different population variances are
involved", Biometrika 34, 1947; degrees of freedom by Satterthwaite, Biometrics Bulletin 2, 1946.
"""

import math
from collections.abc import Sequence

import numpy as np

from loadstone.stats.estimate import Estimate, require_finite


def welch(baseline: Sequence[float], other: Sequence[float]) -> Estimate:
    """Mean of `other` minus mean of `baseline`.

    `ValueError` for fewer than two values an arm, or a value that is not finite.
    """
    require_finite([*baseline, *other])
    if len(baseline) < 2 or len(other) < 2:
        raise ValueError("a comparison needs at least two values an arm")
    first, second = np.asarray(baseline, dtype=float), np.asarray(other, dtype=float)
    first_error, second_error = _squared_error(first), _squared_error(second)
    total = first_error + second_error
    return Estimate(
        mean=float(second.mean() - first.mean()),
        standard_error=math.sqrt(total),
        degrees_of_freedom=_degrees(first_error, len(first), second_error, len(second)),
    )


def _squared_error(values: np.ndarray) -> float:
    """Of the mean; exactly 0 for equal values, whose mean may be rounded."""
    return 0.0 if np.ptp(values) == 0 else float(values.var(ddof=1)) / len(values)


def _degrees(first_error: float, first: int, second_error: float, second: int) -> float:
    """Satterthwaite's, from the arms' shares of the variance: their squares do not underflow."""
    total = first_error + second_error
    if total == 0:
        return float(first + second - 2)
    share = first_error / total
    return 1 / (share**2 / (first - 1) + (1 - share) ** 2 / (second - 1))
