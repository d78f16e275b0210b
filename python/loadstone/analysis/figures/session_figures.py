"""The figures of one run's sessions, of one group or of all together."""

from loadstone.analysis.figures.figure_states import not_measured, untold, value
from loadstone.analysis.figures.quantile_figure import quantile_figure
from loadstone.analysis.model import RunFigure
from loadstone.metrics.catalogue import SESSION_QUANTILES
from loadstone.metrics.outcomes import SessionClock
from loadstone.results.histograms import Histogram
from loadstone.results.parts import Part
from loadstone.results.window import WindowedRun

NAMES = ("session.duration.mean", *SESSION_QUANTILES, "session.throughput", "session.failures")
ENDED_OTHERWISE = "were aborted"

_ONE_REQUEST = not_measured("each session is one request, and has the figures of it")
_NOTHING_ENDED = not_measured("no session ended in the window")


def session_figures(run: WindowedRun, part: Part | None) -> dict[str, RunFigure]:
    """`session.duration.*`, `session.throughput` and `session.failures`, over the groups of a part."""
    ended, inside = run.sessions(part), run.sessions_inside(part)
    if run.record.source is not None:
        return dict.fromkeys(NAMES, untold(run.record.source, "sessions"))
    if ended is None or inside is None or not run.inside_ns:
        return dict.fromkeys(NAMES, not_measured("the engine told nothing of sessions"))
    if has_single_requests(run, part):
        return dict.fromkeys(NAMES, _ONE_REQUEST)
    if not ended.ended:
        return dict.fromkeys(NAMES, _NOTHING_ENDED)
    finished = session_durations(run, part)
    mean_ns = finished.mean_ns()
    return {
        "session.duration.mean": value(mean_ns)
        if mean_ns is not None
        else RunFigure(value=None, state="failed", reason="no session finished"),
        **{
            name: session_quantile(finished, ended.ended, quantile)
            for name, quantile in SESSION_QUANTILES.items()
        },
        "session.throughput": value(inside.finished / (run.inside_ns / 1e9)),
        "session.failures": value(ended.aborted / ended.ended),
    }


def session_durations(run: WindowedRun, part: Part | None) -> Histogram:
    """Of the sessions that finished."""
    return run.histogram(SessionClock.SESSION_DURATION, ok=True, part=part)


def session_quantile(finished: Histogram, ended: int, quantile: float) -> RunFigure:
    """A quantile over all sessions that ended; each that was aborted ranks above every finished one."""
    return quantile_figure(finished, ended, quantile, "sessions", ENDED_OTHERWISE)


def has_single_requests(run: WindowedRun, part: Part | None) -> bool:
    """Whether every session of a load was one request: its figures would be said twice."""
    groups = [
        facts for name, facts in run.load.groups.items() if part is None or name in part.groups
    ]
    operations = [
        facts
        for name, facts in run.record.operations.items()
        if part is None or name in part.operations
    ]
    had_more = any(sum(each.unreached.values()) + each.skipped for each in operations)
    offered = sum(sum(each.outcomes.values()) for each in groups)
    return not had_more and offered == sum(each.sessions.begun for each in groups)


def session_outcomes(run: WindowedRun, part: Part | None) -> dict[str, int]:
    """How the sessions of window and grace ended; empty where nobody tells."""
    counted = run.sessions(part)
    if counted is None or has_single_requests(run, part):
        return {}
    return {
        "begun": counted.begun,
        "finished": counted.finished,
        "ended_early": counted.ended_early,
        "aborted": counted.aborted,
        "cut": counted.cut,
    }
