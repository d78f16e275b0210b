"""Drift: the straight line through values in the order in which they were taken.

Ordinary least squares; the slope over its standard error follows Student's t with two degrees of
freedom less than there are values. Draper & Smith, "Applied Regression Analysis", 3rd edition 1998,
chapter 1. Assumes that what is left beside the line is independent and about normal: values that share
a disturbance, such as the runs of a block, must be brought together first.
"""

import math
from collections.abc import Sequence

import numpy as np

from loadstone.stats.comparison.estimate import Estimate, require_finite

FEWEST = 3
"""Two values always lie on a line."""


def drift(places: Sequence[float], values: Sequence[float]) -> Estimate:
    """By how much the values change from place 0 to place 1.

    `ValueError` for fewer than three values, another number of places, places that are all the same,
    or one that is not finite.
    """
    require_finite([*places, *values])
    if len(places) != len(values):
        raise ValueError(f"{len(places)} places cannot have {len(values)} values")
    if len(values) < FEWEST:
        raise ValueError(f"a drift needs at least {FEWEST} values, not {len(values)}")
    if len(set(places)) == 1:
        raise ValueError(f"all values have the place {places[0]}")
    degrees = len(values) - 2
    if len(set(values)) == 1:  # their mean may be rounded
        return Estimate(mean=0.0, standard_error=0.0, degrees_of_freedom=degrees)
    at = np.asarray(places, dtype=float)
    at -= at.mean()
    seen = np.asarray(values, dtype=float)
    seen -= seen.mean()
    spread = float(at @ at)
    slope = float(at @ seen) / spread
    left = seen - slope * at
    error = math.sqrt(float(left @ left) / degrees / spread)
    return Estimate(mean=slope, standard_error=error, degrees_of_freedom=degrees)
