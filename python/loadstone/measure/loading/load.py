"""A load that goes on, whoever offers it: the engine of this machine, or engines of others.

Times are by the clock of this machine, where the service and its probe are.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import polars as pl

from loadstone.deploy.dependencies.interface import Dependency
from loadstone.deploy.service_elsewhere import ServiceElsewhere
from loadstone.measure.loading.probe import GroupTick
from loadstone.measure.loading.usage import cpu_busy, machine
from loadstone.results.engine_load import EngineLoad, MachineLoad, NetworkFacts
from loadstone.results.engine_summary import EngineSummary
from loadstone.results.environment import ClockOffset
from loadstone.results.record import ProcessFacts, Window
from loadstone.results.resource_facts import ProbeFacts
from loadstone.study.values.manifest import Service

Event = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Beside:
    """What was seen of another machine in a load, by the clock of that one."""

    started_unix_ns: int
    """When the load began."""
    ticks: pl.DataFrame
    probe: ProbeFacts
    clock_before: ClockOffset
    clock_after: ClockOffset
    network: NetworkFacts | None

    @property
    def ticks_of_processes(self) -> pl.DataFrame:
        """The ticks of its processes, their wall clock as that of the machine that leads."""
        shifted = pl.col("unix_ns") - self.clock_before.offset_ns
        return self.ticks.filter(pl.col("kind") == "process").with_columns(shifted)

    def facts(self, window: Window) -> MachineLoad:
        """Return what a record keeps of it."""
        return MachineLoad(
            clock_before=self.clock_before,
            clock_after=self.clock_after,
            cpus=cpu_busy(self.ticks, window, self.started_unix_ns),
            machine=machine(self.ticks, window, self.started_unix_ns),
            probe=self.probe,
            network=self.network,
        )


@dataclass(frozen=True, kw_only=True)
class Elsewhere(Beside):
    """The same of a machine whose engine loaded, and what that left."""

    load: EngineSummary

    def engine_facts(self, window: Window) -> EngineLoad:
        """Return what a record keeps of it."""
        return EngineLoad(load=self.load, **dict(self.facts(window)))


@dataclass(frozen=True)
class Ended:
    """A load that has ended."""

    summary: EngineSummary
    """Of all engines together."""
    elsewhere: Mapping[str, Elsewhere] = field(default_factory=dict)
    """By machine, of engines that are not on this one."""
    network: NetworkFacts | None = None
    """What this machine's network carried meanwhile; none where nothing was to come over it."""


class Load(Protocol):
    """Engines that were started, and wait or load."""

    @property
    def processes(self) -> tuple[ProcessFacts, ...]:
        """The engines, and whatever else is probed where they are."""

    def begin(self) -> None:
        """Let it begin, where it has not begun yet. Raises StepFailed('load')."""

    def events(self) -> list[Event]:
        """Return the events that have come since the last call. Raises StepFailed('load') on a broken
        one.
        """

    def is_over(self) -> bool:
        """Whether it has ended, well or not. Returns at once."""

    def begin_window(self) -> None:
        """End the warm-up of a plan that has one: the window begins with one of the next seconds."""

    def ended(self) -> Ended:
        """Return what a load has left that is over. Raises StepFailed('load') where an engine could not
        do it, RecordsUnwritable if the disk took no more.
        """

    def stop(self) -> None:
        """End whatever still runs. Raises nothing."""


StartLoad = Callable[[Event, Path], Load]
"""Starts engines on a plan, whose files come into a folder. Raises StepFailed('load')."""


class Engines(Protocol):
    """Engines on machines of their own, which load what is on this one."""

    def start(self, workload: str, plan: Event, directory: Path) -> Load:
        """Start them on a plan for a workload of the study, each on CPUs and a share of its own.

        Their files come into a folder, together and apart. Raises StepFailed('load').
        """


class Watch(Protocol):
    """A machine that has parts of the system, probed in a load."""

    @property
    def processes(self) -> tuple[ProcessFacts, ...]:
        """What is probed there beside them."""

    def begin(self) -> None:
        """Ask its clock, before the load. Raises StepFailed('load')."""

    def counters(self, name: str) -> list[GroupTick]:
        """Return what was told so far of a process there, by the clocks of this machine; none of a
        process that is not there. Returns at once.
        """

    def left(self, started_unix_ns: int, directory: Path) -> Mapping[str, Beside]:
        """End the probe, and return what it saw, by machine; its files come below a folder.

        `started_unix_ns` is when the load began by this machine's clock. Raises StepFailed('load').
        """


class PartsElsewhere(Protocol):
    """A machine that has parts of the system whose called service is on this one."""

    def start(self, name: str, settings: Mapping[str, str], logs: Path) -> Dependency:
        """Start a dependency, at levels of the system's settings; its logs come into a folder at its
        end.

        Raises StepFailed('deploy') or StepFailed('seed').
        """

    def start_service(
        self,
        arm: str,
        is_watched: bool,
        name: str,
        service: Service,
        urls: Mapping[str, str],
        logs: Path,
    ) -> ServiceElsewhere:
        """Start a process of a service as an arm has it, with the URLs of what it needs.

        `is_watched` says whether the end of its warm-up is seen. Raises StepFailed as `deploy`.
        """

    def watch(self) -> Watch:
        """Begin to probe what it has. Raises StepFailed('load')."""
