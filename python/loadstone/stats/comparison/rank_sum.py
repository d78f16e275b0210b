"""Wilcoxon's rank-sum test, which is Mann and Whitney's: whether one sample lies above the other.

Wilcoxon, "Individual comparisons by ranking methods", Biometrics Bulletin 1(6), 1945; Mann & Whitney,
"On a test of whether one of two random variables is stochastically larger than the other", Annals of
Mathematical Statistics 18(1), 1947. As R's `wilcox.test` gives it: exact for samples of fewer than 50
values without ties, else the normal approximation with the variance corrected for ties and a continuity
correction of one half. Cliff's delta is the same statistic as an effect size (Cliff, "Dominance
statistics: ordinal analyses to answer ordinal questions", Psychological Bulletin 114(3), 1993).

It takes all values for independent. Requests of one run are not: `analysis/per_request` says what that
does.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

EXACT_BELOW = 50
"""Values of each sample, where none is tied: R's choice."""


@dataclass(frozen=True)
class RankSum:
    """What the test found."""

    statistic: float
    """W: pairs in which the value of the first sample is the larger one, half of the ties counted."""
    p_value: float
    """Two-sided, of samples from one distribution."""
    pairs: int
    """All pairs of a value of each."""
    is_exact: bool
    """Whether the p value is by all orders of the values, and not by an approximation."""

    @property
    def cliffs_delta(self) -> float:
        """From -1, where all values of the first sample are smaller, to 1; 0 is no difference."""
        return 2 * self.statistic / self.pairs - 1


def rank_sum(
    first: NDArray[np.float64], second: NDArray[np.float64], *, exact_below: int = EXACT_BELOW
) -> RankSum:
    """Compare two samples, in any order. `ValueError` for no values, or one that is not finite."""
    if not len(first) or not len(second):
        raise ValueError("a comparison needs a value of each sample")
    both = np.concatenate([first, second])
    if not np.isfinite(both).all():
        raise ValueError("a comparison needs finite values")
    pairs = len(first) * len(second)
    if np.ptp(both) == 0:
        return RankSum(pairs / 2, 1.0, pairs, is_exact=False)
    is_exact = max(len(first), len(second)) < exact_below and len(np.unique(both)) == len(both)
    from scipy import stats  # loaded late: it takes half a second

    found = stats.mannwhitneyu(
        first, second, alternative="two-sided", method="exact" if is_exact else "asymptotic"
    )
    return RankSum(float(found.statistic), float(found.pvalue), pairs, is_exact)
