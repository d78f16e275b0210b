"""Rules on dependencies by their CPU time: one that did too little was not asked.

It is all that shows what most of them did; of databases, which count their statements, is
`database_use.py`. Without a control group CPU time is counted in steps of the kernel's clock, so short
runs say nothing.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from statistics import median
from typing import NamedTuple

from loadstone.audit import touched_metrics
from loadstone.findings import scope
from loadstone.findings.model import Finding, Severity
from loadstone.metrics.outcomes import Outcome
from loadstone.results.read import StoredRun
from loadstone.results.record import ASKED_ROLES, ProcessFacts, RunRecord
from loadstone.results.window import WindowedRun
from loadstone.text import units

LEAST_CPU_NS = 1_000
"""Of CPU time for each ok request. To read it from a socket, to answer and to wait for the next are
three system calls through the kernel's TCP, which take several microseconds: the echo backend, which
does nothing else, was measured at 13 to 34 us."""

RESOLUTION_NS = 20_000_000
"""By which CPU time may be understated: a step of 10 ms at either end of the window (`CLK_TCK`)."""

LESS_THAN = 0.2
"""Of the median of the other arms. New connections, statements that are parsed again or several
requests read at once change the cost of one two- to threefold; a fifth is another amount of work."""

SKIPPED = "dependency-skipped"
SKIPPED_ADVICE = (
    "see in the service's code whether it answers from a cache or asks for many requests at once; "
    "where the operations do not need the dependency, this is as it should be"
)


def dependency_idle(run: WindowedRun) -> Iterator[Finding]:
    """Dependencies that cannot have been asked for each request, since they computed too little."""
    ok = run.ok_inside()
    for process in run.record.processes:
        used = run.record.resources.get(process.name)
        if process.role != "dependency" or process.database_work is not None:
            continue
        if used is None or used.cpu_ns is None:
            continue
        at_most_ns = used.cpu_ns + RESOLUTION_NS
        if at_most_ns < LEAST_CPU_NS * ok:
            yield Finding(
                code=SKIPPED,
                severity=Severity.WARNING,
                subject=scope.run(run.record.run),
                metrics=touched_metrics.LOAD,
                evidence=f"{process.name} used at most {units.duration(at_most_ns / ok)} of CPU time "
                f"for each of {ok:,} ok requests (at least {units.duration(LEAST_CPU_NS)} if it was "
                "asked each time)",
                advice=SKIPPED_ADVICE,
            )


class _Cost(NamedTuple):
    cpu_ns: int
    ok: int
    runs: int

    @property
    def highest_ns(self) -> float:
        """The most that one ok request may have cost, with all that the clock may have missed."""
        return (self.cpu_ns + self.runs * RESOLUTION_NS) / self.ok

    @property
    def mean_ns(self) -> float:
        return self.cpu_ns / self.ok


def dependency_skipped(runs: Sequence[StoredRun]) -> Iterator[Finding]:
    """Arms whose dependency did far less for each ok request than that of other arms.

    Services on the bench are asked as dependencies are. Only arms under the same settings of the system
    are compared, and of those only dependencies with the same settings and bench services of the same
    level: over TLS each request costs more.
    """
    for (workload, name, _), costs in _costs(runs).items():
        for arm, cost in costs.items():
            others = [other.mean_ns for each, other in costs.items() if each != arm]
            if others and cost.highest_ns < LESS_THAN * median(others):
                yield Finding(
                    code=SKIPPED,
                    severity=Severity.WARNING,
                    subject=scope.arm(arm, workload),
                    metrics=touched_metrics.LOAD,
                    evidence=f"{name} used at most {units.duration(cost.highest_ns)} of CPU time for "
                    f"each ok request of {arm}, and {units.duration(median(others))} for one of the "
                    f"other arms (at least {units.percent(LESS_THAN)} of it)",
                    advice=SKIPPED_ADVICE,
                )


AskedGroup = tuple[str, str, tuple[tuple[str, str], ...]]
"""Workload, dependency, and what its cost depends on: settings of its own and of the system."""


def _costs(runs: Sequence[StoredRun]) -> dict[AskedGroup, dict[str, _Cost]]:
    """Costs by group and arm. CPU time is of the window, so ok requests are taken in proportion."""
    found: dict[AskedGroup, dict[str, _Cost]] = defaultdict(dict)
    for stored in runs:
        record = stored.measured
        if record is None or not stored.completed or record.load is None or record.window is None:
            continue
        share = (record.window.end_ns - record.window.start_ns) / record.load.load_ns
        ok = round(record.outcomes.get(Outcome.OK, 0) * share)
        for process in record.processes:
            used = record.resources.get(process.name)
            if process.role not in ASKED_ROLES or process.database_work is not None:
                continue
            if used and used.cpu_ns is not None and ok:
                arms = found[asked_group(process, record)]
                before = arms.get(record.run.arm, _Cost(0, 0, 0))
                arms[record.run.arm] = _Cost(
                    before.cpu_ns + used.cpu_ns, before.ok + ok, before.runs + 1
                )
    return found


def asked_group(process: ProcessFacts, record: RunRecord) -> AskedGroup:
    """What of a run other runs are held against: the same asked under the same settings."""
    level = {process.name: process.label or ""}
    settings = tuple(sorted((process.settings | record.run.settings | level).items()))
    return record.run.workload, process.name, settings
