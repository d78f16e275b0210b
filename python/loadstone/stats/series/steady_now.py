"""Whether a load that goes on has come to its level, asked again after every point.

A series is the logarithm of what one answer costs, a point a second: of the service's CPU time over
the engine's where both are known, else of a response time. It falls while a service warms up. No
test for a change is made, since the absence of one must be shown: what may still come is estimated,
and has to lie inside a tolerance together with its error.

Two ways to see a level, either of them for `HELD_POINTS` points in a row: what an approach as slow
as the load is old would still bring (exponential, with a time constant of the load's age), or how
much the last third fell along a straight line. A service that shows no sign of a warm-up for long
is taken to be as steady as it gets. Where a runtime's compile threads are known they are asked
instead: they mark the end of a warm-up far more sharply than any series.

Error rates by simulation are in `tests/stats/test_simulated_warm_up.py`. What none of this can
foresee is a step after a long silence.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from loadstone.stats.series.correlated_noise import Noise, Series, clipped, noise
from loadstone.stats.series.shape_fit import Fitted, fitted

Reason = Literal["idle", "level", "no-sign"]
"""Why a load is steady: nothing compiles any more, its level holds, or nothing tells of a warm-up."""

MOST_FALL = 0.05
"""Of a logarithm: what may still come. The tolerance within which levels are the same."""
MOST_RISE = 0.10
"""In the direction that no warm-up has: a neighbour, not the service."""
HELD_POINTS = 5
LEAST_LEVEL_POINTS = 21
"""Before a level is first looked for: fewer cannot tell an approach from noise."""
PATIENCE_POINTS = 45
PATIENCE_SHARE = 0.45
"""Of the points so far, without a sign of a warm-up."""
APPROACH_Z = 1.64
PLATEAU_Z = 2.0
_SIGN_Z = 2.0
_PLATEAU_LEAST_POINTS = 20

IDLE_POINTS = 10
"""For so long compilers must have had nothing to do."""
LEAST_IDLE_POINTS = 12
"""Before idle compilers count: at first they wait for methods that are called often enough."""
MOST_COMPILE_DEMAND = 0.10
"""Of one CPU, that compile threads ran or waited for: above it they compile."""
MOST_COMPILE_SHARE = 0.20
"""Of the service's CPU time, likewise: of a load that needs little CPU, little compiling is much."""

_LEAST_CORRELATION = 0.2
"""A short series shows less correlation than it has."""
_CLIP_HALF_WIDTH = 2


@dataclass(frozen=True)
class Watch:
    """What the points so far have shown. A load begins with an empty one."""

    points: int = 0
    approach_held: int = 0
    plateau_held: int = 0
    sign_at: int = 0
    """The last point that told of a warm-up that goes on; 0: none did."""


def watch_level(before: Watch, series: Series) -> Watch:
    """Look at a series that is one point longer than before. Raises ValueError for any other."""
    now = len(series)
    if now != before.points + 1:
        raise ValueError(f"{now} points do not follow {before.points}")
    if now < LEAST_LEVEL_POINTS:
        return Watch(now)
    seen = series[min(now // 3, now - 12) :]
    found = noise(seen, _LEAST_CORRELATION)
    approach = fitted(_without_pauses(seen, found), np.exp(_ages(len(seen)) / now), found)
    shows_warm_up = approach.size > MOST_FALL / 2 and approach.size > _SIGN_Z * approach.error
    length = max(_PLATEAU_LEAST_POINTS, round(now / 3))
    return Watch(
        points=now,
        approach_held=before.approach_held + 1 if _within(approach, APPROACH_Z) else 0,
        plateau_held=before.plateau_held + 1
        if _within(_fall(series, length, found), PLATEAU_Z)
        else 0,
        sign_at=now if shows_warm_up else before.sign_at,
    )


def level_reason(watch: Watch, patience_points: int = PATIENCE_POINTS) -> Reason | None:
    """Why the window may begin now; none: wait.

    `patience_points` is less where a point is more than a second.
    """
    if max(watch.approach_held, watch.plateau_held) >= HELD_POINTS:
        return "level"
    patience = max(patience_points, PATIENCE_SHARE * watch.points)
    if watch.points >= LEAST_LEVEL_POINTS and watch.points - watch.sign_at >= patience:
        return "no-sign"
    return None


def idle_reason(
    series: Series | None, compile_demand: Series | None, compile_share: Series | None
) -> Reason | None:
    """Why the window may begin now where the runtime says what compiles; none: wait.

    `compile_demand` has, for each second, the CPU time that compile threads ran or waited for, in CPUs;
    `compile_share` what they ran, of the service's CPU time. None: this runtime compiles nothing while
    it runs. `series` is as for `watch_level`; without one the compilers decide alone.
    """
    for values, most in (
        (compile_demand, MOST_COMPILE_DEMAND),
        (compile_share, MOST_COMPILE_SHARE),
    ):
        if values is not None and (
            len(values) < LEAST_IDLE_POINTS or values[-IDLE_POINTS:].mean() > most
        ):
            return None
    if series is None:
        return "idle"
    if len(series) < LEAST_IDLE_POINTS:
        return None
    fall = _fall(series, IDLE_POINTS, noise(series[-2 * IDLE_POINTS :], _LEAST_CORRELATION))
    return None if fall.size > MOST_FALL and fall.size > _SIGN_Z * fall.error else "idle"


def _fall(series: Series, length: int, found: Noise) -> Fitted:
    """By how much the last points fell, along a straight line over all of them."""
    last = _without_pauses(series[-length:], found)
    return fitted(last, _ages(length) / length, found)


def _ages(length: int) -> Series:
    """How many points ago each point was, the last of them one."""
    return np.arange(length, 0, -1, dtype=float)


def _within(found: Fitted, z: float) -> bool:
    return found.size + z * found.error <= MOST_FALL and z * found.error - found.size <= MOST_RISE


def _without_pauses(values: Series, found: Noise) -> Series:
    return clipped(values, found.sigma, _CLIP_HALF_WIDTH)
