"""One run over time, as columns for a chart: one point for each interval, warm-up included."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from loadstone.analysis.chart_model import RunSeries
from loadstone.results.seconds import Series
from loadstone.results.timeline import TimelineInterval, TimeSummary
from loadstone.results.window import WindowedRun
from loadstone.stats.series.thinning import thinned

MOST_POINTS = 300
"""Of one run: a chart on a page has no more pixels for them."""

_Column = Sequence[float | None]


def series(run: WindowedRun) -> RunSeries:
    """A point for every interval of the load that has a length, thinned to `MOST_POINTS`."""
    intervals = [each for each in run.timeline if not each.grace and each.length_ns > 0]
    columns: dict[str, _Column] = {
        "response_time_mean_ns": [_weighed(each, "mean_ns") for each in intervals],
        "response_time_p99_ns": [_weighed(each, "p99_ns") for each in intervals],
        "throughput": _a_second((each.ok for each in intervals), intervals),
        "failures": _a_second((each.ended - each.ok for each in intervals), intervals),
        "offered": _offered(intervals),
        "users": _users(intervals),
        "cpus_used": _cpus_used(run.seconds.cpu_ns, intervals),
        "rss_bytes": _padded(run.seconds.rss_bytes, intervals),
    }
    known = {name: column for name, column in columns.items() if column}
    by_group = _users_by_group(intervals)
    middles = [(each.start_ns + each.end_ns) / 2e9 for each in intervals]
    short = thinned(middles, [*known.values(), *by_group.values()], MOST_POINTS)
    shortened = short.columns[: len(known)]
    return RunSeries(
        run=run.record.run.id,
        block=run.record.run.block,
        window_start_ns=run.window.start_ns,
        steady_by=run.window.steady_by,
        startup_ns=_startup_ns(run),
        steadiness=run.steadiness.kind if run.steadiness and run.asks_steadily else None,
        seconds=short.positions,
        **(dict.fromkeys(columns, ()) | dict(zip(known, shortened, strict=True))),
        users_by_group=dict(zip(by_group, short.columns[len(known) :], strict=True)),
        faults=run.record.faults,
    )


def _startup_ns(run: WindowedRun) -> int | None:
    if run.service is None or run.service.startup is None:
        return None
    return run.service.startup.first_correct_response_ns


def _weighed(interval: TimelineInterval, quantity: str) -> float | None:
    """The mean of a quantity over the operations, weighed by their ok requests."""
    parts: list[TimeSummary] = [
        each.response_time.ok for each in interval.operations.values() if each.response_time.ok
    ]
    count = sum(part.count for part in parts)
    if not count:
        return None
    return float(sum(part.count * getattr(part, quantity) for part in parts) / count)


def _a_second(counts: Iterable[int], intervals: Sequence[TimelineInterval]) -> _Column:
    return [count / (each.length_ns / 1e9) for count, each in zip(counts, intervals, strict=True)]


def _offered(intervals: Sequence[TimelineInterval]) -> _Column:
    gauges = [each.in_flight for each in intervals]
    if None in gauges:
        return _a_second((each.ended for each in intervals), intervals)
    before = (0, *(gauge or 0 for gauge in gauges))
    growth = [after - earlier for earlier, after in pairwise(before)]
    begun = (each.ended + more for each, more in zip(intervals, growth, strict=True))
    return _a_second(begun, intervals)


def _users(intervals: Sequence[TimelineInterval]) -> _Column:
    users = [each.users for each in intervals]
    return () if None in users else users


def _users_by_group(intervals: Sequence[TimelineInterval]) -> dict[str, _Column]:
    """Of each closed group, where there are several groups."""
    names = dict.fromkeys(name for each in intervals for name in each.groups)
    columns = {
        name: [
            None if (group := each.groups.get(name)) is None else group.users for each in intervals
        ]
        for name in (names if len(names) > 1 else ())
    }
    return {
        name: column
        for name, column in columns.items()
        if any(users is not None for users in column)
    }


def _cpus_used(cpu_ns: Series | None, intervals: Sequence[TimelineInterval]) -> _Column:
    return [
        None if used is None else used / each.length_ns
        for used, each in zip(_padded(cpu_ns, intervals), intervals, strict=False)
    ]


def _padded(column: Series | None, intervals: Sequence[TimelineInterval]) -> _Column:
    """The column, as long as the intervals: a short last interval has no second of its own."""
    if column is None:
        return ()
    values: list[float | None] = column.tolist()
    return [*values, *[None] * (len(intervals) - len(values))]
