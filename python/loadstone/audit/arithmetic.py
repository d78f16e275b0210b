"""Rules that add up: figures which contradict each other cannot all be right."""

from collections import Counter
from collections.abc import Iterator

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
    """Little's law in a closed system: N = X (R + Z), Z being 0 without think time."""
    users = run.load.users
    if run.load.arrivals != "users" or not users or not run.inside_ns:
        return
    splits = [
        operation.response_time
        for interval in run.inside
        for operation in interval.operations.values()
    ]
    completed = sum(split.count() for split in splits)
    mean_ns = sum(split.sum_ns() for split in splits) / completed if completed else 0.0
    seen = littles_law.users_seen(completed, mean_ns, 0, run.inside_ns)
    gap = littles_law.gap(users, seen)
    allowed = USERS_GAP + littles_law.edge_allowance(mean_ns, run.inside_ns)
    if gap > allowed:
        seconds = run.inside_ns / 1e9
        yield Finding(
            code="littles-law",
            severity=Severity.WITHHOLD,
            scope=scope.run(run.record.run.id),
            metrics=metrics.LOAD,
            evidence=f"{users} users, but X (R + Z) = {completed / seconds:.2f}/s x "
            f"({mean_ns / 1e9:.4f} s + 0 s) = {seen:.1f}: a gap of {units.share(gap)} "
            f"(at most {units.share(allowed)}: {units.percent(USERS_GAP)}, and R over the window "
            f"of {seconds:g} s for its edges)",
            advice="look for users that wait for an answer that never comes, or for a generator "
            "that stalls between an answer and the next request",
        )


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
