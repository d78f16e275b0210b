"""Parts of a site's system that are not on the machine that leads: started, asked, probed and stopped
here, as the lab there says.
"""

import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from loadstone.cluster.apart.messages import (
    AskDependency,
    AskService,
    DependencyDid,
    DependencyStarted,
    LeaderFacts,
    LeaveParts,
    PartAnswer,
    PartCommand,
    PartEnded,
    PartFailed,
    PartsLeft,
    PartsSeen,
    PartStopped,
    PartsWatched,
    ServiceDid,
    ServiceStarted,
    StartDependency,
    StartService,
    StopPart,
    WatchParts,
)
from loadstone.cluster.apart.service_host import HostedService, ServiceHost, make_ready
from loadstone.cluster.machine_watch import MachineWatch
from loadstone.deploy.confinement.interface import Confine
from loadstone.deploy.dependencies.interface import Dependency
from loadstone.deploy.dependencies.placed import placed
from loadstone.deploy.dependencies.registry import KINDS
from loadstone.deploy.placement import available_cpus
from loadstone.errors import LoadstoneError, StepFailed
from loadstone.results.record import ProcessFacts
from loadstone.study.design.resolve import ResolvedPlan

Answer = Callable[[PartAnswer], None]

_FOLDER = "parts"

SEEN_SECONDS = 1.0
"""Between two tellings of what the probe saw of services: each second it is asked if they are warm."""


@dataclass
class _Standing:
    """What was started here."""

    part: Dependency | HostedService
    folder: str
    """Of its logs, below the results."""
    is_told: bool = False
    """Whether its end was told."""


