"""Rule on CPU quotas: what a service could not compute since it had used up its share of the period."""

from collections.abc import Iterator

from loadstone.audit import touched_metrics
from loadstone.audit.engine.saturation import is_saturated
from loadstone.findings import scope
from loadstone.findings.model import Finding, Severity
from loadstone.results.record import ProcessFacts
from loadstone.results.window import WindowedRun
from loadstone.text import units

THROTTLED_SHARE = 0.01
"""Of the window. Requests that fall into it wait for the rest of a period of up to 100 ms: where they
are one in a hundred, they are the p99."""


def throttled(run: WindowedRun) -> Iterator[Finding]:
    """Services that their quota held back: a note where the quota is the limit that is measured."""
    for service in run.services:
        used = run.record.resources.get(service.name)
        share = None if used is None else used.throttled_share
        if share is None or share <= THROTTLED_SHARE:
            continue
        quota = service.confinement.cpus if service.confinement else None
        meant = is_saturated(run) and quota is not None
        yield Finding(
            code="throttled",
            severity=Severity.NOTE if meant else Severity.WARNING,
            subject=scope.run(run.record.run),
            metrics=() if meant else _touched(run),
            evidence=f"{service.name} was held back by {_quota(service)} for {units.share(share)} of "
            f"the window (at most {units.percent(THROTTLED_SHARE)})"
            + (": its throughput is what the quota allows" if meant else ""),
            advice="read the figures as those of this quota: another one gives others"
            if meant
            else "raise `cpus` of the service in `limits`, or lower the load: its times are as much "
            "the quota's as its own",
        )


def _touched(run: WindowedRun) -> tuple[str, ...]:
    """Of closed users also the throughput: they wait for answers that the quota delays."""
    return (
        (*touched_metrics.TIMES, "throughput")
        if run.load.arrivals != "rate"
        else touched_metrics.TIMES
    )


def _quota(service: ProcessFacts) -> str:
    cpus = service.confinement.cpus if service.confinement else None
    return "a CPU quota" if cpus is None else f"its quota of {units.number(cpus)} CPUs"
