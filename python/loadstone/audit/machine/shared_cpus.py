"""Rule on placement: a service that may use the CPU of the engine is slowed down by its own load."""

from collections.abc import Iterator

from loadstone.audit import touched_metrics
from loadstone.audit.engine.saturation import is_bench
from loadstone.findings import scope
from loadstone.findings.model import Finding, Severity
from loadstone.results.record import ProcessFacts
from loadstone.results.window import WindowedRun


def service_not_apart(run: WindowedRun) -> Iterator[Finding]:
    """Services of a study's arm that may use the CPUs that measure them, for whatever reason."""
    if is_bench(run):
        return
    bench = {cpu for each in run.record.here if each.role == "engine" for cpu in each.cpus}
    for service in (each for each in run.services if each.machine is None):
        if both := sorted(bench & set(service.cpus)):
            was, advice = _reason(run, service)
            yield Finding(
                code="service-not-apart",
                severity=Severity.WARNING,
                subject=scope.run(run.record.run),
                metrics=touched_metrics.LOAD,
                evidence=f"{service.label or service.name} {was}may use CPU "
                f"{', '.join(map(str, both))}, as the engine does",
                advice=advice,
            )


def _reason(run: WindowedRun, service: ProcessFacts) -> tuple[str, str]:
    """How the service came to share a CPU, in words for the evidence, and what to do about it."""
    if run.record.address is not None:
        return (
            "was running already and ",
            f"keep it off with taskset --all-tasks --pid --cpu-list, its process is {service.pid}; "
            "or give its command, and the lab does",
        )
    return (
        "",
        "run on a machine with two CPUs or more, where `placement` gives no CPU to both roles",
    )
