"""Qn: a standard deviation that a few outliers do not change.

Rousseeuw and Croux, "Alternatives to the Median Absolute Deviation", Journal of the American
Statistical Association 88(424), 1993: the k-th smallest distance between two values, with
k = h(h - 1)/2 and h = n/2 + 1, rounded down. Up to half of the values may be arbitrary; for normal
ones it is 82 % as efficient as the standard deviation, where the median absolute deviation is 37 %.
"""

from collections.abc import Sequence
from itertools import combinations

from loadstone.stats.comparison.estimate import require_finite

NORMAL = 2.2191444659850757
"""1 / (sqrt(2) * quantile of 5/8 of the normal distribution): makes it the standard deviation there."""
FEWEST = 10
"""Below this the correction for few values has no formula."""


def qn_scale(values: Sequence[float]) -> float:
    """The spread of values, in their unit, consistent for normal ones.

    `ValueError` for fewer than ten values, or for one that is not finite.
    """
    require_finite(list(values))
    count = len(values)
    if count < FEWEST:
        raise ValueError(f"a robust spread needs at least {FEWEST} values, not {count}")
    half = count // 2 + 1
    distances = sorted(abs(one - other) for one, other in combinations(values, 2))
    # Croux and Rousseeuw, "Time-Efficient Algorithms for Two Highly Robust Estimators of Scale",
    # COMPSTAT 1992: without this factor few normal values give too large a spread.
    correction = count / (count + (1.4 if count % 2 else 3.8))
    return correction * NORMAL * distances[half * (half - 1) // 2 - 1]