class PartsLab:
    """One machine."""

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
        """`address` is this machine's, `cpus` are those that parts may use, and `beside` is what is
        probed with them.
        """
        self._resolved, self._address, self._results = resolved, address, results
        self._confine, self._beside, self._answer = confine, beside, answer
        self.cpus = cpus
        self._all_cpus = available_cpus()  # which the lab may give away later
        self._standing: dict[str, _Standing] = {}
        self._watch: MachineWatch | None = None
        self._told: dict[str, int] = {}
        self._next_telling = 0.0
        self.services: ServiceHost | None = None
        """What services are started from; none until they are ready, and where none is to be here."""

    def make_ready(self, logs: Path) -> None:
        """Find what services are started from, with logs in a folder. Raises Unavailable."""
        self.services = make_ready(self._resolved, self._address, self.cpus, self._confine, logs)

    @property
    def is_busy(self) -> bool:
        """Whether something stands that is to be looked after."""
        return bool(self._standing)

    def do(self, command: PartCommand) -> None:
        """Carry a command out, and answer it."""
        try:
            match command:
                case StartDependency():
                    self._start(command)
                case AskDependency():
                    self._ask(command)
                case StartService():
                    self._start_service(command)
                case AskService():
                    self._ask_service(command)
                case StopPart():
                    self._stop(command)
                case WatchParts():
                    self._begin_watch(command)
                case LeaveParts():
                    self._leave_watch(command)
        except (LoadstoneError, OSError) as error:
            step = error if isinstance(error, StepFailed) else None
            self._answer(
                PartFailed(
                    call=command.call,
                    step="deploy" if step is None else step.step,
                    reason=str(error) if step is None else step.reason,
                    log_tail="" if step is None else step.log_tail,
                )
            )

    def look(self) -> None:
        """Tell of each part that has ended of itself since the last look, and what services used."""
        for name, each in self._standing.items():
            if not each.is_told and (ending := each.part.ending()) is not None:
                each.is_told = True
                self._answer(
                    PartEnded(call=0, name=name, ending=ending, log_tail=each.part.log_tail())
                )
        if self._watch is not None and time.monotonic() >= self._next_telling:
            self._next_telling = time.monotonic() + SEEN_SECONDS
            self._tell_seen(self._watch)

    def close(self) -> None:
        """End all that still stands."""
        if self._watch is not None:
            self._watch.close()
            self._watch = None
        for name in tuple(self._standing):
            self._standing.pop(name).part.stop()

    def _folder_for(self, command: StartDependency | StartService) -> str:
        """Make the folder of a part's logs, below the results, where nothing stands by its name."""
        if (before := self._standing.pop(command.name, None)) is not None:
            before.part.stop()  # of a run whose end nobody heard of
        own = f"{_FOLDER}/{command.call:06}-{command.name}"
        (self._results / own).mkdir(parents=True)
        return own

    def _start(self, command: StartDependency) -> None:
        system, own = self._resolved.system, self._folder_for(command)
        place = placed(
            system,
            command.name,
            system.chosen(command.settings),
            cpus=self.cpus,
            logs=self._results / own,
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

    def _start_service(self, command: StartService) -> None:
        assert self.services is not None, "services are made ready before they are started"
        own = self._folder_for(command)
        service = self.services.start(command, self._results / own)
        self._standing[command.name] = _Standing(service, own)
        self._answer(
            ServiceStarted(
                call=command.call, base_url=service.deployment.base_url, facts=service.facts
            )
        )

    def _ask_service(self, command: AskService) -> None:
        service = self._of(command.name)
        assert isinstance(service, HostedService), "a service is asked"
        did = ServiceDid(call=command.call)
        match command.what:
            case "ask":
                service.deployment.ask()
            case "end_warm_up":
                has_other_cpus = service.deployment.end_warm_up()
                did = did.model_copy(update={"has_other_cpus": has_other_cpus})
            case "confinement_facts":
                facts = service.deployment.confinement_facts()
                did = did.model_copy(update={"confinement": facts})
            case "runtime_figures":
                figures = service.runtime_figures(command.window_unix_ns)
                did = did.model_copy(update={"runtime_figures": figures})
        self._answer(did)

    def _ask(self, command: AskDependency) -> None:
        dependency = self._of(command.name)
        assert not isinstance(dependency, HostedService), "a dependency is asked"
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

    def _stop(self, command: StopPart) -> None:
        standing = self._standing.pop(command.name, None)
        if standing is None:
            raise StepFailed("teardown", f"{command.name} does not stand")
        standing.part.stop()
        self._answer(
            PartStopped(
                call=command.call,
                folder=standing.folder,
                killed_after_ns=standing.part.killed_after_ns,
            )
        )

    def _begin_watch(self, command: WatchParts) -> None:
        if self._watch is not None:
            self._watch.close()
        leaders = {
            leader.name: leader.pid
            for each in self._standing.values()
            for leader in each.part.leaders
        }
        self._told = dict.fromkeys(self._hosted, 0)
        self._watch = MachineWatch(
            self._address,
            command.key,
            leaders,
            self._beside,
            self._all_cpus,
            {name: each.confinement for name, each in self._hosted.items()},
            {name: each.compile_threads for name, each in self._hosted.items()},
        )
        self._answer(
            PartsWatched(call=command.call, processes=self._watch.beside, port=self._watch.port)
        )

    def _leave_watch(self, command: LeaveParts) -> None:
        watch, self._watch = self._watch, None
        if watch is None:
            raise StepFailed("load", "nothing is watched here")
        own = f"{_FOLDER}/{command.call:06}-watch"
        (self._results / own).mkdir(parents=True)
        with closing(watch):
            probe, network = watch.leave(self._results / own)
        self._answer(PartsLeft(call=command.call, folder=own, probe=probe, network=network))

    @property
    def _hosted(self) -> dict[str, HostedService]:
        """The services that stand here."""
        parts = {name: each.part for name, each in self._standing.items()}
        return {name: each for name, each in parts.items() if isinstance(each, HostedService)}

    def _tell_seen(self, watch: MachineWatch) -> None:
        """Tell what the probe saw of services since it was told last."""
        fresh = {}
        for name, told in self._told.items():
            ticks = watch.counters(name)
            fresh[name], self._told[name] = tuple(ticks[told:]), len(ticks)
        if any(fresh.values()):
            self._answer(PartsSeen(call=0, ticks=fresh))

    def _of(self, name: str) -> Dependency | HostedService:
        """Return what stands. Raises StepFailed."""
        if name not in self._standing:
            raise StepFailed("deploy", f"{name} does not stand")
        return self._standing[name].part


def _leaders(dependency: Dependency) -> tuple[LeaderFacts, ...]:
    return tuple(
        LeaderFacts(name=each.name, command=each.command, pid=each.pid, cpus=each.cpus)
        for each in dependency.leaders
    )
