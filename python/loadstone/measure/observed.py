"""What one run has shown so far, and the record that is made of it, however the run ends."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal

from loadstone.deploy.standing import Standing
from loadstone.errors import StepFailed
from loadstone.measure.bench import Bench
from loadstone.results.record import (
    CheckFacts,
    Failure,
    LoadFacts,
    ProcessFacts,
    RunIdentity,
    RunRecord,
    Window,
    now_utc,
)
from loadstone.results.resource_facts import CpuBusy, MachineFacts, ProbeFacts, ResourceFacts
from loadstone.results.service_facts import MarkFacts
from loadstone.study.model import PlannedRun, StartupWorkload


@dataclass
class Observed:
    """Facts of a run, growing while it goes on."""

    phases_ns: dict[str, int] = field(default_factory=dict)
    processes: list[ProcessFacts] = field(default_factory=list)
    checks: list[CheckFacts] = field(default_factory=list)
    load: LoadFacts | None = None
    window: Window | None = None
    resources: dict[str, ResourceFacts] = field(default_factory=dict)
    cpus: tuple[CpuBusy, ...] = ()
    machine: MachineFacts | None = None
    probe: ProbeFacts | None = None
    marks: list[MarkFacts] = field(default_factory=list)

    def add_service(self, facts: ProcessFacts, *, called: bool) -> None:
        """Keep a service that has come up; the one that is called from outside comes first."""
        others = [each.role for each in self.processes]
        first = others.index("service") if called and "service" in others else len(others)
        self.processes.insert(first, facts)

    def see_confinement(self, standing: Standing) -> None:
        """Keep what the kernel has counted of the services until now."""
        facts = {
            name: deployment.confinement_facts() for name, deployment in standing.services.items()
        }
        self.processes = [
            each.model_copy(update={"confinement": facts[each.name]})
            if each.name in facts
            else each
            for each in self.processes
        ]

    def move_phase(self, of: str, to: str, duration_ns: int) -> None:
        """Count a part of one phase as another."""
        self.phases_ns[of] = self.phases_ns.get(of, 0) - duration_ns
        self.phases_ns[to] = self.phases_ns.get(to, 0) + duration_ns

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Add the wall time of the block to a phase."""
        began = time.monotonic_ns()
        try:
            yield
        finally:
            self.phases_ns[name] = self.phases_ns.get(name, 0) + time.monotonic_ns() - began


def record_of(
    bench: Bench,
    planned: PlannedRun,
    observed: Observed,
    status: Literal["completed", "failed", "interrupted"],
    failure: StepFailed | None,
    started_at: str,
) -> RunRecord:
    """Return the record of a run that ends now."""
    load = observed.load
    workload = bench.workload_of(planned)
    loading = None if isinstance(workload, StartupWorkload) else workload
    return RunRecord(
        run=RunIdentity(
            index=planned.index,
            id=planned.id,
            study=bench.plan.study,
            arm=planned.arm,
            factors=bench.arm_of(planned).factors,
            workload=planned.workload,
            block=planned.block,
            seed=planned.seed,
        ),
        kind=workload.kind,
        status=status,
        failure=None
        if failure is None
        else Failure(step=failure.step, reason=failure.reason, log_tail=failure.log_tail),
        started_at=started_at,
        finished_at=now_utc(),
        phases_ns=observed.phases_ns,
        outcomes={} if load is None else load.outcomes,
        operations={} if load is None else load.operations,
        arrivals=None if loading is None else loading.arrivals,
        think=None if loading is None else loading.think,
        load=load,
        window=observed.window,
        processes=tuple(observed.processes),
        resources=observed.resources,
        cpus=observed.cpus,
        machine=observed.machine,
        probe=observed.probe,
        marks=tuple(observed.marks),
        checks=tuple(observed.checks),
        versions=bench.versions,
    )
