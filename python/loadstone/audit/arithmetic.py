"""Rules that add up: figures which contradict each other cannot all be right."""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from loadstone.analysis.model import Finding, Severity
from loadstone.audit import metrics, scope
from loadstone.report import units
from loadstone.results.outcomes import Clock, Outcome
from loadstone.results.window import WindowedRun
from loadstone.stats import littles_law

USERS_GAP = 0.05
"""Share of the users that throughput and response time may leave unexplained, besides the edges of
the window. Published results with hung users leave 27 % to 41 % unexplained."""


def users_accounted_for(run: WindowedRun) -> Iterator[Finding]:
    """Little's law in a closed system: N = X (R + Z), over users whose number may change.

    N is what they can have in flight or in thought: each user has as many streams.
    """
    if run.load.arrivals != "users" or not run.load.users or not run.inside_ns:
        return
    users = _users(run)
    if not users.mean:
        return
    splits = [
        operation.response_time
        for interval in run.inside
        for operation in interval.operations.values()
    ]
    completed = sum(split.count() for split in splits)
    mean_ns = sum(split.sum_ns() for split in splits) / completed if completed else 0.0
    think_ns = run.record.think.mean_ns if run.record.think else 0.0
    in_flight = users.mean * run.load.streams
    seen = littles_law.users_seen(completed, mean_ns, think_ns, run.inside_ns)
    gap = littles_law.gap(in_flight, seen)
    edges = littles_law.edge_allowance(mean_ns + think_ns, run.inside_ns) * users.unevenness
    drawn = littles_law.think_allowance(mean_ns, think_ns, completed)
    allowed = USERS_GAP + edges + drawn + users.uncertain
    if gap > allowed:
        seconds = run.inside_ns / 1e9
        yield Finding(
            code="littles-law",
            severity=Severity.WITHHOLD,
            scope=scope.run(run.record.run.id),
            metrics=metrics.LOAD,
            evidence=f"{_users_text(users.mean, run.load.streams)}, but X (R + Z) = "
            f"{completed / seconds:.2f}/s x ({mean_ns / 1e9:.4f} s + {think_ns / 1e9:g} s) = "
            f"{seen:.1f}: a gap of {units.share(gap)} (at most {units.share(allowed)}: "
            f"{units.percent(USERS_GAP)}, and R + Z over the window of {seconds:g} s for its edges)",
            advice="look for users that wait for an answer that never comes, or for a generator "
            "that stalls between an answer and the next request",
        )


class _Users(NamedTuple):
    mean: float
    """Over the window."""
    unevenness: float
    """The most of them over their mean: as much more an edge of the window may weigh."""
    uncertain: float
    """Share of the mean that is open, since only the ends of intervals are known."""


def _users(run: WindowedRun) -> _Users:
    """The active users over the window, in a straight line from one interval's end to the next."""
    load, arrivals = run.load, run.record.arrivals
    steady = arrivals is None or arrivals.is_steady
    level = float(load.users or 0) if steady else 0.0  # every first stage begins at 0
    inside = {interval.start_ns for interval in run.inside}
    total = uncertain = 0.0
    for interval in run.timeline:
        before, level = level, float(load.users or 0) if interval.users is None else interval.users
        if interval.start_ns in inside:
            total += (before + level) / 2 * interval.length_ns
            uncertain += abs(level - before) / 2 * interval.length_ns
    mean = total / run.inside_ns
    return _Users(mean, (load.users or 0) / mean, uncertain / total) if total else _Users(0, 1, 0)


def _users_text(users: float, streams: int) -> str:
    each = f" of {streams} streams" if streams > 1 else ""
    return f"{units.count(users)} users{each}"


def conservation(run: WindowedRun) -> Iterator[Finding]:
    """Every offered request has one outcome, and all files count the same ones."""
    record = run.record
    operations, timeline = Counter[Outcome](), Counter[Outcome]()
    for facts in record.operations.values():
        operations.update(facts.outcomes)
    for interval in run.timeline:
        for seen in interval.operations.values():
            timeline.update(seen.outcomes)
    total = Counter(record.outcomes)
    recorded = run.histogram(Clock.RESPONSE_TIME, ok=True).count
    contradictions = [
        f"{name}: {found} instead of {expected}"
        for name, found, expected in (
            ("operations", _text(operations), _text(total)),
            ("the engine's summary", _text(Counter(run.load.outcomes)), _text(total)),
            ("the timeline", _text(timeline), _text(total)),
            ("response times of ok", str(recorded), str(run.outcomes()[Outcome.OK])),
        )
        if found != expected
    ]
    if contradictions:
        yield Finding(
            code="conservation",
            severity=Severity.WITHHOLD,
            scope=scope.run(record.run.id),
            metrics=metrics.COUNTED,
            evidence="requests were lost or counted twice: " + "; ".join(contradictions),
            advice="do the run again; where it returns, report it as a defect of the engine",
        )


def _text(outcomes: Counter[Outcome]) -> str:
    """Comparable, and readable: outcomes that did not occur are left out."""
    return ", ".join(f"{outcomes[outcome]} {outcome}" for outcome in Outcome if outcomes[outcome])
