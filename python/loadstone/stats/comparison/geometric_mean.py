"""The geometric mean: the mean whose ratio between two arms is the mean of their ratios.

Fleming & Wallace, "How not to lie with statistics: the correct way to summarize benchmark
results", Communications of the ACM 29(3), 1986.
"""

import math
from collections.abc import Sequence


def geometric_mean(values: Sequence[float]) -> float:
    """The n-th root of the product; 0 where one value is 0.

    `ValueError` for no values, for a negative one and for one that is not finite.
    """
    if not values:
        raise ValueError("no values, no mean")
    if any(not math.isfinite(value) or value < 0 for value in values):
        raise ValueError(f"a geometric mean needs finite values of 0 or more, not {values}")
    if 0 in values:
        return 0.0
    if min(values) == max(values):
        return values[0]  # what the logarithm would round
    return math.exp(math.fsum(math.log(value) for value in values) / len(values))
