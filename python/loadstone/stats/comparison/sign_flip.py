"""Exact sign-flip permutation: the cross-check of a paired comparison, free of any distribution.

Were there no difference, each pair's difference could as well have the other sign. Fisher, The
Design of Experiments, 1935, section 21. The p value is exact: it counts all 2^n sign patterns.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from loadstone.stats.comparison.estimate import require_finite

MAXIMUM_PAIRS = 40
"""Two halves of 2^20 sums each take tens of megabytes; one pair more doubles a half."""

_TIE = 1e-12
"""Relative: sums that differ by less are the same sum, added in another order."""


def smallest_p_value(pairs: int) -> float:
    """What the test can reach at best: two patterns (all signs alike) of 2^n."""
    return min(1.0, 2.0 ** (1 - pairs))


def sign_flip(differences: Sequence[float]) -> float:
    """Two-sided p value of no difference: the share of patterns with a sum as far from 0.

    `ValueError` for none, for more than `MAXIMUM_PAIRS`, or for one that is not finite.
    """
    require_finite([*differences])
    if not 1 <= len(differences) <= MAXIMUM_PAIRS:
        raise ValueError(f"the test takes 1 to {MAXIMUM_PAIRS} pairs, not {len(differences)}")
    values = np.asarray(differences, dtype=float)
    half = len(values) // 2
    # All sums are those of the first half plus those of the second: sorting one half and counting
    # in it by bisection needs 2^(n/2) steps where enumeration needs 2^n.
    first, second = _sums(values[:half]), np.sort(_sums(values[half:]))
    observed = abs(float(values.sum())) - _TIE * float(np.abs(values).sum())
    if observed <= 0:
        return 1.0
    above = second.size - np.searchsorted(second, observed - first, side="left")
    below = np.searchsorted(second, -observed - first, side="right")
    return float((above.sum() + below.sum()) / (first.size * second.size))


def _sums(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The sums of all sign patterns."""
    sums = np.zeros(1)
    for value in values:
        sums = np.concatenate((sums + value, sums - value))
    return sums
