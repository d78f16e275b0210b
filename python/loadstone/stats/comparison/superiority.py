"""How probable it is that a run of one arm is below a run of the other: an effect size without a unit.

P(other < baseline) + half the ties, the Mann-Whitney statistic over the number of pairs; 1/2 is no
difference (Vargha & Delaney, "A Critique and Improvement of the CL Common Language Effect Size
Statistics of McGraw and Wong", Journal of Educational and Behavioral Statistics 25(2), 2000). The
interval is Newcombe's fifth, which inverts a score test ("Confidence intervals for an effect size
measure based on the Mann-Whitney statistic. Part 2", Statistics in Medicine 25(4), 2006). The usual
one, of Brunner and Munzel, has no width where arms do not overlap, which few runs do often by chance.
Newcombe takes the normal distribution, with which it covers the truth in 90 % for three equal runs an
arm; with Student's t in its place it does in 95 % and more from three runs on (simulated).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit

from loadstone.stats.comparison.estimate import require_finite

_NEAR_0 = 1e-12
"""Where the search begins: at 0 itself there is no error, and the search would end."""


@dataclass(frozen=True)
class Superiority:
    """A probability with its interval; all between 0 and 1."""

    probability: float
    low: float
    high: float


def superiority(
    baseline: Sequence[float], other: Sequence[float], level: float = 0.95
) -> Superiority:
    """P(other < baseline) + half the ties.

    The runs of the two arms are taken for independent. `ValueError` for fewer than two values an arm,
    a value that is not finite, and a level outside ]0, 1[.
    """
    require_finite([*baseline, *other])
    if len(baseline) < 2 or len(other) < 2:
        raise ValueError("a comparison needs at least two values an arm")
    if not 0 < level < 1:
        raise ValueError(f"a level lies between 0 and 1, not at {level}")
    difference = np.subtract.outer(np.asarray(baseline, float), np.asarray(other, float))
    probability = float(((difference > 0) + (difference == 0) / 2).mean())
    first, second = len(baseline), len(other)
    reach = float(stdtrit(first + second - 2, (1 + level) / 2))
    return Superiority(
        probability,
        low=1 - _upper(1 - probability, first, second, reach),
        high=_upper(probability, first, second, reach),
    )


def _upper(probability: float, first: int, second: int, reach: float) -> float:
    """The largest probability from which the one that was seen is no farther than `reach` standard
    errors. Those take the distributions for exponential, and the arms for equally large."""
    if probability == 1:
        return 1.0
    more = (first + second) / 2 - 1

    def excess(true: float) -> float:
        shape = 1 + more * ((1 - true) / (2 - true) + true / (1 + true))
        error = math.sqrt(true * (1 - true) * shape / (first * second))
        return true - probability - reach * error

    from scipy import optimize  # loaded late: it takes a third of a second

    return float(optimize.brentq(excess, max(probability, _NEAR_0), 1.0))
