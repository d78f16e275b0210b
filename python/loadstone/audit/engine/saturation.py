"""Rules on what was busy: a saturation figure is the service's only if its CPU was the limit.

The two thresholds belong together: the service's CPUs are full, the other CPUs are not.
"""

from collections.abc import Iterator

from loadstone.audit import touched_metrics
from loadstone.audit.engine.bottleneck import BENCH_CPU_SHARE, full_database, limit_of
from loadstone.audit.engine.unexplained_wait import unexplained_wait
from loadstone.findings import scope
from loadstone.findings.model import Finding, Severity
from loadstone.results.window import WindowedRun
from loadstone.text import units

SERVICE_CPU_SHARE = 0.90
"""Of the CPUs that the service could use: with less, something else was the limit."""


def service_not_saturated(run: WindowedRun) -> Iterator[Finding]:
    """Closed users that did not fill the service's CPUs: the throughput is not its limit.

    What hardly computes with nothing else full is `waits-not-on-cpu`; where a database was full it is
    `database-limited`.
    """
    unfilled = _unfilled(run)
    if unfilled is None or database_limit(run) is not None or unexplained_wait(run) is not None:
        return
    yield Finding(
        code="service-not-saturated",
        severity=Severity.WARNING,
        subject=scope.run(run.record.run),
        metrics=("throughput",),
        evidence=f"{unfilled}; {limit_of(run)}",
        advice="add users until its CPU is full, or find what else it waits for",
    )


def database_limit(run: WindowedRun) -> str | None:
    """How a database was the limit of closed users in the service's place; none where it was not."""
    unfilled, full = _unfilled(run), full_database(run)
    return None if unfilled is None or full is None else f"{full}; {unfilled}"


def _unfilled(run: WindowedRun) -> str | None:
    """How far from full a study's closed users left the service's CPUs; none where they filled them."""
    used = run.service_resources
    if is_bench(run) or not is_to_saturate(run) or used is None or used.cpu_share is None:
        return None
    if used.cpu_share >= SERVICE_CPU_SHARE:
        return None
    return (
        f"the {_services(run)} used {units.share(used.cpu_share)} of its CPU time "
        f"(at least {units.percent(SERVICE_CPU_SHARE)} at saturation)"
    )


def is_to_saturate(run: WindowedRun) -> bool:
    """Whether the load is closed users that ask again at once: those that pause or whose number changes
    are not there to fill a service. What another tool's users were there for is not told.
    """
    return asks_at_once(run) and run.asks_steadily


def asks_at_once(run: WindowedRun) -> bool:
    """Whether the load is such users, also where something was done to the system meanwhile."""
    if run.record.source is not None or run.users_pause:
        return False
    return run.load.arrivals == "users" and run.load_is_even


def is_saturated(run: WindowedRun) -> bool:
    """Whether such users filled the CPU time that the services could use."""
    used = run.service_resources
    return is_to_saturate(run) and used is not None and (used.cpu_share or 0) >= SERVICE_CPU_SHARE


def _services(run: WindowedRun) -> str:
    return "service" if len(run.services) == 1 else "services together"


def bench_cpu_busy(run: WindowedRun) -> Iterator[Finding]:
    """CPUs of engine, dependencies and probe that were too busy to be out of the way.

    Where the service's process is not known nobody knows which CPU it uses: nothing is said then.
    """
    busiest = run.busiest_bench_cpu
    if busiest is not None and busiest.busy_share > BENCH_CPU_SHARE:
        yield Finding(
            code="bench-cpu-busy",
            severity=Severity.WARNING,
            subject=scope.run(run.record.run),
            metrics=(*touched_metrics.TIMES, "throughput"),
            evidence=f"CPU {busiest.cpu}, which engine, backend and probe share, was busy "
            f"{units.share(busiest.busy_share)} of the time "
            f"(at most {units.percent(BENCH_CPU_SHARE)})",
            advice="use fewer users or a lower rate, or a machine with more CPUs",
        )


def is_bench(run: WindowedRun) -> bool:
    """Whether the run belongs to no study: `bench` and other tools place nothing, without factors."""
    return not run.record.run.factors
