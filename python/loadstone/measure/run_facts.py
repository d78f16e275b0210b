"""What one run has shown so far: its record is made of it, however the run ends."""

import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from loadstone.deploy.dependencies.interface import Leader
from loadstone.deploy.deployed_system import DeployedSystem, Reading
from loadstone.measure.prepare.prepared import Parts
from loadstone.measure.runtime_figures.collect import collect_runtime_figures
from loadstone.results.engine_load import EngineLoad, MachineLoad, NetworkFacts
from loadstone.results.fault_facts import FaultFacts
from loadstone.results.load_facts import LoadFacts
from loadstone.results.record import CheckFacts, ProcessFacts, WarmedFacts, Window
from loadstone.results.resource_facts import CpuBusy, MachineFacts, ProbeFacts, ResourceFacts
from loadstone.results.service_facts import AddressFacts, MarkFacts
from loadstone.results.store_work import StoreReading, work_between


@dataclass
class RunFacts:
    """Facts of a run, growing while it goes on."""

    step: str = "run"
    """The phase that is going on, or in which an exception was raised."""
    phases_ns: dict[str, int] = field(default_factory=dict)
    processes: list[ProcessFacts] = field(default_factory=list)
    address: AddressFacts | None = None
    checks: list[CheckFacts] = field(default_factory=list)
    warmed: WarmedFacts | None = None
    load: LoadFacts | None = None
    window: Window | None = None
    resources: dict[str, ResourceFacts] = field(default_factory=dict)
    cpus: tuple[CpuBusy, ...] = ()
    machine: MachineFacts | None = None
    probe: ProbeFacts | None = None
    loads: dict[str, EngineLoad] = field(default_factory=dict)
    network: NetworkFacts | None = None
    beside: dict[str, MachineLoad] = field(default_factory=dict)
    first_requests: int | None = None
    marks: list[MarkFacts] = field(default_factory=list)
    faults: tuple[FaultFacts, ...] = ()

    def add_service(self, facts: ProcessFacts, *, called: bool) -> None:
        """Keep a service that has come up; the one that is called from outside comes first."""
        roles = [each.role for each in self.processes]
        first = roles.index("service") if called and "service" in roles else len(roles)
        self.processes.insert(first, facts)

    def see_confinement(self, system: DeployedSystem) -> None:
        """Keep what the kernel has counted of the services until now."""
        self._update(
            {
                name: {"confinement": each.confinement_facts()}
                for name, each in system.services.items()
            }
        )

    def see_ends(self, system: DeployedSystem) -> None:
        """Keep which processes had to be killed at the end of the run."""
        killed = {name: each.killed_after_ns for name, each in system.services.items()}
        killed |= {each.name: each.killed_after_ns for each in system.dependencies}
        self.processes = [
            each.model_copy(update={"killed_after_ns": killed.get(each.name)})
            for each in self.processes
        ]

    def see_runtimes(self, parts: Parts, system: DeployedSystem, logs: Path) -> None:
        """Keep what the runtimes of what is measured tell of themselves; a JVM collects its heap."""
        window = None
        if self.load is not None and self.window is not None:
            began_ns = self.load.started_unix_ns
            window = began_ns + self.window.start_ns, began_ns + self.window.end_ns
        told = {}
        for deployment in (each for each in system.measured if each.name not in system.away):
            name = deployment.name
            runtime = parts[deployment.service].launch.runtime
            if runtime is not None:
                figures = collect_runtime_figures(runtime, deployment.child, logs, window)
                told[name] = {"runtime_figures": figures}
        for name, there in system.elsewhere.items():
            if there.facts.runtime is not None:
                offset_ns = self._clock_offset_ns(there.facts.machine)
                at = None if window is None else (window[0] + offset_ns, window[1] + offset_ns)
                told[name] = {"runtime_figures": there.runtime_figures(at)}
        self._update(told)

    def _clock_offset_ns(self, machine: str | None) -> int:
        """How far the clock of a machine was ahead of this one's when the load began."""
        seen = self.beside.get(machine or "")
        return 0 if seen is None else seen.clock_before.offset_ns

    def see_leaders(self, leaders: Iterable[Leader]) -> None:
        """Keep the processes of dependencies, of which a reset may have started some anew."""
        self._tell({each.name: {"pid": each.pid, "command": each.command} for each in leaders})

    def see_work(self, before: Mapping[str, Reading], after: Mapping[str, Reading]) -> None:
        """Keep what the dependencies did between two readings, and what they held at both."""
        self._tell({name: _work(before[name], reading) for name, reading in after.items()})

    def _tell(self, of_dependencies: Mapping[str, Mapping[str, object]]) -> None:
        self.processes = [
            each.model_copy(update=of_dependencies.get(each.name, {}))
            if each.role == "dependency"
            else each
            for each in self.processes
        ]

    def _update(self, of_services: Mapping[str, Mapping[str, object]]) -> None:
        self.processes = [
            each.model_copy(update=of_services.get(each.name, {}))
            if each.role in ("service", "bench")
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
        before, self.step = self.step, name
        began = time.monotonic_ns()
        try:
            yield
            self.step = before
        finally:
            self.phases_ns[name] = self.phases_ns.get(name, 0) + time.monotonic_ns() - began


def _work(before: Reading, after: Reading) -> dict[str, object]:
    """Return the facts that two readings of one dependency make."""
    if isinstance(before, StoreReading) or isinstance(after, StoreReading):
        assert isinstance(before, StoreReading)
        assert isinstance(after, StoreReading)
        return {"store_work": work_between(before, after)}
    return {
        "database_work": after.work.minus(before.work),
        "rows_before": before.rows,
        "rows_after": after.rows,
    }
