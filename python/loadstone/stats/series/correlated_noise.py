"""The noise of a series whose neighbouring points resemble each other, whatever its level does.

It is taken for AR(1). Differences over one and two points have the variances 2 s^2 (1 - r) and
2 s^2 (1 - r^2); a level that moves slowly hardly shows in either.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Series = NDArray[np.float64]

MOST_CORRELATION = 0.6
"""Of neighbouring points, that is taken for noise: more of it looks like a level that moves."""
CLIP_SIGMAS = 4.0
"""How far a point may lie from its neighbours: a pause is no new level."""

_MAD_TO_SIGMA = 1.4826
"""Of a normal distribution."""


class Noise(NamedTuple):
    """Standard deviation and lag-1 correlation."""

    sigma: float
    correlation: float

    @property
    def inflation(self) -> float:
        """By how much the variance of a mean over many points exceeds that of independent ones."""
        return (1 + self.correlation) / (1 - self.correlation)


def noise(values: Series, least_correlation: float = 0.0) -> Noise:
    """Return the noise of a series; `least_correlation` is assumed where less is seen.

    Robust: by the median absolute deviation of the differences. Needs four points or more.
    """
    one, two = _spread(values[1:] - values[:-1]), _spread(values[2:] - values[:-2])
    if one == 0:
        return Noise(0.0, least_correlation)
    ratio = min(two / one, 2.0)  # beyond it the square, which could overflow, is too much anyway
    correlation = min(max(ratio**2 - 1, least_correlation), MOST_CORRELATION)
    return Noise(one / float(np.sqrt(2 * (1 - correlation))), correlation)


def clipped(values: Series, sigma: float, half_width: int) -> Series:
    """Bring points that lie far from the running median nearer to it.

    The median is of `half_width` points on each side and the point itself; beyond its ends the series
    is taken to go on as it ends.
    """
    padded = np.pad(values, half_width, mode="edge")
    around = np.median(np.lib.stride_tricks.sliding_window_view(padded, 2 * half_width + 1), axis=1)
    return np.clip(values, around - CLIP_SIGMAS * sigma, around + CLIP_SIGMAS * sigma)


def _spread(differences: Series) -> float:
    return _MAD_TO_SIGMA * float(np.median(np.abs(differences - np.median(differences))))
