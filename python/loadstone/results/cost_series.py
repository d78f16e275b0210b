"""What an answer cost, point by point, in the seconds that tell whether a window was warm.

The service's CPU time for each ok answer, over the engine's for the same: a host whose CPU becomes
slower slows both. Where the engine tells no CPU time the service's alone, and where neither is told the
median response time.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from loadstone.results.seconds import Series
from loadstone.results.timeline import TimelineInterval
from loadstone.results.window import WindowedRun
from loadstone.stats.series.still_warming import LEAST_POINTS, WindowSeries

CostKind = Literal["relative", "cpu_per_ok", "response_time.median"]

POINT_SECONDS = ((200.0, 1), (100.0, 2), (40.0, 5))
"""From so many ok answers a second on a point is of so many seconds: fewer answers vary too much by
themselves. Below the last there are no points."""
IDLE_NS = 10 * 10**9
"""Before a window that began since nothing compiled: the time in which it did not."""
LEVEL_NS = 20 * 10**9
"""Before one that began since the cost was level, at least; else a third of the warm-up."""
_LEAST_WINDOW_POINTS = 3
_MOST_UNKNOWN_SHARE = 0.1
"""Of the points, that may lack an ok answer."""


@dataclass(frozen=True)
class CellCost:
    """The series of the runs of one arm under one workload that have one, all of one kind."""

    kind: CostKind
    runs: tuple[WindowSeries, ...]


def cell_cost(runs: Sequence[WindowedRun]) -> CellCost | str:
    """The series of an arm's runs; or why there are none, in a few words."""
    windows = [_counted(run) for run in runs]
    told = [each for each in windows if not isinstance(each, str)]
    if not told:
        return next((each for each in windows if isinstance(each, str)), "no run was completed")
    seconds = _point_seconds(min(each.rate for each in told))
    if not seconds:
        return _TOO_FEW_ANSWERS
    for kind in _KINDS:
        series = [each.series(kind, seconds) for each in told]
        known = tuple(each for each in series if each is not None)
        if known:
            enough = tuple(each for each in known if _is_enough(each))
            return CellCost(kind, enough) if enough else _too_short(known, seconds)
    return _NOTHING_TOLD


def _point_seconds(rate: float) -> int:
    """How long a point is; 0 where the answers are too few for any."""
    return next((seconds for least, seconds in POINT_SECONDS if rate >= least), 0)


_TOO_FEW_ANSWERS = f"fewer than {POINT_SECONDS[-1][0]:g} ok answers a second"
_NOTHING_TOLD = "neither CPU time nor response times are told"
_KINDS: tuple[CostKind, ...] = ("relative", "cpu_per_ok", "response_time.median")


def _is_enough(series: WindowSeries) -> bool:
    return _is_long(series) and series.window_points >= _LEAST_WINDOW_POINTS


def _is_long(series: WindowSeries) -> bool:
    return len(series.values) >= LEAST_POINTS


def _too_short(series: Sequence[WindowSeries], seconds: int) -> str:
    part, least = (
        ("window", _LEAST_WINDOW_POINTS) if any(map(_is_long, series)) else ("load", LEAST_POINTS)
    )
    return f"the {part} is too short (fewer than {least} points of {seconds} s)"


