"""The engine of a site, where that is not on the service's machine: started, probed and followed here.

All that is told of it is by this machine's clock; whoever asks by datagrams is told that.
"""

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from loadstone.cluster.engines.messages import (
    BeginLoad,
    BeginWindow,
    EngineAnswer,
    EngineCommand,
    EngineSaid,
    LeaveLoad,
    LoadFailed,
    LoadLeft,
    LoadPrepared,
    PrepareLoad,
    StopLoad,
    folder_of,
)
from loadstone.cluster.machine_watch import MachineWatch
from loadstone.deploy.placement import Core, available_cores, available_cpus
from loadstone.errors import LoadstoneError, RecordsUnwritable, StepFailed
from loadstone.measure.loading.engine import Engine, start_engine
from loadstone.measure.loading.feed_rows import feed_rows
from loadstone.results.record import ProcessFacts
from loadstone.study.design.resolve import ResolvedPlan
from loadstone.study.values.model import Workload

Answer = Callable[[EngineAnswer], None]


def engine_cpus(cores: tuple[Core, ...]) -> tuple[int, ...]:
    """Return the CPUs of an engine that has a machine to itself: one of each core but the first.

    The first one is for the probe, the lab and Ray, and on it the kernel does most of its own work; two
    threads of one core would slow each other down. A single core is divided between its CPUs.
    """
    ordered = sorted(tuple(sorted(core)) for core in cores)
    if len(ordered) > 1:
        return tuple(core[0] for core in ordered[1:])
    return ordered[0][1:2] or ordered[0]


class EngineLab:
    """The engine's part of a site: one load after the other."""

    def __init__(
        self,
        resolved: ResolvedPlan,
        address: str,
        results: Path,
        beside: tuple[ProcessFacts, ...],
        answer: Answer,
    ) -> None:
        """`address` is this machine's, `beside` what is probed with the engine."""
        self._resolved, self._address, self._results = resolved, address, results
        self._beside, self._answer = beside, answer
        self.cpus = engine_cpus(available_cores())
        """Those that an engine may use."""
        self._all_cpus = available_cpus()  # which the lab may give away later
        self._load: _Load | None = None

    @property
    def is_loading(self) -> bool:
        """Whether an engine is to be looked after."""
        return self._load is not None

    def do(self, command: EngineCommand) -> None:
        """Carry a command out; one for a load that there is not is of no use any more."""
        if isinstance(command, PrepareLoad):
            self.close()
            self._prepare(command)
            return
        load = self._load
        if load is None or load.name != command.load:
            return
        match command:
            case BeginLoad():
                load.engine.begin()
            case BeginWindow():
                load.engine.begin_window(command.not_before_ns)
            case StopLoad():
                load.engine.child.terminate()
            case LeaveLoad():
                self.close()

    def look(self) -> None:
        """Tell what the engine has said since the last look."""
        if self._load is None or self._load.is_told:
            return
        try:
            self._load.look(self._answer)
        except LoadstoneError as error:
            self._fail(self._load.name, error)

    def close(self) -> None:
        """End the load at hand."""
        if self._load is not None:
            self._load.close()
            self._load = None

    def _prepare(self, command: PrepareLoad) -> None:
        try:
            self._load = _Load(
                command, self._resolved, self._address, self._results, self._beside, self._all_cpus
            )
            self._answer(
                LoadPrepared(
                    load=command.load, processes=self._load.processes, port=self._load.port
                )
            )
        except (LoadstoneError, OSError) as error:
            self._fail(command.load, error)

    def _fail(self, load: str, error: LoadstoneError | OSError) -> None:
        if self._load is not None:
            self._load.is_told = True
        step = error if isinstance(error, StepFailed) else None
        self._answer(
            LoadFailed(
                load=load,
                reason=str(error) if step is None else step.reason,
                log_tail="" if step is None else step.log_tail,
                no_room=isinstance(error, RecordsUnwritable),
            )
        )


class _Load:
    """One load: its engine, and the probe beside it."""

    def __init__(
        self,
        command: PrepareLoad,
        resolved: ResolvedPlan,
        address: str,
        results: Path,
        beside: tuple[ProcessFacts, ...],
        all_cpus: tuple[int, ...],
    ) -> None:
        """Raises LoadstoneError, OSError."""
        self.name, self.is_told = command.load, False
        self._directory = results / folder_of(command.load)
        self._directory.mkdir(parents=True)
        with ExitStack() as held:
            plan = _with_feeds(command, resolved, held)
            cpus = tuple(plan["cpus"])
            self.engine: Engine = start_engine(plan, self._directory, cpus, is_held=True)
            held.callback(self.engine.stop)
            leaders = {each.name: each.pid for each in self.engine.processes}
            self._watch = MachineWatch(address, command.key, leaders, beside, all_cpus)
            held.callback(self._watch.close)
            self.port = self._watch.port
            self.processes = (*self.engine.processes, *self._watch.beside)
            self._held = held.pop_all()

    def look(self, answer: Answer) -> None:
        """Tell what the engine has said, and at its end what it left. Raises LoadstoneError."""
        is_over = self.engine.is_over()  # before its lines are read: what it said last counts
        for event in self.engine.events():
            if event["event"] not in ("finished", "failed"):
                answer(EngineSaid(load=self.name, event=event))
        if not is_over:
            return
        summary = self.engine.facts()
        probe, network = self._watch.leave(self._directory)
        self.is_told = True
        answer(LoadLeft(load=self.name, summary=summary, probe=probe, network=network))

    def close(self) -> None:
        """End engine, probe and clock."""
        self._held.close()


def _with_feeds(command: PrepareLoad, resolved: ResolvedPlan, held: ExitStack) -> dict[str, Any]:
    """Return the plan with the rows of its feeds as they are here. Raises LoadstoneError."""
    workload = next(each for each in resolved.plan.workloads if each.workload == command.workload)
    assert isinstance(workload, Workload), "nothing else is loaded with"
    files = held.enter_context(feed_rows(workload, resolved.system.workloads))
    feeds = []
    for feed, found in zip(command.plan["feeds"], files.values(), strict=True):
        if found.sha256 != feed["sha256"]:
            raise StepFailed("load", f"the rows of the feed {feed['name']} are others here")
        feeds.append({**feed, "file": str(found.path)})
    return {**command.plan, "feeds": feeds}
