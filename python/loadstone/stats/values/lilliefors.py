"""Lilliefors's test: whether values are normal, where mean and spread are those of the values.

The statistic is the largest distance between the distribution of the values and the normal one of their
mean and standard deviation (Lilliefors, "On the Kolmogorov-Smirnov test for normality with mean and
variance unknown", JASA 62(318), 1967). The p value is the analytic approximation of Dallal & Wilkinson
("An analytic approximation to the distribution of Lilliefors's test statistic for normality", The
American Statistician 40(4), 1986): for 5 to 100 values, and for more by a statistic that is brought to
what it would be of 100. It is meant for p up to 0.1. Above that the p value is by polynomials in the
modified statistic of Stephens ("EDF statistics for goodness of fit and some comparisons", JASA 69(347),
1974), with the coefficients of `lillie.test` in R's package `nortest`, so that both give the same.

Far below 0.001 nobody has tried the approximation: such a p value says "not normal", and no more.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.polynomial.polynomial import polyval
from numpy.typing import NDArray
from scipy.special import ndtr

LEAST_VALUES = 5
"""The fewest that the approximation is for."""
_LARGEST_COUNT = 100
"""Of the approximation."""
_MOST_P_VALUE = 0.1
"""Up to here the approximation is meant to be used."""
_STEPHENS: tuple[tuple[float, tuple[float, ...]], ...] = (
    (0.302, (1.0,)),
    (0.5, (2.76773, -19.828315, 80.709644, -138.55152, 81.218052)),
    (0.9, (-4.901232, 40.662806, -97.490286, 94.029866, -32.355711)),
    (1.31, (6.198765, -19.558097, 23.186922, -12.234627, 2.423045)),
)
"""Up to which modified statistic which polynomial holds, its constant first; beyond all p is 0."""


class Lilliefors(NamedTuple):
    """What the test found."""

    statistic: float
    """D, a difference of shares, from 0 to 1."""
    p_value: float
    """Of values that are normal."""


def lilliefors(values: NDArray[np.float64]) -> Lilliefors:
    """Test values in any order. `ValueError` for fewer than five, and where nothing varies."""
    count = len(values)
    if count < LEAST_VALUES:
        raise ValueError(f"{count} values are too few: the test needs {LEAST_VALUES}")
    ordered = np.sort(values)
    deviation = float(ordered.std(ddof=1))
    if ordered[0] == ordered[-1] or deviation == 0:
        raise ValueError("values that do not vary have no distribution to compare")
    expected = ndtr((ordered - ordered.mean()) / deviation)
    above = np.arange(1, count + 1) / count - expected
    below = expected - np.arange(count) / count
    statistic = float(max(above.max(), below.max()))
    return Lilliefors(statistic, lilliefors_p_value(statistic, count))


def lilliefors_p_value(statistic: float, count: int) -> float:
    """How often as many normal values are as far from normal. `ValueError` for fewer than five."""
    if count < LEAST_VALUES:
        raise ValueError(f"{count} values are too few: the test needs {LEAST_VALUES}")
    scaled, size = statistic, count
    if count > _LARGEST_COUNT:
        scaled, size = statistic * (count / _LARGEST_COUNT) ** 0.49, _LARGEST_COUNT
    shifted = size + 2.78019
    p_value = math.exp(
        -7.01256 * scaled**2 * shifted
        + 2.99587 * scaled * math.sqrt(shifted)
        - 0.122119
        + 0.974598 / math.sqrt(size)
        + 1.67997 / size
    )
    return p_value if p_value <= _MOST_P_VALUE else _by_stephens(statistic, count)


def _by_stephens(statistic: float, count: int) -> float:
    root = math.sqrt(count)
    modified = (root - 0.01 + 0.85 / root) * statistic
    for limit, coefficients in _STEPHENS:
        if modified <= limit:
            return min(1.0, max(0.0, float(polyval(modified, coefficients))))
    return 0.0
