"""How much one run asked of its service: offered requests, bytes, and requests in the system."""

from collections.abc import Callable

from loadstone.analysis.figures.figure_states import not_measured, untold, value
from loadstone.analysis.model import RunFigure
from loadstone.results.parts import Part
from loadstone.results.timeline import OperationInterval
from loadstone.results.window import WindowedRun
from loadstone.stats.series.littles_law import users_seen

NO_WHOLE_INTERVAL = not_measured("the window holds no whole interval")


def load_figures(run: WindowedRun, part: Part | None) -> dict[str, RunFigure]:
    """Rates of a part, or of all together, over the window's intervals."""
    if not run.inside_ns:
        names = ("throughput", "bytes_received", "bytes_sent", "users_in_system")
        return dict.fromkeys(names, NO_WHOLE_INTERVAL)
    return {
        "throughput": value(run.ok_inside(part) / (run.inside_ns / 1e9)),
        "bytes_received": _bytes(run, part, lambda seen: seen.bytes_received),
        "bytes_sent": _bytes(run, part, lambda seen: seen.bytes_sent),
        "users_in_system": _users_in_system(run, part),
    }


def offered_figure(run: WindowedRun) -> RunFigure:
    """Return the offered load of all operations: of which one a request in flight is is not known."""
    if not run.inside_ns:
        return NO_WHOLE_INTERVAL
    before = [
        each for each in run.timeline if not each.grace and each.end_ns <= run.window.start_ns
    ]
    in_flight = (before[-1].in_flight or 0) if before else 0
    offered = sum(run.outcomes().values()) - in_flight + run.in_flight_behind
    return value(max(0, offered) / (run.inside_ns / 1e9))


def _inside(run: WindowedRun, part: Part | None) -> list[OperationInterval]:
    return [
        seen
        for interval in run.inside
        for name, seen in interval.operations.items()
        if part is None or name in part.operations
    ]


def _bytes(
    run: WindowedRun, part: Part | None, bytes_of: Callable[[OperationInterval], int | None]
) -> RunFigure:
    total = 0
    for seen in _inside(run, part):
        counted = bytes_of(seen)
        if counted is None:
            source = run.record.source
            return untold(source, "bytes") if source else not_measured("nobody counted them")
        total += counted
    return value(total / (run.inside_ns / 1e9))


def _users_in_system(run: WindowedRun, part: Part | None) -> RunFigure:
    """Little's law, of requests in place of users; see `stats/series/littles_law.py` for its source."""
    times = [seen.response_time for seen in _inside(run, part)]
    count = sum(each.count() for each in times)
    if not count:
        return not_measured("no request that ended in the window has a response time")
    mean_ns = sum(each.sum_ns() for each in times) / count
    return value(users_seen(count, mean_ns, mean_think_ns=0, window_ns=run.inside_ns))
