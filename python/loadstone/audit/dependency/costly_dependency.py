"""Rules on what a service asks, where it takes much CPU time: then it is measured, too."""

from collections.abc import Iterator

from loadstone.audit import touched_metrics
from loadstone.audit.engine.saturation import database_limit
from loadstone.findings import scope
from loadstone.findings.model import Finding, Severity
from loadstone.results.record import ASKED_ROLES, ProcessFacts
from loadstone.results.window import WindowedRun
from loadstone.text import units

COSTLY_SHARE = 1 / 3
"""Of the service's own CPU time. A gateway handles two connections for each request and a backend one,
so a lean backend costs well below half; above a third, what is measured is the pair of them."""
LEAST_NAMED = 0.01
"""Of the same: a part that took less is no part of the reason, and not named."""


def costly_dependency(run: WindowedRun) -> Iterator[Finding]:
    """Dependencies and bench services that take a good part of the CPU time that the service takes.

    Nothing where a database was the limit: `database_limited` says more.
    """
    service, theirs = run.service_resources, run.asked_cpu_ns
    if service is None or not service.cpu_ns or theirs is None:
        return
    share = theirs / service.cpu_ns
    if share > COSTLY_SHARE and database_limit(run) is None:
        yield Finding(
            code="costly-dependency",
            severity=Severity.NOTE,
            subject=scope.run(run.record.run),
            metrics=("throughput", *touched_metrics.TIMES),
            evidence=_evidence(run, service.cpu_ns, share),
            advice="the costs of both are the result: read database_cpu_per_ok beside cpu_per_ok"
            if run.databases
            else "compare CPU per ok, which is the service's alone; where the CPU of what is named is "
            "full, give it one of its own",
        )


def database_limited(run: WindowedRun) -> Iterator[Finding]:
    """A throughput of closed users that ended at the database and not at the service."""
    limit = database_limit(run)
    if limit is not None:
        yield Finding(
            code="database-limited",
            severity=Severity.WARNING,
            subject=scope.run(run.record.run),
            metrics=("throughput",),
            evidence=f"the database's CPU was the limit: {limit}",
            advice="compare CPU per ok of service and database, which need no saturation; or give the "
            "service less CPU, the same for all arms",
        )


def _evidence(run: WindowedRun, service_ns: int, share: float) -> str:
    shares = {
        asked_name(each): (run.record.resources[each.name].cpu_ns or 0) / service_ns
        for each in run.record.processes
        if each.role in ASKED_ROLES
    }
    costliest_first = sorted(shares.items(), key=lambda part: -part[1])
    parts = [
        f"{name} used {units.percent(own)}" for name, own in costliest_first if own >= LEAST_NAMED
    ]
    together = f"together {units.percent(share)}, " if len(parts) > 1 else ""
    return (
        f"{' and '.join(parts)} of the CPU time that the service used for the same requests "
        f"({together}at most {units.percent(COSTLY_SHARE)})"
    )


def asked_name(process: ProcessFacts) -> str:
    """`the dependency backend`, `the bench service country`, `the database`."""
    is_database = process.database_work is not None
    what = "database" if is_database else process.role.replace("bench", "bench service")
    return f"the {what}" if what == process.name else f"the {what} {process.name}"
