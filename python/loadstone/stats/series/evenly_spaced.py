"""Whether events come more evenly than by chance: what has a period.

Where events are rare, by the spaces between them. Greenwood's statistic is the sum of their squared
shares of the whole (Greenwood, "The statistical study of infectious diseases", JRSS 109, 1946): least,
1 / n, where all n are alike. Of events at random the shares are uniform on a simplex (Moran 1947), and
the statistic is at most 1 / n + r^2 on a ball of radius r around its middle: the p value is the ball's
volume over the simplex's, which is exact while the ball lies inside and too large beyond. Events are
known to the interval only, which adds to each squared space what rounding adds.

Where nearly each interval has one, by their counts. Fisher's index of dispersion, the sum of squared
deviations over the mean, is chi-squared of n - 1 for events at random (Cochran, "Some methods for
strengthening the common chi-squared tests", Biometrics 10, 1954), and small for events with a period.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.special import chdtr

LEAST_EVENTS = 4
"""Three spaces: of two, one in ten pairs at random is as even as a period seen to the interval."""
LEAST_INTERVALS = 10
"""Of counts."""


def spaces_p_value(at: Sequence[int]) -> float:
    """How often as many events at random are as evenly spaced, from the intervals of the events.

    Rounding to intervals adds a variance of 1/6 to each space, as the difference of two uniform parts.
    1 where there are fewer than `LEAST_EVENTS`.
    """
    if len(at) < LEAST_EVENTS:
        return 1.0
    spaces = np.diff(np.asarray(at, dtype=float))
    count, whole = len(spaces), float(spaces.sum())
    square = float(np.sum((spaces - spaces.mean()) ** 2)) + count / 6
    radius = math.sqrt(square) / whole
    dimensions = count - 1
    log_ball = (
        dimensions / 2 * math.log(math.pi)
        - math.lgamma(dimensions / 2 + 1)
        + dimensions * math.log(radius)
    )
    log_simplex = math.log(count) / 2 - math.lgamma(count)
    return min(1.0, math.exp(min(0.0, log_ball - log_simplex)))


def spaces_variation(at: Sequence[int]) -> float:
    """The standard deviation of the spaces over their mean, less what rounding adds."""
    spaces = np.diff(np.asarray(at, dtype=float))
    variance = float(np.var(spaces)) - 1 / 6
    return math.sqrt(max(variance, 0.0)) / float(spaces.mean())


class Dispersion(NamedTuple):
    """How much counts vary."""

    ratio: float
    """Their variance over their mean: 1 of events at random."""
    p_value: float
    """How often events at random vary as little."""


def dispersion(counts: Sequence[float]) -> Dispersion:
    """Fisher's index of some counts. Of fewer than two, or of none but zeros, it tells nothing."""
    values = np.asarray(counts, dtype=float)
    if len(values) < 2 or not values.sum():
        return Dispersion(1.0, 1.0)
    square = float(np.sum((values - values.mean()) ** 2) / values.mean())
    freedom = len(values) - 1
    return Dispersion(square / freedom, float(chdtr(freedom, square)))
