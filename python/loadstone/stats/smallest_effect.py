"""The smallest difference that a paired comparison of n blocks will probably find.

Cohen, "Statistical Power Analysis for the Behavioral Sciences", 2nd edition 1988, chapter 2: where
the differences of n pairs have mean d and standard deviation 1, Student's t follows a non-central t
distribution with n - 1 degrees of freedom and non-centrality d * sqrt(n). The test finds them where
t exceeds the two-sided critical value; only the right direction counts as found.

Assumes normal differences with a known standard deviation. One that was itself estimated, from few
observations, makes the result as uncertain as that estimate.
"""

import math

from scipy.special import nctdtr, stdtrit

from loadstone.stats.estimate import Estimate

BISECTIONS = 60
"""Halvings of the bracket: beyond the precision of a double."""


def smallest_effect(pairs: int, level: float, power: float) -> float:
    """The mean difference, in standard deviations of the differences, that is found with `power`.

    `level` is the test's two-sided error, for example 0.05. `ValueError` for fewer than two pairs, a
    level outside ]0, 0.5], or a power outside [0.5, 0.99].
    """
    if pairs < 2:
        raise ValueError("a paired comparison needs at least two pairs")
    return _standard_errors(pairs - 1, level, power) / math.sqrt(pairs)


def smallest_difference(estimate: Estimate, level: float, power: float) -> float:
    """The difference of means that a comparison with this standard error finds with `power`.

    Of paired runs it is `smallest_effect` times the standard deviation that was seen; of others it
    takes Welch's degrees of freedom. `ValueError` for a level and power as above.
    """
    return _standard_errors(estimate.degrees_of_freedom, level, power) * estimate.standard_error


def smallest_ratio(run_deviation: float, blocks: int, level: float, power: float) -> float:
    """The ratio above 1 of two arms that is found with `power` in so many complete blocks.

    `run_deviation` is the standard deviation of the logarithm of one arm's figure between runs. The
    log ratio of two independent runs of a block has sqrt(2) times that; whatever a block's runs have
    in common makes it less, so this errs on the careful side. `ValueError` as above.
    """
    if not (math.isfinite(run_deviation) and run_deviation >= 0):
        raise ValueError(f"{run_deviation} is no standard deviation")
    return math.exp(smallest_effect(blocks, level, power) * math.sqrt(2) * run_deviation)


def _standard_errors(degrees: float, level: float, power: float) -> float:
    """How many of them the true difference must be from 0."""
    if not (0 < level <= 0.5 and 0.5 <= power <= 0.99):
        raise ValueError(f"no level and power: {level}, {power}")
    low, high = 0.0, 1.0
    while _power(high, degrees, level) < power:
        low, high = high, 2 * high
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        if _power(middle, degrees, level) < power:
            low = middle
        else:
            high = middle
    return high


def _power(standard_errors: float, degrees: float, level: float) -> float:
    critical = stdtrit(degrees, 1 - level / 2)
    return float(1 - nctdtr(degrees, standard_errors, critical))
