"""How far the values of runs lie apart: the standard deviation, and its share of the mean.

NIST/SEMATECH e-Handbook of Statistical Methods, section 1.3.5.6; n - 1 in the denominator, since
the runs are a sample of those that could have been.
"""

import math
from collections.abc import Sequence


def deviation(values: Sequence[float]) -> float | None:
    """The standard deviation, in the unit of the values; none for fewer than two."""
    if len(values) < 2:
        return None
    if min(values) == max(values):
        return 0.0  # their mean may be rounded
    mean = math.fsum(values) / len(values)
    return math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1))


def coefficient_of_variation(values: Sequence[float]) -> float | None:
    """The standard deviation over the arithmetic mean; none for fewer than two values or a mean of 0.

    `ValueError` for a negative value: its share of a mean near 0 says nothing.
    """
    if any(value < 0 for value in values):
        raise ValueError("the coefficient of variation is of values of 0 or more")
    found = deviation(values)
    mean = math.fsum(values) / len(values) if values else 0.0
    return None if found is None or mean == 0 else found / mean
