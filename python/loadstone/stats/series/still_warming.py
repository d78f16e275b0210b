"""Whether an arm was still warming up in its windows, judged over all of its runs, after they were
done.

One run rarely shows it: what is left of a slow approach hides in the noise of seconds. The runs of
an arm warm up alike, so they share one time constant, each with a level and a height of its own.
The part of the fit above the level, over the window, is by how much the window is off what the run
was heading for.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.special import stdtrit

from loadstone.stats.series.correlated_noise import Series, clipped, noise
from loadstone.stats.series.shape_fit import fitted

MOST_OFF = 0.03
"""Of a logarithm: the usual margin, below which a question takes arms for equal."""
ALPHA = 0.01
"""One-sided. An arm that is level is accused by each of two tests in one of a hundred."""
RUN_Z = 2.0
"""Of a single run's error, beyond which the run is marked by itself."""
TIME_CONSTANTS = (3.0, 5.0, 8.0, 12.0, 18.0, 27.0, 40.0, 60.0, 90.0, 135.0, 200.0)
"""Points: by halves, from what is over in seconds to what no window would see the end of."""
LEAST_TESTED_RUNS = 3
LEAST_POINTS = 8
"""Of one run, its window and what was seen before it together: a fit of fewer tells nothing."""

_LEAST_CORRELATION = 0.2
_LEAST_SIGMA = 1e-3
_CLIP_HALF_WIDTH = 2
_LONGEST_AGE = 30.0
"""In time constants: beyond it nothing is left, and exp would overflow."""


class WindowSeries(NamedTuple):
    """The logarithm of the cost of one run, from the first point that counts to the window's end."""

    values: Series
    window_points: int
    """The last so many are the window."""
    warm_up_points: int
    """From the begin of the load to that of the window, also those that do not count."""


class StillWarming(NamedTuple):
    """By how much the windows of an arm's runs are off what they were heading for, in logarithms."""

    off: tuple[float, ...]
    """Each run's window above its level."""
    fall: tuple[float, ...]
    """Each run's fall from the first to the last point of its window, along a straight line."""
    marked: tuple[bool, ...]
    """The runs that tell by themselves."""
    is_warming: bool

    @property
    def mean_off(self) -> float:
        """The larger of both means: what the arm is off by at least."""
        return max(float(np.mean(self.off)), float(np.mean(self.fall)) / 2)


def still_warming(runs: Sequence[WindowSeries]) -> StillWarming:
    """Judge an arm under one workload.

    It is warming where the mean of its runs says so by a t test, of the windows' height or of their
    fall, and by more than `MOST_OFF`; or where half of its runs are marked; of fewer than three
    runs, any of them. Raises ValueError for no run, or one of fewer than `LEAST_POINTS` points.
    """
    if not runs or any(len(run.values) < LEAST_POINTS for run in runs):
        raise ValueError(f"each run needs {LEAST_POINTS} points, and there must be one run")
    longest = float(np.median([run.warm_up_points + run.window_points for run in runs]))
    fits = [_fits(run) for run in runs]
    # A slower approach would have hardly begun.
    allowed = [i for i, tau in enumerate(TIME_CONSTANTS) if tau <= longest or i == 0]
    best = min(allowed, key=lambda i: sum(fit[i].misfit for fit in fits))
    off = tuple(fit[best].off for fit in fits)
    marked = tuple(
        fit[best].off > MOST_OFF and fit[best].off > RUN_Z * fit[best].error for fit in fits
    )
    fall = tuple(_fall(run) for run in runs)
    half = len(runs) / 2 if len(runs) >= LEAST_TESTED_RUNS else 1
    is_warming = sum(marked) >= half or _is_beyond(off) or _is_beyond(fall)
    return StillWarming(off, fall, marked, is_warming)


class _Fit(NamedTuple):
    misfit: float
    """Sum of squares of what the shape leaves, over the noise."""
    off: float
    error: float


def _before(run: WindowSeries) -> int:
    return len(run.values) - run.window_points


def _fits(run: WindowSeries) -> list[_Fit]:
    """A fit for each time constant: the age of a point counts from the window's begin."""
    found = noise(run.values, _LEAST_CORRELATION)
    seen = clipped(run.values, found.sigma, _CLIP_HALF_WIDTH)
    at = np.arange(len(seen)) + 0.5 - _before(run)
    fits = []
    for tau in TIME_CONSTANTS:
        fit = fitted(seen, np.exp(np.minimum(-at / tau, _LONGEST_AGE)), found)
        in_window = float(np.exp(-np.arange(run.window_points) / tau).mean())
        left = fit.rest_squares / max(found.sigma, _LEAST_SIGMA) ** 2
        fits.append(_Fit(left, fit.size * in_window, fit.error * in_window))
    return fits


def _fall(run: WindowSeries) -> float:
    found = noise(run.values, _LEAST_CORRELATION)
    seen = clipped(run.values, found.sigma, _CLIP_HALF_WIDTH)[-run.window_points :]
    return fitted(seen, -np.arange(len(seen)) / len(seen), found).size


def _is_beyond(values: Sequence[float]) -> bool:
    count = len(values)
    if count < LEAST_TESTED_RUNS:
        return False
    mean, spread = float(np.mean(values)), float(np.std(values, ddof=1))
    if mean <= MOST_OFF:
        return False
    return mean > float(stdtrit(count - 1, 1 - ALPHA)) * spread / math.sqrt(count)
