"""Mean and standard deviation of what is stored as counts in buckets.

Each bucket stands for one value. What its members differ by among themselves is lost: at three
significant digits at most 0.1 % of the value.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Moments:
    """In the unit of the values."""

    count: int
    mean: float
    deviation: float | None
    """Standard deviation with n - 1 in the denominator; None for one value."""


def moments(values: NDArray[np.int64], counts: NDArray[np.int64]) -> Moments | None:
    """Of `counts[i]` members at `values[i]`, in any order; None where all counts are 0.

    In two passes, since a sum of squares of nanoseconds has no digits left for their spread (Chan,
    Golub & LeVeque, "Algorithms for Computing the Sample Variance", The American Statistician 37(3),
    1983). `ValueError` for arrays of different length and for a negative count.
    """
    if len(values) != len(counts):
        raise ValueError(f"{len(values)} values cannot have {len(counts)} counts")
    if np.any(counts < 0):
        raise ValueError("a count is 0 or more")
    count = int(counts.sum())
    if not count:
        return None
    at, weights = values.astype(np.float64), counts.astype(np.float64)
    mean = float(at @ weights) / count
    if count == 1:
        return Moments(count, mean, None)
    squares = float((at - mean) ** 2 @ weights)
    return Moments(count, mean, math.sqrt(squares / (count - 1)))
