"""Welch's t: the difference of two arms whose runs are not paired and vary differently.

Welch, "The generalization of 'Student's' problem when several different population variances are
involved", Biometrika 34, 1947. The degrees of freedom are not his approximation (Satterthwaite's) but
those of the smaller arm, which bound the error for any ratio of the two spreads and at any level
(Mickey & Brown, "Bounds on the Distribution Functions of the Behrens-Fisher Statistic", Annals of
Mathematical Statistics 37(3), 1966). With few runs the approximation does not: of equal arms whose
spreads are 1 to 3, three runs against six are called different at 5 % in 6.8 % of studies, and at
0.5 %, which Holm asks of one of ten comparisons, in 1.7 %. What is paid for it is an interval as wide
as that of as many pairs without a shared disturbance: for six runs an arm at most 15 % wider.
"""

import math
from collections.abc import Sequence

import numpy as np

from loadstone.stats.comparison.estimate import Estimate, require_finite


def welch(baseline: Sequence[float], other: Sequence[float]) -> Estimate:
    """Mean of `other` minus mean of `baseline`; the degrees of its spread are Satterthwaite's.

    `ValueError` for fewer than two values an arm, or a value that is not finite.
    """
    require_finite([*baseline, *other])
    fewest = min(len(baseline), len(other))
    if fewest < 2:
        raise ValueError("a comparison needs at least two values an arm")
    first, second = np.asarray(baseline, dtype=float), np.asarray(other, dtype=float)
    first_error, second_error = _squared_error(first), _squared_error(second)
    return Estimate(
        mean=float(second.mean() - first.mean()),
        standard_error=math.sqrt(first_error + second_error),
        degrees_of_freedom=fewest - 1,
        spread_degrees=_satterthwaite(first_error, len(first), second_error, len(second)),
    )


def _squared_error(values: np.ndarray) -> float:
    """Of the mean; exactly 0 for equal values, whose mean may be rounded."""
    return 0.0 if np.ptp(values) == 0 else float(values.var(ddof=1)) / len(values)


def _satterthwaite(first_error: float, first: int, second_error: float, second: int) -> float:
    """Biometrics Bulletin 2, 1946; from the arms' shares of the variance: their squares do not
    underflow."""
    total = first_error + second_error
    if total == 0:
        return float(first + second - 2)
    share = first_error / total
    return 1 / (share**2 / (first - 1) + (1 - share) ** 2 / (second - 1))
