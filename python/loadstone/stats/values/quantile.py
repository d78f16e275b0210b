"""Quantiles over all offered requests, from counts, and how many samples a quantile needs.

The definition is HdrHistogram's (of its Java original and the Rust port; the Python port rounds the
rank to the nearest where they round it up), which is the inverse of the empirical distribution function
(Hyndman & Fan, "Sample Quantiles in Statistical Packages", The American Statistician 50(4),
1996, definition 1): the smallest value with at least `quantile * n` of the n values at or below it.
"""

import math

import numpy as np
from numpy.typing import NDArray

MISS_PROBABILITY = 0.05
"""A sample reaches past a quantile with 95 % probability, or the quantile is not printed."""


def rank(quantile: float, count: int) -> int:
    """Which of `count` ordered values is the quantile, from 1.

    One unit in the last place is taken off the quantile first, as HdrHistogram does, so that
    0.07 of 100 is the 7th and not, by rounding of the product, the 8th.
    """
    if not 0 <= quantile <= 1:
        raise ValueError(f"a quantile lies between 0 and 1, not at {quantile}")
    if count < 1:
        raise ValueError("no values, no quantile")
    return max(1, math.ceil(math.nextafter(quantile, 0) * count))


def samples_needed(quantile: float) -> int:
    """Independent samples of which at least one lies past the quantile with 95 % probability.

    All n lie at or below it with probability quantile^n <= 0.05, so n >= ln 0.05 / ln quantile:
    299 for p99, 2995 for p99.9. The largest value needs one sample only.
    """
    if not 0 <= quantile <= 1:
        raise ValueError(f"a quantile lies between 0 and 1, not at {quantile}")
    if quantile in (0, 1):
        return 1
    return math.ceil(math.log(MISS_PROBABILITY) / math.log(quantile))


def reached(quantile: float, count: int) -> bool:
    """Whether `count` samples are enough to print the quantile."""
    return count >= samples_needed(quantile)


def quantile_over_offered(
    values: NDArray[np.int64], counts: NDArray[np.int64], failed: int, quantile: float
) -> int | None:
    """The quantile of `counts[i]` ok requests at each ascending `values[i]`, and `failed` others.

    Every failed request ranks above every ok one: it never ended well, whatever its time. None
    where the rank lies among the failed.
    """
    cumulative = np.cumsum(counts)
    succeeded = int(cumulative[-1]) if cumulative.size else 0
    position = rank(quantile, succeeded + failed)
    if position > succeeded:
        return None
    return int(values[np.searchsorted(cumulative, position)])
