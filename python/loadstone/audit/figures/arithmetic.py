"""Rules that add up: figures which contradict each other cannot all be right."""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from loadstone.audit import touched_metrics
from loadstone.audit.figures.user_cycle import Cycle, cycles, wholly_loaded
from loadstone.findings import scope
from loadstone.findings.model import Finding, Severity
from loadstone.metrics.outcomes import Clock, Outcome
from loadstone.results.timeline import TimelineInterval
from loadstone.results.window import WindowedRun
from loadstone.stats.series import littles_law
from loadstone.text import units

USERS_GAP = 0.05
"""Share of the users that throughput and response time may leave unexplained, besides the edges of
the window. Published results with hung users leave 27 % to 41 % unexplained."""


def users_accounted_for(run: WindowedRun) -> Iterator[Finding]:
    """Little's law in a closed system: N = X (R + Z), over users whose number may change.

    N is what they can have in flight or in thought: each user has as many streams. The pause is what
    was recorded; of another tool's users it is what its iterations took beside their requests. Users of
    several groups are held to it group by group, since each has a pause of its own.
    """
    for seen in cycles(run):
        yield from _accounted_for(run, seen)


def _accounted_for(run: WindowedRun, seen: Cycle) -> Iterator[Finding]:
    if not _most_users(run, seen.group) or not seen.length_ns:
        return
    users, streams = _users(run, seen.group), run.load.streams or 1
    if not users.mean:
        return
    in_flight = users.mean * streams
    accounted = littles_law.users_seen(
        seen.completed, seen.response_ns, seen.pause_ns, seen.length_ns
    )
    gap = littles_law.gap(in_flight, accounted)
    edges = littles_law.edge_allowance(_edge_ns(run, seen), seen.length_ns)
    allowed = USERS_GAP + edges * users.unevenness + _drawn(run, seen) + users.uncertain
    if gap > allowed:
        seconds = seen.length_ns / 1e9
        yield Finding(
            code="littles-law",
            severity=Severity.WITHHOLD,
            subject=scope.run(run.record.run),
            metrics=touched_metrics.LOAD,
            evidence=f"{_users_text(users.mean, streams)}{seen.whose}, but X (R + Z) = "
            f"{seen.completed / seconds:.2f}/s x ({seen.response_ns / 1e9:.4f} s + "
            f"{seen.pause_ns / 1e9:g} s) = {accounted:.1f}: a gap of {units.share(gap)} (at most "
            f"{units.share(allowed)}: {units.percent(USERS_GAP)}, and a cycle over the window of "
            f"{seconds:g} s for its edges)",
            advice=_FOREIGN_ADVICE if run.record.source else _ADVICE,
        )


_ADVICE = (
    "look for users that wait for an answer that never comes, or for a generator that stalls between "
    "an answer and the next request"
)
_FOREIGN_ADVICE = (
    f"{_ADVICE}; where they were no closed users but came at a rate, import it with --arrivals rate"
)


def _drawn(run: WindowedRun, seen: Cycle) -> float:
    """The gap that drawn pauses may explain, by their distribution or by how iterations differ."""
    if run.record.source is None:
        return littles_law.think_allowance(seen.response_ns, seen.pause_ns, seen.completed)
    iterations = run.record.iterations
    if iterations is None or iterations.mean_ns is None or iterations.deviation_ns is None:
        return 1.0
    return littles_law.cycle_allowance(
        iterations.mean_ns, iterations.deviation_ns, iterations.count
    )


def _edge_ns(run: WindowedRun, seen: Cycle) -> float:
    """How much of a user's time may be counted on the wrong side of an edge of the window.

    A cycle. Of another tool it is an iteration, whose requests may all come at its beginning.
    Iterations that were cut off at the end have requests but no length, which is one more for each
    user; where every iteration has as many requests there was none.
    """
    iterations = run.record.iterations
    if iterations is None or not iterations.count or iterations.mean_ns is None:
        return seen.mean_ns
    was_none_cut = sum(run.record.outcomes.values()) % iterations.count == 0
    return iterations.mean_ns if was_none_cut else 2 * iterations.mean_ns


class _Users(NamedTuple):
    mean: float
    """Over the window."""
    unevenness: float
    """The most of them over their mean: as much more an edge of the window may weigh."""
    uncertain: float
    """Share of the mean that is open, since only the ends of intervals are known."""


def _users(run: WindowedRun, group: str) -> _Users:
    """The active users over the window, in a straight line from one interval's end to the next."""
    most = _most_users(run, group)
    level = _users_at_begin(run, group)
    inside = {interval.start_ns: interval.length_ns for interval in wholly_loaded(run)}
    total = uncertain = 0.0
    for interval in run.timeline:
        told = _users_in(interval, group)
        before, level = level, float(most) if told is None else told
        if interval.start_ns in inside:
            total += (before + level) / 2 * interval.length_ns
            uncertain += abs(level - before) / 2 * interval.length_ns
    mean = total / sum(inside.values())
    return _Users(mean, most / mean, uncertain / total) if total else _Users(0, 1, 0)


def _most_users(run: WindowedRun, group: str) -> int:
    """Of a group, or of the only one."""
    return (run.load.groups[group].users if group else run.load.users) or 0


def _users_in(interval: TimelineInterval, group: str) -> int | None:
    """Active at the end of an interval."""
    if not group:
        return interval.users
    told = interval.groups.get(group)
    return None if told is None else told.users


def _users_at_begin(run: WindowedRun, group: str) -> float:
    """Every first stage begins at 0; another tool tells its first number instead of a plan."""
    users = float(_most_users(run, group))
    if run.record.source is not None:
        return next((each.users for each in run.timeline if each.users is not None), users)
    asked = run.record.asked_groups
    found = asked.get(group) if group else next(iter(asked.values()), None)
    is_there = found is None or (found.start_ns == 0 and found.arrivals.is_steady)
    return users if is_there else 0.0


def _users_text(users: float, streams: int) -> str:
    each = f" of {streams} streams" if streams > 1 else ""
    return f"{units.count(users)} users{each}"


def conservation(run: WindowedRun) -> Iterator[Finding]:
    """Every offered request has one outcome, and all files count the same ones."""
    record = run.stored or run.record
    operations, timeline = Counter[Outcome](), Counter[Outcome]()
    for facts in record.operations.values():
        operations.update(facts.outcomes)
    for interval in (*run.timeline, *run.late):
        for seen in interval.operations.values():
            timeline.update(seen.outcomes)
    total = Counter(record.outcomes)
    load = run.load if run.stored is None else run.stored.load
    summary = {} if load is None else load.outcomes
    recorded = run.histogram(Clock.RESPONSE_TIME, ok=True).count
    contradictions = [
        f"{name}: {found} instead of {expected}"
        for name, found, expected in (
            ("operations", _text(operations), _text(total)),
            ("the engine's summary", _text(Counter(summary)), _text(total)),
            ("the timeline", _text(timeline), _text(total)),
            ("response times of ok", str(recorded), str(run.outcomes()[Outcome.OK])),
        )
        if found != expected
    ]
    if contradictions:
        yield Finding(
            code="conservation",
            severity=Severity.WITHHOLD,
            subject=scope.run(record.run),
            metrics=touched_metrics.COUNTED,
            evidence="requests were lost or counted twice: " + "; ".join(contradictions),
            advice="do the run again; where it returns, report it as a defect of the engine",
        )


def _text(outcomes: Counter[Outcome]) -> str:
    """The outcomes that occurred, as a text that can be compared and read."""
    return ", ".join(f"{outcomes[outcome]} {outcome}" for outcome in Outcome if outcomes[outcome])
