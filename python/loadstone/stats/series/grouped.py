"""Values by the group that each is of: how many, their mean, and their variance within.

What `intraclass.py` asks for. Requests are grouped by the second in which they ended.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Grouped:
    """Parallel arrays, a place for each group that has a value, in ascending order of the groups."""

    counts: NDArray[np.int64]
    means: NDArray[np.float64]
    """In the unit of the values."""
    variances: NDArray[np.float64]
    """With n - 1 in the denominator; 0 of a single value."""


def grouped(values: NDArray[np.float64], groups: NDArray[np.int64]) -> Grouped:
    """Reduce `values[i]`, which is of group `groups[i]`.

    In two passes, as `moments.py`. `ValueError` for arrays of different length.
    """
    if len(values) != len(groups):
        raise ValueError(f"{len(values)} values cannot be of {len(groups)} groups")
    _, place, counts = np.unique(groups, return_inverse=True, return_counts=True)
    means = np.bincount(place, weights=values, minlength=len(counts)) / counts
    squares = np.bincount(place, weights=(values - means[place]) ** 2, minlength=len(counts))
    return Grouped(counts.astype(np.int64), means, squares / np.maximum(counts - 1, 1))
