"""Student's t of two samples that are taken to vary alike: with the variance of both together.

Student, "The Probable Error of a Mean", Biometrika 6(1), 1908; NIST/SEMATECH e-Handbook of Statistical
Methods, section 7.3.1. Arms are compared by Welch's, which does not take that for granted: this one is
here for a published procedure.
"""

import math

import numpy as np
from numpy.typing import NDArray

from loadstone.stats.comparison.estimate import Estimate


def student(first: NDArray[np.float64], second: NDArray[np.float64]) -> Estimate:
    """Mean of `first` minus mean of `second`, in their unit.

    `ValueError` for no value of a sample, fewer than three in all, or one that is not finite.
    """
    if not len(first) or not len(second) or len(first) + len(second) < 3:
        raise ValueError("a comparison needs a value of each sample, and three in all")
    if not (np.isfinite(first).all() and np.isfinite(second).all()):
        raise ValueError("a comparison needs finite values")
    degrees = len(first) + len(second) - 2
    variance = (_squares(first) + _squares(second)) / degrees
    return Estimate(
        mean=float(first.mean() - second.mean()),
        standard_error=math.sqrt(variance * (1 / len(first) + 1 / len(second))),
        degrees_of_freedom=degrees,
    )


def _squares(values: NDArray[np.float64]) -> float:
    """Of the deviations; exactly 0 for equal values, whose mean may be rounded."""
    return 0.0 if np.ptp(values) == 0 else float(((values - values.mean()) ** 2).sum())
