"""The smallest difference that a t comparison will probably find.

Cohen, "Statistical Power Analysis for the Behavioral Sciences", 2nd edition 1988, chapter 2: where
the true difference is `delta`, and its estimate has the standard error s with f degrees of freedom,
Student's t follows a non-central t distribution with f degrees and non-centrality delta / s. The test
finds the difference where t exceeds the two-sided critical value; only the right direction counts as
found. Of n pairs f is n - 1 and s the deviation of the differences over sqrt(n). Of Welch's test f is
about Satterthwaite's, while the critical value is by the fewer degrees of the smaller arm.

Assumes normal differences with a known standard deviation. One that was itself seen in n blocks makes
the result as uncertain: a second study finds a difference of the size that a first one printed for a
power of 90 % with one of 71 % at three blocks, 79 % at six and 83 % at ten, the mean over the spreads
that may be seen (chi distributed). One seen too small loses more than one seen too large gains.
"""

import math
from functools import lru_cache

from scipy.special import nctdtr, stdtrit

from loadstone.stats.comparison.estimate import Estimate

POWER = 0.9
"""At which a study says what it would have found: nine studies of ten."""
BISECTIONS = 60
"""Halvings of the bracket: beyond the precision of a double."""


def smallest_effect(pairs: int, level: float, power: float) -> float:
    """The mean difference, in standard deviations of the differences, that is found with `power`.

    `level` is the test's two-sided error, for example 0.05. `ValueError` for fewer than two pairs, a
    level outside ]0, 0.5], or a power outside [0.5, 0.99].
    """
    if pairs < 2:
        raise ValueError("a paired comparison needs at least two pairs")
    return _non_centrality(pairs - 1, pairs - 1, level, power) / math.sqrt(pairs)


def smallest_ratio(run_deviation: float, blocks: int, level: float, power: float) -> float:
    """The ratio above 1 of two arms that is found with `power` in so many complete blocks.

    `run_deviation` is the standard deviation of the logarithm of one arm's figure between runs. The
    log ratio of two independent runs of a block has sqrt(2) times that; whatever a block's runs have
    in common makes it less, so this errs on the careful side. `ValueError` as above.
    """
    if not (math.isfinite(run_deviation) and run_deviation >= 0):
        raise ValueError(f"{run_deviation} is no standard deviation")
    return math.exp(smallest_effect(blocks, level, power) * math.sqrt(2) * run_deviation)


def smallest_difference(estimate: Estimate, level: float, power: float = POWER) -> float:
    """What a comparison with the spread of this one, paired or Welch's, finds with `power`.

    In the unit of the estimate, 0 or more; of a ratio that is its logarithm. `ValueError` as above.
    """
    degrees = estimate.degrees_of_freedom
    spread = degrees if estimate.spread_degrees is None else estimate.spread_degrees
    return estimate.standard_error * _non_centrality(spread, degrees, level, power)


@lru_cache(maxsize=4096)
def _non_centrality(spread: float, degrees: float, level: float, power: float) -> float:
    """At which t, whose spread has so many degrees of freedom, exceeds its critical value."""
    if not (0 < level <= 0.5 and 0.5 <= power <= 0.99):
        raise ValueError(f"no level and power: {level}, {power}")
    critical = stdtrit(degrees, 1 - level / 2)

    def found(non_centrality: float) -> float:
        return float(1 - nctdtr(spread, non_centrality, critical))

    low, high = 0.0, 1.0
    while found(high) < power:
        low, high = high, 2 * high
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        if found(middle) < power:
            low = middle
        else:
            high = middle
    return high
