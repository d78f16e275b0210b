"""Rules on what was busy: a saturation figure is the service's only if its CPU was the limit.

The two thresholds belong together: the service's CPUs are full, the other CPUs are not.
"""

from collections.abc import Iterator

from loadstone.analysis.model import Finding, Severity
from loadstone.audit import metrics, scope
from loadstone.report import units
from loadstone.results.window import WindowedRun

SERVICE_CPU_SHARE = 0.90
"""Of the CPUs that the service could use: with less, something else was the limit."""

BENCH_CPU_SHARE = 0.85
"""Busy share of a CPU that engine, backend and probe run on: with more, they delay each other."""


def service_not_saturated(run: WindowedRun) -> Iterator[Finding]:
    """Closed users that did not fill the service's CPUs: the throughput is not its limit.

    Nothing is said of users that pause or whose number changes: they are not there to saturate.
    """
    if _is_bench(run):
        return
    used, arrivals = run.service_resources, run.record.arrivals
    if run.load.arrivals != "users" or used is None or used.cpu_share is None:
        return
    if run.record.think is not None or (arrivals is not None and not arrivals.is_steady):
        return
    if used.cpu_share < SERVICE_CPU_SHARE:
        yield Finding(
            code="service-not-saturated",
            severity=Severity.WARNING,
            scope=scope.run(run.record.run.id),
            metrics=("throughput",),
            evidence=f"the {_services(run)} used {units.share(used.cpu_share)} of its CPU time "
            f"(at least {units.percent(SERVICE_CPU_SHARE)} at saturation)",
            advice="add users until its CPU is full, or find what else it waits for",
        )


def _services(run: WindowedRun) -> str:
    return "service" if len(run.services) == 1 else "services together"


def service_not_apart(run: WindowedRun) -> Iterator[Finding]:
    """A service of a study's arm that was running already, and may use the CPUs that measure it."""
    if run.record.address is None or run.service is None or _is_bench(run):
        return
    bench = {cpu for each in run.record.processes if each.role == "engine" for cpu in each.cpus}
    if both := sorted(bench & set(run.service.cpus)):
        yield Finding(
            code="service-not-apart",
            severity=Severity.WARNING,
            scope=scope.run(run.record.run.id),
            metrics=metrics.LOAD,
            evidence=f"{run.service.label} was running already and may use CPU "
            f"{', '.join(map(str, both))}, as the engine does",
            advice=f"keep it off with taskset --all-tasks --pid --cpu-list, its process is "
            f"{run.service.pid}; or give its command, and the lab does",
        )


def bench_cpu_busy(run: WindowedRun) -> Iterator[Finding]:
    """CPUs of engine, dependencies and probe that were too busy to be out of the way.

    Where the service's process is not known nobody knows which CPU it uses: nothing is said then.
    """
    if not run.services:
        return
    bench = {
        cpu for process in run.record.processes if process.role != "service" for cpu in process.cpus
    } - {cpu for service in run.services for cpu in service.cpus}
    busiest = max(
        (cpu for cpu in run.record.cpus if cpu.cpu in bench),
        key=lambda cpu: cpu.busy_share,
        default=None,
    )
    if busiest is not None and busiest.busy_share > BENCH_CPU_SHARE:
        yield Finding(
            code="bench-cpu-busy",
            severity=Severity.WARNING,
            scope=scope.run(run.record.run.id),
            metrics=(*metrics.TIMES, "throughput"),
            evidence=f"CPU {busiest.cpu}, which engine, backend and probe share, was busy "
            f"{units.share(busiest.busy_share)} of the time "
            f"(at most {units.percent(BENCH_CPU_SHARE)})",
            advice="use fewer users or a lower rate, or a machine with more CPUs",
        )


def _is_bench(run: WindowedRun) -> bool:
    """Whether it is a load of `bench`: it places nothing, compares nothing, and has no factors."""
    return not run.record.run.factors
