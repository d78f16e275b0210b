"""The dependencies of a site, where they are not on the service's machine: started, asked, probed and
stopped here, as the lab of the service says.
"""

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from loadstone.cluster.dependencies.messages import (
    AskDependency,
    DependenciesLeft,
    DependenciesWatched,
    DependencyAnswer,
    DependencyCommand,
    DependencyDid,
    DependencyEnded,
    DependencyFailed,
    DependencyStarted,
    DependencyStopped,
    LeaderFacts,
    LeaveDependencies,
    StartDependency,
    StopDependency,
    WatchDependencies,
)
from loadstone.cluster.machine_watch import MachineWatch
from loadstone.deploy.confinement.interface import Confine
from loadstone.deploy.dependencies.interface import Dependency
from loadstone.deploy.dependencies.placed import placed
from loadstone.deploy.dependencies.registry import KINDS
from loadstone.deploy.placement import available_cpus
from loadstone.errors import LoadstoneError, StepFailed
from loadstone.results.record import ProcessFacts
from loadstone.study.design.resolve import ResolvedPlan

Answer = Callable[[DependencyAnswer], None]

_FOLDER = "dependencies"


@dataclass
class _Standing:
    """A dependency that was started here."""

    dependency: Dependency
    folder: str
    """Of its logs, below the results."""
    is_told: bool = False
    """Whether its end was told."""


class DependencyLab:
    """The dependencies' part of a site."""

    def __init__(
        self,
        resolved: ResolvedPlan,
        address: str,
        results: Path,
        cpus: tuple[int, ...],
        confine: Confine,
        beside: tuple[ProcessFacts, ...],
        answer: Answer,
    ) -> None:
        """`address` is this machine's, `cpus` are those that dependencies may use, and `beside` is what
        is probed with them.
        """
        self._resolved, self._address, self._results = resolved, address, results
        self._confine, self._beside, self._answer = confine, beside, answer
        self.cpus = cpus
        self._all_cpus = available_cpus()  # which the lab may give away later
        self._standing: dict[str, _Standing] = {}
        self._watch: MachineWatch | None = None

    @property
    def is_busy(self) -> bool:
        """Whether something stands that is to be looked after."""
        return bool(self._standing)

    def do(self, command: DependencyCommand) -> None:
        """Carry a command out, and answer it."""
        try:
            match command:
                case StartDependency():
                    self._start(command)
                case AskDependency():
                    self._ask(command)
                case StopDependency():
                    self._stop(command)
                case WatchDependencies():
                    self._begin_watch(command)
                case LeaveDependencies():
                    self._leave_watch(command)
        except (LoadstoneError, OSError) as error:
            step = error if isinstance(error, StepFailed) else None
            self._answer(
                DependencyFailed(
                    call=command.call,
                    step="deploy" if step is None else step.step,
                    reason=str(error) if step is None else step.reason,
                    log_tail="" if step is None else step.log_tail,
                )
            )

    def look(self) -> None:
        """Tell of each dependency that has ended of itself since the last look."""
        for name, each in self._standing.items():
            if not each.is_told and (ending := each.dependency.ending()) is not None:
                each.is_told = True
                self._answer(
                    DependencyEnded(
                        call=0, name=name, ending=ending, log_tail=each.dependency.log_tail()
                    )
                )

    def close(self) -> None:
        """End all that still stands."""
        if self._watch is not None:
            self._watch.close()
            self._watch = None
        for name in tuple(self._standing):
            self._standing.pop(name).dependency.stop()

    def _start(self, command: StartDependency) -> None:
        if (before := self._standing.pop(command.name, None)) is not None:
            before.dependency.stop()  # of a run whose end nobody heard of
        system, own = self._resolved.system, f"{_FOLDER}/{command.call:06}-{command.name}"
        logs = self._results / own
        logs.mkdir(parents=True)
        place = placed(
            system,
            command.name,
            system.chosen(command.settings),
            cpus=self.cpus,
            logs=logs,
            cache=self._resolved.builds,
            confine=self._confine,
            address=self._address,
        )
        dependency = KINDS[system.dependencies[command.name]].start(place)
        self._standing[command.name] = _Standing(dependency, own)
        self._answer(
            DependencyStarted(
                call=command.call,
                url=dependency.url,
                settings=dict(dependency.settings),
                leaders=_leaders(dependency),
            )
        )

    def _ask(self, command: AskDependency) -> None:
        dependency = self._of(command.name)
        done = DependencyDid(call=command.call, leaders=())
        match command.what:
            case "seed":
                dependency.seed()
            case "services_stand":
                dependency.services_stand()
            case "reset":
                dependency.reset()
            case "open_connections":
                done = done.model_copy(update={"open_connections": dependency.open_connections()})
            case "work":
                done = done.model_copy(update={"work": dependency.work()})
            case "rows":
                done = done.model_copy(update={"rows": dependency.rows()})
            case "store":
                done = done.model_copy(update={"store": dependency.store()})
        self._answer(done.model_copy(update={"leaders": _leaders(dependency)}))

    def _stop(self, command: StopDependency) -> None:
        standing = self._standing.pop(command.name, None)
        if standing is None:
            raise StepFailed("teardown", f"{command.name} does not stand")
        standing.dependency.stop()
        self._answer(
            DependencyStopped(
                call=command.call,
                folder=standing.folder,
                killed_after_ns=standing.dependency.killed_after_ns,
            )
        )

    def _begin_watch(self, command: WatchDependencies) -> None:
        if self._watch is not None:
            self._watch.close()
        leaders = {
            leader.name: leader.pid
            for each in self._standing.values()
            for leader in each.dependency.leaders
        }
        self._watch = MachineWatch(
            self._address, command.key, leaders, self._beside, self._all_cpus
        )
        self._answer(
            DependenciesWatched(
                call=command.call, processes=self._watch.beside, port=self._watch.port
            )
        )

    def _leave_watch(self, command: LeaveDependencies) -> None:
        watch, self._watch = self._watch, None
        if watch is None:
            raise StepFailed("load", "the dependencies are not watched")
        own = f"{_FOLDER}/{command.call:06}-watch"
        (self._results / own).mkdir(parents=True)
        with closing(watch):
            probe, network = watch.leave(self._results / own)
        self._answer(DependenciesLeft(call=command.call, folder=own, probe=probe, network=network))

    def _of(self, name: str) -> Dependency:
        """Return one that stands. Raises StepFailed."""
        if name not in self._standing:
            raise StepFailed("deploy", f"{name} does not stand")
        return self._standing[name].dependency


def _leaders(dependency: Dependency) -> tuple[LeaderFacts, ...]:
    return tuple(
        LeaderFacts(name=each.name, command=each.command, pid=each.pid, cpus=each.cpus)
        for each in dependency.leaders
    )
