"""When a service failed under a load that grows or lasts: the stop rule that ended the load says it."""

from typing import get_args

from loadstone.analysis.figures.figure_states import not_measured, untold, value
from loadstone.analysis.model import RunFigure
from loadstone.results.load_facts import StopRule
from loadstone.results.slow_mean import slow_from_ns
from loadstone.results.window import WindowedRun

SLOW_MEAN = "time_to_slow_mean"
FAILURE_METRICS = ("time_to_failure", "users_before_failure", SLOW_MEAN)

_RULES = get_args(StopRule)


def failure_figures(run: WindowedRun) -> dict[str, RunFigure]:
    """Return `FAILURE_METRICS`.

    A load that ended by its duration shows that its service lasts for longer. Such a figure has a lower
    bound and no value.
    """
    stop = run.load.stop
    if stop is None:
        source = run.record.source
        untold_stop = (
            untold(source, "plan") if source else not_measured("why it stopped is not told")
        )
        return dict.fromkeys(FAILURE_METRICS, untold_stop)
    failed = stop.reason in _RULES
    users = _most_users(run, stop.users)
    no_users = not_measured("the load is a rate and has no users")
    return {
        "time_to_failure": _figure(stop.at_ns, stop.reason, failed=failed),
        "users_before_failure": no_users
        if users is None
        else _figure(users, stop.reason, failed=failed),
        SLOW_MEAN: _slow_mean(run, stop.at_ns),
    }


def _slow_mean(run: WindowedRun, stopped_ns: int) -> RunFigure:
    limit_ns = run.record.mean_limit_ns
    if limit_ns is None:
        return not_measured("no stop rule of the load is about the mean response time")
    from_ns = run.window.start_ns if run.record.stops_from_window else 0
    judged = (each for each in (*run.timeline, *run.late) if each.start_ns >= from_ns)
    found = slow_from_ns(judged, limit_ns)
    if found is not None:
        return value(found)
    reason = "the mean response time was never above the limit"
    return RunFigure(value=None, state="not reached", reason=reason, at_least=stopped_ns)


def _most_users(run: WindowedRun, at_stop: int | None) -> int | None:
    counts = [each.users for each in run.timeline if not each.grace and each.users is not None]
    return max([*counts, *([] if at_stop is None else [at_stop])], default=None)


def _figure(found: int, reason: str, *, failed: bool) -> RunFigure:
    if failed:
        return value(found)
    return RunFigure(
        value=None,
        state="not reached",
        reason=f"no stop rule ended the load: it ended by {reason}",
        at_least=found,
    )
