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


def bench_cpu_busy(run: WindowedRun) -> Iterator[Finding]:
    """CPUs of engine, dependencies and probe that were too busy to be out of the way.

    Where the service is not the lab's own nobody knows which CPU it uses: nothing is said then.
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
