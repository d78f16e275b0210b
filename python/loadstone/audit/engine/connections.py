"""Rules on connections: as many as the users ask for, and as lasting as the workload says."""

from collections.abc import Iterator

from loadstone.audit import touched_metrics
from loadstone.audit.engine.saturation import is_bench
from loadstone.findings import scope
from loadstone.findings.model import Finding, Severity
from loadstone.metrics.outcomes import Outcome
from loadstone.results.window import WindowedRun
from loadstone.text import units

MISSING_SHARE = 0.05
"""Of the users' connections. Half of it would fit between two looks of a second each when some users'
connections are opened anew; more is another number of users than the plan's."""

CHURN_SHARE = 0.01
"""Of the requests, that opened another connection. Opening one costs a service about as much as some
requests do; servers that close one after a thousand requests, the usual default, stay below."""


def connections_missing(run: WindowedRun) -> Iterator[Finding]:
    """Closed users of whom some had no connection in the window: the load was a smaller one."""
    if run.load.arrivals != "users" or _churn(run) > CHURN_SHARE:
        return
    looks = [each for each in run.inside if each.users is not None and each.connections is not None]
    users = sum(each.users or 0 for each in looks)
    connected = sum(min(each.connections or 0, each.users or 0) for each in looks)
    if not users or connected >= (1 - MISSING_SHARE) * users:
        return
    yield Finding(
        code="connections-missing",
        severity=Severity.WITHHOLD,
        subject=scope.run(run.record.run),
        metrics=touched_metrics.LOAD,
        evidence=f"of {users / len(looks):g} users {connected / len(looks):g} had a connection, "
        f"mean over the window: {units.share(1 - connected / users)} are missing (at most "
        f"{units.percent(MISSING_SHARE)})",
        advice="see how many connections the service accepts (listen queue, open files, its own "
        "limit), or ask for fewer users",
    )


def connection_churn(run: WindowedRun) -> Iterator[Finding]:
    """Connections that a workload with lasting ones had to open again and again."""
    facts = run.load.connections
    if run.record.new_connections is not False or facts is None:
        return
    churn = _churn(run)
    if churn <= CHURN_SHARE:
        return
    planned = "give --new-connections" if is_bench(run) else "write `new_connections: true`"
    yield Finding(
        code="connection-churn",
        severity=Severity.WARNING,
        subject=scope.run(run.record.run),
        metrics=touched_metrics.LOAD,
        evidence=f"{facts.opened:,} connections were opened for {facts.requested:,} that were asked "
        f"for: one more for each {1 / churn:.3g} requests (one for {1 / CHURN_SHARE:g} at most); the "
        f"service closed {facts.closed_by_server:,}",
        advice="turn keep-alive on in the service, or raise its number of requests for a connection; "
        f"where each request is to have its own, {planned}",
    )


def _churn(run: WindowedRun) -> float:
    """Connections beyond those that were asked for, over the requests that ended."""
    outcomes, facts = run.record.outcomes, run.load.connections
    ended = sum(outcomes.values()) - outcomes.get(Outcome.NOT_SENT, 0)
    return 0.0 if facts is None else max(0, facts.opened - facts.requested) / max(ended, 1)
