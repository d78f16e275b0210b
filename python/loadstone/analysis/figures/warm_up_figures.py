"""What a warm-up cost that was watched: how long until the service was steady, and what went by in it.

A warm-up that lasted as long as it may was not seen to end, so its figures have a lower bound and no
value. Users or a rate that change are no reason to begin later: who deploys a service bears that
time, too.
"""

import numpy as np

from loadstone.analysis.figures.figure_states import no_service, not_measured, untold, value
from loadstone.analysis.model import RunFigure
from loadstone.results.record import Window
from loadstone.results.seconds import told_at
from loadstone.results.window import WindowedRun

IDLE_LOOK_NS = 10_000_000_000
"""For so long no compile thread was at work when that decided."""
LEVEL_LOOK_NS = 20_000_000_000
"""Of the level at least so much was seen when that decided, of a long warm-up a third."""

_UNWATCHED = {
    "fixed": "the warm-up was set, and nothing watched when the service was steady",
    "none": "the load has no warm-up",
    "detected": "the warm-up was detected after the load, and not watched",
    "not found": "the load never came to a level",
}


def warm_up_figures(run: WindowedRun) -> dict[str, RunFigure]:
    """`time_to_steady`, `requests_until_steady`, `warm_up_loss` and `compile_cpu`."""
    watched = _watched(run)
    return watched | {"compile_cpu": _compile_cpu(run)}


def steady_from_ns(window: Window, changes_ns: int) -> int:
    """Where the decision to begin the window began to look, since the load began.

    Not before `changes_ns`: until then users or rate changed, and no second told of a level.
    """
    seen_ns = window.start_ns - changes_ns
    look_ns = IDLE_LOOK_NS if window.steady_by == "idle" else max(LEVEL_LOOK_NS, seen_ns // 3)
    return window.start_ns - min(look_ns, max(0, seen_ns))


def _watched(run: WindowedRun) -> dict[str, RunFigure]:
    names = ("time_to_steady", "requests_until_steady", "warm_up_loss")
    if run.window.warm_up != "steady":
        return dict.fromkeys(names, not_measured(_UNWATCHED[run.window.warm_up]))
    from_ns = steady_from_ns(run.window, run.record.changes_ns)
    whole = [each for each in run.timeline if not each.grace]
    requests = sum(each.ok for each in whole if each.end_ns <= from_ns)
    loss_ns = _loss_ns(run)
    return {
        "time_to_steady": _figure(run.window, from_ns),
        "requests_until_steady": _figure(run.window, requests),
        "warm_up_loss": _figure(run.window, loss_ns)
        if loss_ns is not None
        else not_measured(
            "the load is a rate, which asks for no more of a warm service"
            if run.load.arrivals != "users"
            else "no request was ok in the window"
        ),
    }


def _figure(window: Window, found: float) -> RunFigure:
    if window.steady_by != "cap":
        return value(found)
    return RunFigure(
        value=None,
        state="not reached",
        reason=f"not seen to be steady within {window.start_ns / 1e9:g} s",
        at_least=found,
    )


def _loss_ns(run: WindowedRun) -> float | None:
    """None of a rate, and where the window has no throughput."""
    ok = run.ok_inside()
    if run.load.arrivals != "users" or not ok:
        return None
    warm = ok / run.inside_ns
    before = [
        each for each in run.timeline if not each.grace and each.end_ns <= run.window.start_ns
    ]
    return sum(each.length_ns - each.ok / warm for each in before)


def _compile_cpu(run: WindowedRun) -> RunFigure:
    if run.record.source is not None:
        return untold(run.record.source, "service")
    if not run.services:
        return no_service(run.record)
    compiling = [each.name for each in run.services if each.compiles is not False]
    if not compiling:
        return not_measured("no runtime of the service compiles while it runs")
    ran_ns = told_at(
        run.ticks,
        compiling,
        run.load.started_unix_ns,
        "compile_run_ns",
        np.array([0.0, run.window.end_ns]),
    )
    if ran_ns is None:
        return not_measured("the service has no compile threads, or they are not known")
    return value(float(ran_ns[1] - ran_ns[0]))
