"""Whether a short series holds one level and then another, with nothing between them.

For series that are too short for change points (`steady_state.py`). It asks for so much that noise and
a steady climb come to nothing: no point of the one part lies near the other.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

LEAST_POINTS = 4
"""Of each part."""
LEAST_RATIO = 2.0
"""Of the two levels, whichever is higher."""
LEAST_GAP = 0.5
"""Between the nearest points of the two parts, as a share of the levels' distance: a climb has none."""


class TwoLevels(NamedTuple):
    """The medians of the two parts, and the first point of the second."""

    at: int
    before: float
    after: float


def two_levels(series: Sequence[float]) -> TwoLevels | None:
    """The place that parts the series widest; none where its parts are no levels of their own.

    Raises ValueError for numbers that are not finite or below 0.
    """
    values = np.asarray(series, dtype=float)
    if not np.isfinite(values).all() or (values < 0).any():
        raise ValueError("the series has a number that is not finite or below 0")
    best, widest = None, 0.0
    for at in range(LEAST_POINTS, len(values) - LEAST_POINTS + 1):
        first, second = values[:at], values[at:]
        gap = max(second.min() - first.max(), first.min() - second.max())
        found = TwoLevels(at, float(np.median(first)), float(np.median(second)))
        if gap > widest and _are_apart(found, float(gap)):
            best, widest = found, gap
    return best


def _are_apart(found: TwoLevels, gap: float) -> bool:
    low, high = sorted((found.before, found.after))
    return high >= LEAST_RATIO * low and gap >= LEAST_GAP * (high - low)
