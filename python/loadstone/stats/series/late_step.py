"""Whether the cost of an answer made a step behind a window whose service was taken for warm.

The last minute of what came behind a window is held against the window: a step that lasts is in all
of that minute, and in none of the window. When it came is where one step fits best.
"""

from typing import NamedTuple

import numpy as np

from loadstone.stats.series.correlated_noise import Noise, Series, clipped, noise

LAST_SECONDS = 60
"""Of what came behind: three windows of 20 s, so that the error of the difference is mostly the
window's own, and of a look of 180 s a third, so that a step of its first two thirds is seen in full."""
LEAST_STEP = 0.05
"""Of a logarithm, either way. What a warm-up may still bring where the rule for it takes it for ended,
and more than the 4 % by which the relative cost of a warm service was recorded to move."""
STEP_Z = 2.58
"""Standard errors: one level of a hundred lies beyond it by chance, to either side. Where seconds vary
by 2 % (correlation 0.3, a window of 20 s, a look of 180 s) the other bound is the higher one: of 300
simulated levels none is accused, and of steps of 20 % that come 30, 60 or 110 s behind the window all
are found; where they vary by 10 % it is 0.3 % and 98 %."""

_LEAST_CORRELATION = 0.2
"""A short series shows less correlation than it has."""
_CLIP_HALF_WIDTH = 2
_LEAST_POINTS_OF_A_STEP = 3


class LateStep(NamedTuple):
    """What came behind a window against it, in logarithms."""

    change: float
    """The last minute less the window."""
    error: float
    """Its standard error."""
    at: int
    """After how many points behind the window one step fits best."""

    @property
    def is_fall(self) -> bool:
        """Whether an answer became cheaper, as it does while a service warms up."""
        return -self.change > max(LEAST_STEP, STEP_Z * self.error)

    @property
    def is_rise(self) -> bool:
        """Whether it became dearer, which no warm-up makes it."""
        return self.change > max(LEAST_STEP, STEP_Z * self.error)


def late_step(before: Series, window: Series, behind: Series, last: int) -> LateStep:
    """Compare the logarithms of a cost, of which `last` points behind the window are its last minute.

    Where the points before the window are cheaper than it, something else made the window dear, and
    they stand for it, unless the cost has risen: no warm-up becomes dearer. Raises ValueError where
    window or last minute have fewer than three points.
    """
    if min(len(window), len(behind), last) < _LEAST_POINTS_OF_A_STEP:
        raise ValueError(f"window and last minute need {_LEAST_POINTS_OF_A_STEP} points each")
    series = np.concatenate([window, behind])
    found = noise(series, _LEAST_CORRELATION)
    seen = clipped(series, found.sigma, _CLIP_HALF_WIDTH)
    level, end = float(seen[: len(window)].mean()), float(seen[-last:].mean())
    if len(before) >= _LEAST_POINTS_OF_A_STEP:
        earlier = float(clipped(before, found.sigma, _CLIP_HALF_WIDTH).mean())
        level = max(min(level, earlier), min(level, end))
    error = _error(found, len(window), last)
    return LateStep(end - level, error, _best_split(seen, len(window)) - len(window))


def _error(found: Noise, first: int, second: int) -> float:
    return found.sigma * float(np.sqrt(found.inflation * (1 / first + 1 / second)))


def _best_split(series: Series, earliest: int) -> int:
    """Where two levels leave the least sum of squares; not before `earliest`."""
    count = len(series)
    splits = np.arange(earliest, count - _LEAST_POINTS_OF_A_STEP + 1)
    sums = np.cumsum(series)
    left, right = sums[splits - 1], sums[-1] - sums[splits - 1]
    explained = left**2 / splits + right**2 / (count - splits)
    return int(splits[np.argmax(explained)])
