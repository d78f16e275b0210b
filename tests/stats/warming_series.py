"""Series of a cost that falls while a service warms up, with noise as seconds of a load have it."""

import numpy as np
from numpy.typing import NDArray

from loadstone.stats.series.steady_now import Watch, level_reason, watch_level

Series = NDArray[np.float64]

SECONDS = 240
CENTRES = np.arange(SECONDS) + 0.5
MOST_SECONDS = 180
WINDOW_SECONDS = 20


def approach(time_constant: float, height: float = 3.0) -> Series:
    """From `1 + height` times the level to the level, exponentially."""
    return np.log1p(height * np.exp(-CENTRES / time_constant))


def step(at: float, size: float) -> Series:
    """`size` times the level until a second, then the level."""
    return np.where(at > CENTRES, np.log(size), 0.0)


def slope(share_a_minute: float) -> Series:
    """Cheaper by a share of the level in each minute, for ever."""
    return -share_a_minute * CENTRES / 60


def noisy(truth: Series, seed: int, variation: float = 0.02, correlation: float = 0.3) -> Series:
    """The series with AR(1) noise."""
    random = np.random.default_rng(seed)
    shocks = random.normal(0, variation * np.sqrt(1 - correlation**2), len(truth))
    noise = np.empty_like(truth)
    noise[0] = random.normal(0, variation)
    for second in range(1, len(truth)):
        noise[second] = correlation * noise[second - 1] + shocks[second]
    return truth + noise


def begin_of(series: Series, at_most: int = MOST_SECONDS) -> tuple[int, str]:
    """When the window of a load begins that is looked at after every second, and why."""
    watch = Watch()
    for now in range(1, at_most):
        watch = watch_level(watch, series[:now])
        if (reason := level_reason(watch)) is not None:
            return now, reason
    return at_most, "cap"
