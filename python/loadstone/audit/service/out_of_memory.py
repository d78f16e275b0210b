"""Rules on a service's memory limit: processes that the kernel killed, and no room left."""

from collections.abc import Iterator

from loadstone.audit import touched_metrics
from loadstone.findings import scope
from loadstone.findings.model import Finding, Severity
from loadstone.results.record import ProcessFacts
from loadstone.results.service_facts import ConfinementFacts
from loadstone.results.window import WindowedRun
from loadstone.text import units
from loadstone.text.words import counted

AT_LIMIT_SHARE = 0.99
"""Of the limit: the kernel frees pages in batches, so that a full group's peak may stay just below."""

RESIDENT_SHARE = 0.90
"""Of the limit, that is resident in processes: with less, what fills the group is files that the kernel
keeps as long as there is room, and frees at no cost to the service."""


def out_of_memory(run: WindowedRun) -> Iterator[Finding]:
    """Kills by the kernel in a run that went on all the same, and groups that were full."""
    for service in run.services:
        held = service.confinement
        if held is None:
            continue
        if held.out_of_memory_kills:
            yield _killed(run, service, held.out_of_memory_kills)
        elif run.late:
            continue  # nothing tells whether the group was full before the window ended
        elif held.memory_bytes and (held.memory_peak_bytes or 0) >= (
            AT_LIMIT_SHARE * held.memory_bytes
        ):
            yield _full(run, service, held)


def _killed(run: WindowedRun, service: ProcessFacts, kills: int) -> Finding:
    held = service.confinement
    limit = held.memory_bytes if held else None
    within = "" if limit is None else f" within its limit of {units.size(limit)}"
    return Finding(
        code="out-of-memory",
        severity=Severity.WITHHOLD,
        subject=scope.run(run.record.run),
        metrics=touched_metrics.ALL,
        evidence=f"the kernel killed {counted(kills, 'process', 'processes')} of {service.name} for "
        f"want of memory{within}: what answered afterwards is not what was started",
        advice="raise `memory` of the service in `limits`, or let the service keep below it",
    )


def _full(run: WindowedRun, service: ProcessFacts, held: ConfinementFacts) -> Finding:
    used = run.record.resources.get(service.name)
    resident = (used.rss_peak_bytes if used else None) or 0
    limit = held.memory_bytes or 0
    is_own = resident >= RESIDENT_SHARE * limit
    return Finding(
        code="out-of-memory",
        severity=Severity.WARNING if is_own else Severity.NOTE,
        subject=scope.run(run.record.run),
        metrics=(*touched_metrics.LOAD, "rss_peak") if is_own else (),
        evidence=f"{service.name} was charged {units.size(held.memory_peak_bytes or 0)} of its limit "
        f"of {units.size(limit)}, {units.size(resident)} of it resident"
        + (
            f" (at most {units.percent(RESIDENT_SHARE)}): it computes to keep below it"
            if is_own
            else ": the rest are files that the kernel keeps while there is room"
        ),
        advice="raise `memory` of the service in `limits`, and see whether times and CPU per ok change"
        if is_own
        else "nothing, unless the service reads more files than fit",
    )
