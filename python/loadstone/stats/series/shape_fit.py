"""How much of a known shape is in a series, by least squares, with an error for correlated noise."""

from typing import NamedTuple

import numpy as np

from loadstone.stats.series.correlated_noise import Noise, Series


class Fitted(NamedTuple):
    """The coefficient of a shape in a series, its standard error, and the rest's sum of squares."""

    size: float
    error: float
    rest_squares: float


def fitted(values: Series, shape: Series, noise: Noise) -> Fitted:
    """Fit `level + size * shape`. The rest varies as the noise does, or more where the shape does
    not fit.

    The error of a least-squares slope is that of independent points, inflated by the correlation of
    neighbours: (1 + r) / (1 - r), which holds where the shape changes slowly against it. Needs three
    points or more, and a shape that is not constant.
    """
    centred = shape - shape.mean()
    squares = float(centred @ centred)
    size = float(values @ centred) / squares
    rest = values - values.mean() - size * centred
    rest_squares = float(rest @ rest)
    spread = max(noise.sigma, float(np.sqrt(rest_squares / (len(values) - 2))))
    return Fitted(size, spread * float(np.sqrt(noise.inflation / squares)), rest_squares)