@dataclass(frozen=True)
class _Counted:
    """A run with the intervals of its constant load up to the window's end."""

    run: WindowedRun
    constant_ns: int
    """From when on load and CPUs were those of the window."""
    first_ns: int
    """From when on seconds count."""
    rate: float
    """Ok answers a second in the window."""

    def series(self, kind: CostKind, seconds: int) -> WindowSeries | None:
        """None where what it needs is not told."""
        window, start_ns = self.run.inside, self.run.window.start_ns
        before = [
            each
            for each in self.run.timeline
            if not each.grace and each.start_ns >= self.constant_ns and each.end_ns <= start_ns
        ]
        size = max(1, round(seconds * 1e9 / float(np.median([each.length_ns for each in window]))))
        skipped = len(before) % size
        points = [*_points(before[skipped:], size), *_points(window, size)]
        used = [point for point in points if point[0].start_ns >= self.first_ns]
        values = _values(self.run, kind, used) if used else np.empty(0)
        if values is None:
            return None
        # Seconds that do not count may lie in a window that begins soon after the load.
        window_points = min(len(window) // size, len(values))
        return WindowSeries(values, window_points, len(before) // size)


def _counted(run: WindowedRun) -> _Counted | str:
    """Which seconds of a run count; or why none do."""
    if run.record.source is not None and not run.asks_steadily:
        return "the run is imported, and its users or rate may have changed"
    if run.record.faults:
        return "faults changed its system in the window"
    window, constant_ns = run.window, run.alike_from_ns
    if constant_ns > window.start_ns:
        return "users or rate change in the window"
    if not run.inside_ns:
        return "the window holds no whole interval"
    match window.steady_by:
        case "idle":
            first_ns = window.start_ns - IDLE_NS
        case "level" | "no-sign":
            warm_up_ns = window.start_ns - constant_ns
            first_ns = window.start_ns - max(LEVEL_NS, warm_up_ns // 3)
        case _ if constant_ns > run.record.changes_ns:  # the load was the same before its CPUs
            first_ns = constant_ns
        case _:
            first_ns = constant_ns + (window.end_ns - constant_ns) // 3
    rate = run.ok_inside() / (run.inside_ns / 1e9)
    return _Counted(run, constant_ns, max(first_ns, constant_ns), rate)


@dataclass(frozen=True)
class LateCost:
    """The logarithm of the cost in a run whose load went on behind its window, point by point."""

    kind: CostKind
    point_seconds: int
    before: Series
    """The last `LEVEL_NS` before the window, as far as load and CPUs were those of it."""
    window: Series
    behind: Series


def late_cost(run: WindowedRun) -> LateCost | str:
    """The series of such a run; or why there is none, in a few words."""
    counted = _counted(run)
    if isinstance(counted, str):
        return counted
    seconds = _point_seconds(counted.rate)
    if not seconds:
        return _TOO_FEW_ANSWERS
    first_ns = max(run.window.start_ns - LEVEL_NS, counted.constant_ns)
    before = [each for each in run.timeline if first_ns <= each.start_ns < run.window.start_ns]
    behind = [each for each in run.late if not each.grace]
    parts = [
        _points(part[len(part) % seconds if part is before else 0 :], seconds)
        for part in (before, run.inside, behind)
    ]
    for kind in _KINDS:
        values = _values(run, kind, [point for part in parts for point in part])
        if values is not None:
            ends = np.cumsum([len(part) for part in parts])[:-1]
            return LateCost(kind, seconds, *np.split(values, ends))
    return _NOTHING_TOLD


_Point = Sequence[TimelineInterval]


def _points(intervals: Sequence[TimelineInterval], size: int) -> list[_Point]:
    whole = len(intervals) - len(intervals) % size
    return [intervals[at : at + size] for at in range(0, whole, size)]


def _values(run: WindowedRun, kind: CostKind, points: Sequence[_Point]) -> Series | None:
    """The logarithm of the cost at each point; one without an ok answer lies between its neighbours."""
    cost = _cost(run, kind, points)
    if cost is None:
        return None
    with np.errstate(divide="ignore", invalid="ignore"):
        values = np.log(cost)
    known_at = np.flatnonzero(np.isfinite(values))
    if len(known_at) == 0 or len(known_at) < (1 - _MOST_UNKNOWN_SHARE) * len(values):
        return None
    return np.interp(np.arange(len(values)), known_at, values[known_at])


def _cost(run: WindowedRun, kind: CostKind, points: Sequence[_Point]) -> Series | None:
    """None where nothing is told; a point of which nothing is known is not a number."""
    if kind == "response_time.median":
        return np.array([_median_ns(point) for point in points])
    starts_ns = np.array([point[0].start_ns for point in points], dtype=float)
    ends_ns = np.array([point[-1].end_ns for point in points], dtype=float)
    until_end, until_start = (run.told_at("cpu_ns", times) for times in (ends_ns, starts_ns))
    if until_end is None or until_start is None:
        return None
    divisor = _engine_ns if kind == "relative" else _ok
    # Service and engine computed for the same answers, whose number cancels out.
    known = [divisor(point) if _ok(point) else None for point in points]
    used = np.array([np.nan if each is None else float(each) for each in known])
    return np.asarray((until_end - until_start) / np.where(used > 0, used, np.nan))


def _ok(point: _Point) -> int:
    return sum(each.ok for each in point)


def _engine_ns(point: _Point) -> int | None:
    parts = [each.cpu_ns for each in point]
    known = [each for each in parts if each is not None]
    return sum(known) if len(known) == len(parts) else None


def _median_ns(point: _Point) -> float:
    """Of several operations the mean of their medians, each weighed by its requests."""
    told = [
        each.response_time.ok
        for interval in point
        for each in interval.operations.values()
        if each.response_time.ok
    ]
    count = sum(each.count for each in told)
    return sum(each.count * each.p50_ns for each in told) / count if count else np.nan
