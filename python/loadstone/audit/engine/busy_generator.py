"""Rules on the load generator: a figure that it limited says nothing about the service."""

from collections.abc import Iterator
from typing import NamedTuple

from loadstone.audit import touched_metrics
from loadstone.findings import scope
from loadstone.findings.model import Finding, Severity
from loadstone.metrics.outcomes import Outcome
from loadstone.results.load_facts import WorkerFacts
from loadstone.results.window import WindowedRun
from loadstone.study.values.arrivals import Rate
from loadstone.text import units

CODE = "generator-saturated"

WORKER_CPU_SHARE = 0.9
"""Of an engine thread's wall time. A queue that is busy 90 % of the time makes each piece of work
wait nine times its own length on average (M/M/1: share / (1 - share))."""

BUSY_CPU_SHARE = 0.7
"""Of the same: at 70 % a piece of work waits 2.3 times its own length on average. The catalogue of
gates that this follows allows a generator 70 % of its share."""

ACHIEVED_SHARE = 0.99
"""Of the requests that a rate asks for. One missing in a hundred already moves the p99."""

MORE_CPU = "give the engine another CPU, or a lighter load"


def is_busy(run: WindowedRun) -> bool:
    """Whether an engine thread computed nearly all the time, from start to end."""
    return _busiest(run) >= WORKER_CPU_SHARE


def is_nearly_busy(run: WindowedRun) -> bool:
    """Whether an engine thread had little to spare, or less."""
    return _busiest(run) >= BUSY_CPU_SHARE


def busy_worker(run: WindowedRun) -> Iterator[Finding]:
    """An engine thread that computes nearly all the time."""
    if is_busy(run):
        yield _finding(
            run,
            CODE,
            f"the busiest of {len(_workers(run))} engine threads computed "
            f"{units.share(_busiest(run))} of the time (at most {units.percent(WORKER_CPU_SHARE)})",
            MORE_CPU,
        )


def busy_generator(run: WindowedRun) -> Iterator[Finding]:
    """An engine thread that still keeps up, with little to spare."""
    if not BUSY_CPU_SHARE <= _busiest(run) < WORKER_CPU_SHARE:
        return
    yield Finding(
        code="generator-busy",
        severity=Severity.WARNING,
        subject=scope.run(run.record.run),
        metrics=(*touched_metrics.TIMES, "throughput"),
        evidence=f"the busiest of {len(_workers(run))} engine threads computed "
        f"{units.share(_busiest(run))} of the time (below {units.percent(BUSY_CPU_SHARE)})",
        advice=MORE_CPU,
    )


def _busiest(run: WindowedRun) -> float:
    shares = (each.cpu_ns / each.wall_ns for each in _workers(run) if each.wall_ns)
    return max(shares, default=0.0)


def _workers(run: WindowedRun) -> tuple[WorkerFacts, ...]:
    return () if run.load.engine is None else run.load.engine.workers


def rate_not_achieved(run: WindowedRun) -> Iterator[Finding]:
    """A rate of which too little was written, for want of connections or of the engine's CPU."""
    if run.load.arrivals == "users" or not run.record.operations:
        return
    for wanted, written, whose in _rates(run):
        # The last session of a load is due at its very end and may fall on either side of it.
        if not wanted or (written + 1) / wanted >= ACHIEVED_SHARE:
            continue
        yield _finding(
            run,
            "rate-not-achieved",
            f"{written} of {wanted:.0f} sessions{whose} were begun: {units.share(written / wanted)} of "
            f"the rate (at least {units.percent(ACHIEVED_SHARE)})",
            "allow more connections if the service is slow, else give the engine another CPU",
        )


class _Rate(NamedTuple):
    wanted: float
    """Sessions until the stop."""
    written: int
    """Those whose requests were written."""
    whose: str
    """`of bookers`, with a blank before it, where there are several groups."""


def _rates(run: WindowedRun) -> Iterator[_Rate]:
    """The rate of each group; without groups each session begins with its first operation."""
    if not run.load.groups:
        yield _Rate(_sessions_wanted(run), _sessions_begun(run) + run.in_flight_behind, "")
        return
    whole = (run.stored or run.record).load or run.load  # as the groups are told
    for name, facts in run.load.groups.items():
        if facts.arrivals == "rate":
            whose = f" of {name}" if len(run.load.groups) > 1 else ""
            unsent = facts.outcomes.get(Outcome.NOT_SENT, 0)
            begun = facts.sessions.begun
            asked = run.record.asked_groups.get(name)
            is_even = asked is not None and facts.process == "constant"
            wanted = asked.until(whole.load_ns) if asked and is_even else begun
            yield _Rate(wanted, begun - unsent, whose)


def _sessions_begun(run: WindowedRun) -> int:
    if run.record.iterations is not None:
        return run.record.iterations.count
    return max(
        sum(facts.outcomes.values()) - facts.outcomes.get(Outcome.NOT_SENT, 0)
        for facts in run.record.operations.values()
    )


def _sessions_wanted(run: WindowedRun) -> float:
    """Return how many sessions the plan asks for until the stop.

    What a Poisson process draws is known only from what was offered. Another tool says how many it
    dropped, and not how many it was asked for.
    """
    if run.record.iterations is not None:
        return run.record.iterations.count + run.record.iterations.dropped
    arrivals = run.record.arrivals
    if isinstance(arrivals, Rate) and not arrivals.poisson:
        return arrivals.until(run.load.load_ns)
    if run.load.process == "poisson":
        return max(sum(facts.outcomes.values()) for facts in run.record.operations.values())
    return (run.load.rate_per_second or 0.0) * run.load.load_ns / 1e9


def _finding(run: WindowedRun, code: str, evidence: str, advice: str) -> Finding:
    return Finding(
        code=code,
        severity=Severity.WITHHOLD,
        subject=scope.run(run.record.run),
        metrics=(*touched_metrics.TIMES, "throughput", *touched_metrics.ENDING),
        evidence=evidence,
        advice=advice,
    )
