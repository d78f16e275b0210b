"""How lopsided values are: the moment coefficient of skewness, g1.

The third central moment over the second to the power 3/2, both with n in the denominator (Joanes &
Gill, "Comparing measures of sample skewness and kurtosis", The Statistician 47(1), 1998: their g1), as
`skewness` of R's package `moments` gives it. 0 for values that lie alike on both sides of their mean,
above 0 for a tail to the right, as times of answers have.
"""

import numpy as np
from numpy.typing import NDArray


def skewness(values: NDArray[np.float64]) -> float | None:
    """Without a unit; none where nothing varies. `ValueError` for no values."""
    if not len(values):
        raise ValueError("no values, no skewness")
    if np.ptp(values) == 0:
        return None
    # In units of the spread: the cube of nanoseconds would have no digits left.
    scaled = (values - values.mean()) / values.std()
    return float((scaled**3).mean())
