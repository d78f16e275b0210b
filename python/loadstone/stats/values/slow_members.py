"""Which members of a group take longer than its median member, by more than chance explains.

Each member is known by how many times it had, and by mean and variance of their logarithms. If all
drew from one distribution, their means would differ by chance alone. How much is bounded by the
heaviest tail that times have, a power law, whose logarithm is exponential: the sum of n of those has a
gamma distribution with shape n (Johnson, Kotz & Balakrishnan, "Continuous Univariate Distributions",
volume 1, 1994, chapter 17). Of any lighter tail, the lognormal too, a mean as far out is rarer than
that. The deviation is pooled within members, so that a slow one does not excuse itself. Each member is
held against the level over their number (Bonferroni).
"""

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaincc

LEVEL = 0.001
"""That any member is called slow where none is, at most."""

FEWEST_MEMBERS, FEWEST_TIMES = 3, 3
"""Below, nobody is the usual member, and one answer may be anything."""


def slow_members(
    counts: NDArray[np.int64],
    log2_means: NDArray[np.float64],
    log2_variances: NDArray[np.float64],
    at_least: float,
) -> NDArray[np.int64]:
    """Places of the members whose geometric mean is `at_least` times that of the median member, and
    who are slower than chance makes them.
    """
    told = np.flatnonzero(counts >= FEWEST_TIMES)
    if told.size < FEWEST_MEMBERS:
        return told[:0]
    n, mean = counts[told], log2_means[told]
    middle = np.sort(mean)[(told.size - 1) // 2]
    deviation = np.sqrt(np.sum(n * log2_variances[told]) / np.sum(n - 1))
    beyond = mean - middle
    far = beyond >= np.log2(at_least)
    with np.errstate(divide="ignore", invalid="ignore"):
        chance = np.where(beyond > 0, gammaincc(n, n * (1 + beyond / deviation)), 1.0)
    slow: NDArray[np.int64] = told[far & (chance <= LEVEL / told.size)]
    return slow
