"""Says, while a load goes on, when its window may begin.

The rule is `stats/series/steady_now.py`; what it is asked about is `watched_seconds.py`. Where the
compile threads of every service are known they decide, else the course of the cost.
"""

from collections.abc import Mapping
from typing import Any, TypedDict

import numpy as np

from loadstone.measure.loading.watched_seconds import ReadCounters, WatchedSeconds
from loadstone.stats.series.correlated_noise import Series
from loadstone.stats.series.steady_now import (
    LEAST_IDLE_POINTS,
    MOST_COMPILE_DEMAND,
    PATIENCE_POINTS,
    Reason,
    Watch,
    idle_reason,
    level_reason,
    watch_level,
)

RECENT_SECONDS = 10
MOST_GAIN = float(np.log(1.25))
"""Users who are served a quarter better than ten seconds before wait for less than they did: a
service, or the backlog of its first seconds, is on its way, whatever an answer costs.
"""
POINT_SECONDS = ((200.0, 1), (100.0, 2), (40.0, 5))
"""From so many ok answers a second on a point is so many seconds: fewer answers make more noise. Of
fewer still no series is made.
"""
HYSTERESIS = 1.2
"""By which a rate must be above its limit for points to become shorter again."""
CHANGE_SECONDS = 8
"""People are told how the last so many seconds differ from as many before them."""


class WarmingUp(TypedDict):
    """What people are told of a load that warms up; it goes from machine to machine as JSON."""

    cost_change: float | None
    """A fraction: what an answer costs now over what it did `CHANGE_SECONDS` before, less one."""
    is_compiling: bool | None
    """None where nothing tells, or nothing ever compiles."""


class SteadyWatch:
    """Follows one load, from when its users or rate do not change any more."""

    def __init__(
        self,
        compile_threads: Mapping[str, tuple[str, ...] | None],
        *,
        changes_ns: int,
        is_closed: bool,
    ) -> None:
        """Watch processes: of each the names of its compile threads, none if nothing is known.

        Until `changes_ns` users or rate change, and no second tells of a level. Of closed users the
        throughput tells how they are served, of a rate the response time.
        """
        self._seen = WatchedSeconds(compile_threads)
        self._changes_ns, self._is_closed = changes_ns, is_closed
        self._point_seconds: int | None = POINT_SECONDS[0][1]
        self._level = Watch()
        self._level_of: int | None = None

    def take(self, progress: Mapping[str, Any]) -> None:
        """Take the engine's line on the interval that has just ended."""
        if progress["elapsed_ns"] > self._changes_ns:
            self._seen.take(progress)

    def reason(self, read: ReadCounters) -> Reason | None:
        """Look at each second that engine and probe told of since; say why the window may begin."""
        found = None
        while found is None and self._seen.advance(read):
            found = self._look()
        return found

    @property
    def warming_up(self) -> WarmingUp:
        """What the seconds so far tell people."""
        compiling = None
        if self._seen.tells_compiling and self._seen.has_compile_threads and len(self._seen):
            last = self._seen.compile_demand(max(0, len(self._seen) - RECENT_SECONDS))
            compiling = float(last.mean()) > MOST_COMPILE_DEMAND
        change = None
        costs = self._seen.cost(max(0, len(self._seen) - 2 * CHANGE_SECONDS), 1)
        if costs is not None and len(costs) == 2 * CHANGE_SECONDS:
            before, after = costs[:CHANGE_SECONDS].mean(), costs[CHANGE_SECONDS:].mean()
            change = float(np.expm1(after - before))
        return WarmingUp(cost_change=change, is_compiling=compiling)

    def _look(self) -> Reason | None:
        series = self._series()
        if self._seen.tells_compiling:
            has_threads = self._seen.has_compile_threads
            found = (
                None
                if len(self._seen) < LEAST_IDLE_POINTS
                else idle_reason(
                    series,
                    self._seen.compile_demand() if has_threads else None,
                    self._seen.compile_share() if has_threads else None,
                )
            )
        else:
            found = self._level_reason(series)
        return found if self._is_served_alike() else None

    def _level_reason(self, series: Series | None) -> Reason | None:
        if series is None or self._point_seconds is None:
            return None
        if self._level_of != self._point_seconds or self._level.points > len(series):
            self._level, self._level_of = Watch(), self._point_seconds
        while self._level.points < len(series):
            self._level = watch_level(self._level, series[: self._level.points + 1])
        return level_reason(self._level, PATIENCE_POINTS // self._point_seconds)

    def _series(self) -> Series | None:
        """The cost so far, in points of as many seconds as its answers need; none: too few."""
        recent = self._seen.seconds[-RECENT_SECONDS:]
        rate = sum(each.ok for each in recent) / len(recent)
        wanted = _point_seconds(rate)
        is_finer = wanted is not None and wanted < (self._point_seconds or 0)
        if not is_finer or _point_seconds(rate / HYSTERESIS) == wanted:
            self._point_seconds = wanted
        return None if self._point_seconds is None else self._seen.cost(0, self._point_seconds)

    def _is_served_alike(self) -> bool:
        """Whether users are not served a quarter better than in the ten seconds before these ten."""
        seconds = self._seen.seconds
        last, before = (
            [each.ok if self._is_closed else each.median_ns for each in part]
            for part in (
                seconds[-RECENT_SECONDS:],
                seconds[max(0, len(seconds) - 2 * RECENT_SECONDS) : -RECENT_SECONDS],
            )
        )
        if not before:
            return True
        if not all(last) or not all(before):
            return False
        gain = np.log(np.asarray(last, float)).mean() - np.log(np.asarray(before, float)).mean()
        return float(gain if self._is_closed else -gain) < MOST_GAIN


def _point_seconds(rate: float) -> int | None:
    return next((seconds for least, seconds in POINT_SECONDS if rate >= least), None)
