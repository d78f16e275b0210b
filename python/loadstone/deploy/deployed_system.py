"""What stands of a system: its dependencies, seeded, then its services, each behind those that it
needs.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from pathlib import Path

from loadstone.deploy import page_cache
from loadstone.deploy.confinement.interface import Confinement
from loadstone.deploy.dependencies.interface import Dependency, Leader
from loadstone.deploy.dependencies.placed import placed
from loadstone.deploy.dependencies.registry import KINDS
from loadstone.deploy.deployment import Conditions, Deployment, Launch, ServiceStart, deploy
from loadstone.deploy.ports import LOOPBACK
from loadstone.deploy.reconnecting import let_reconnect
from loadstone.deploy.service_elsewhere import ServiceElsewhere
from loadstone.deploy.stand_ins import ready_whatever_it_answers, stand_ins_of
from loadstone.deploy.target_address import Target, resolve_targets
from loadstone.errors import StepFailed
from loadstone.results.database_work import DatabaseReading
from loadstone.results.store_work import StoreReading
from loadstone.study.values.manifest import System
from loadstone.study.values.model import Protocol
from loadstone.study.values.standing import standing

ENDING_SECONDS = 0.5
"""From a broken connection to the end of the process that broke it: the kernel closes first."""
ENDING_STEP_SECONDS = 0.02

Reading = DatabaseReading | StoreReading
"""What a dependency counted until one moment."""


@dataclass(frozen=True)
class DeployedSystem:
    """The parts of a system that stand, in the order in which they were started."""

    entry: str
    dependencies: list[Dependency] = field(default_factory=list)
    services: dict[str, Deployment | ServiceElsewhere] = field(default_factory=dict)
    """By the name of the process: of a service with several instances `users`, `users.2`."""
    authority: Path | None = None
    """The PEM file by which its callers verify it; none: no leg is over TLS."""
    address: str = LOOPBACK
    """Of this machine: where it is called."""
    away: set[str] = field(default_factory=set)
    """Names of the parts that a fault of the load ended: that they are not there is no failure."""
    lifetime: ExitStack = field(default_factory=ExitStack)
    """Ends what is started after the system stood."""

    @property
    def base_url(self) -> str:
        """Where the system is called."""
        return self.services[self.entry].base_url

    @property
    def target(self) -> Target:
        """Its address: where the lab lets it listen, on loopback or at an address of this machine."""
        return resolve_targets(self.base_url, (self.address,))[0]

    def log_tail(self) -> str:
        """Return the last lines of the entry's log."""
        return self.here[self.entry].child.log_tail()

    @property
    def here(self) -> Mapping[str, Deployment]:
        """The processes of services on this machine, by name. The one that is called is one of them."""
        return {
            name: each
            for name, each in tuple(self.services.items())  # another thread may add one
            if isinstance(each, Deployment)
        }

    @property
    def measured(self) -> tuple[Deployment, ...]:
        """Those of them that are measured, the entry first; others stand on the bench."""
        own = [each for each in self.here.values() if not each.is_bench]
        return tuple(sorted(own, key=lambda each: each.service != self.entry))

    @property
    def elsewhere(self) -> Mapping[str, ServiceElsewhere]:
        """The processes of services on machines of their own, by name: all of them are measured."""
        return {
            name: each for name, each in self.services.items() if not isinstance(each, Deployment)
        }

    @property
    def confined(self) -> Mapping[str, Confinement]:
        """What the kernel of this machine counts of the services, by the name of the process."""
        return {name: each.confinement for name, each in self.here.items()}

    def end_warm_up(self) -> bool:
        """Hold all services to the CPUs of the window, and return whether that changed something.

        Raises StepFailed('load').
        """
        changed = [each.end_warm_up() for each in self.services.values()]
        return any(changed)

    def refuse_ended(self, step: str, when: str) -> None:
        """Raise StepFailed where a part has ended of itself; `when` says in what.

        A dependency is named first, then what others need: they may have ended for want of it.
        """
        for dependency in self.dependencies:
            ending = None if dependency.name in self.away else dependency.ending()
            if ending is not None:
                raise StepFailed(
                    step, f"dependency {dependency.name} {ending} {when}", dependency.log_tail()
                )
        for name, deployment in tuple(self.services.items()):  # another thread may add one
            if name not in self.away:
                deployment.refuse_ended(step, when)

    def add_process(self, service: str, watch: Callable[[], None]) -> Deployment:
        """Start one more process of a service, as its first was started, and wait until it is ready.

        `watch` is called meanwhile. Raises StepFailed as `deploy`.
        """
        numbers = (f"{service}.{number}" for number in count(2))
        name = next(each for each in numbers if each not in self.services)
        start = self.here[service].start.later(name)
        added = self.lifetime.enter_context(deploy(start, watch))
        self.services[name] = added
        return added

    def reset(self) -> None:
        """Bring the data of every dependency back to its seed, with services connected to it.

        Raises StepFailed('reset').
        """
        with self._named("when its data was reset"):
            for dependency in self.dependencies:
                before = dependency.open_connections() or 0
                dependency.reset()
                users = [each for each in self.services.values() if each.needs(dependency.name)]
                let_reconnect(users, before, dependency.open_connections)

    def leaders(self) -> tuple[Leader, ...]:
        """The processes of its dependencies as they are now."""
        return tuple(leader for each in self.dependencies for leader in each.leaders)

    def read_counts(self) -> dict[str, Reading]:
        """Ask every dependency that counts what it did. Raises StepFailed('load')."""
        found: dict[str, Reading] = {}
        with self._named("when its work was read"):
            for each in self.dependencies:
                work = each.work()  # first: it is asked for at the end of a load
                rows = each.rows()
                if work is not None and rows is not None:
                    found[each.name] = DatabaseReading(work, rows)
                if (told := each.store()) is not None:
                    found[each.name] = told
        return found

    @contextmanager
    def _named(self, when: str) -> Iterator[None]:
        """Of a dependency that fails since it has ended, say that instead of how it was noticed."""
        try:
            yield
        except StepFailed as failure:
            deadline = time.monotonic() + ENDING_SECONDS
            while time.monotonic() < deadline:
                self.refuse_ended(failure.step, when)
                time.sleep(ENDING_STEP_SECONDS)
            raise


Seen = Callable[[Dependency | Deployment | ServiceElsewhere], None]


@contextmanager
def deploy_system(
    system: System,
    launches: Mapping[str, Launch],
    conditions: Conditions,
    *,
    entry: str | None = None,
    upstream_url: str | None = None,
    seen: Seen = lambda _: None,
) -> Iterator[DeployedSystem]:
    """Let a system stand for the length of the block; `launches` are by service.

    With an `entry` of its own, that service is called and only what it needs stands with it. With an
    `upstream_url`, that is where all else is that the recording upstream stands in for
    (`stand_ins.py`). `seen` is told of each part as soon as it stands. A service has the instances
    that the chosen levels say; one that is called has one, and is on this machine.
    Raises StepFailed where a part cannot be started or seeded, or does not answer correctly; what had
    been started is stopped.
    """
    called = entry or system.entry
    found = DeployedSystem(
        called,
        authority=None if conditions.tls is None else conditions.tls.authority,
        address=conditions.address,
    )
    stand_ins: frozenset[str] = frozenset() if upstream_url is None else stand_ins_of(system, entry)
    stands = standing(system, entry, stand_ins)
    urls = {} if upstream_url is None else dict.fromkeys(stand_ins, upstream_url)
    told_by_stand_ins, chosen = set(stand_ins), system.chosen(conditions.settings)
    with ExitStack() as parts:
        for name in (each for each in system.dependencies if each in stands):
            dependency = _start(system, name, conditions, chosen)
            parts.callback(dependency.stop)
            dependency.seed()
            urls[name] = dependency.url
            found.dependencies.append(dependency)
            seen(dependency)
        for each in (each for each in system.services if each.service in stands):
            service = each.with_variables(system.setting_variables(each.service, chosen))
            if told_by_stand_ins.intersection(service.needs):
                told_by_stand_ins.add(service.service)
                service = ready_whatever_it_answers(service)
            launch, inbound = launches[service.service], system.inbound_leg(service.service)
            names = (
                (called,)
                if service.service == called
                else system.instance_names(service.service, chosen)
            )
            start_there = conditions.services_elsewhere.get(service.service)
            for name in names:
                if start_there is not None:
                    there = start_there(name, service, dict(urls), conditions.logs)
                    parts.callback(there.stop)
                    found.services[name] = there
                    seen(there)
                    continue
                is_called = service.service == called
                address = conditions.address if is_called else conditions.inner_address
                start = ServiceStart(
                    name, service, launch, dict(urls), inbound, conditions, address
                )
                watch = partial(found.refuse_ended, "start-up", f"while {name} started")
                _bring_page_cache(start, watch)
                deployment = parts.enter_context(deploy(start, watch))
                found.services[name] = deployment
                seen(deployment)
            urls[service.service] = ",".join(found.services[name].base_url for name in names)
        for dependency in found.dependencies:
            dependency.services_stand()
        with found.lifetime:
            yield found


def _bring_page_cache(start: ServiceStart, watch: Callable[[], None]) -> None:
    """Let the kernel keep of files what the arm wants when a service is started."""
    wanted = None if start.service.is_bench else start.conditions.page_cache
    if wanted == "cold":
        page_cache.drop()
    elif wanted == "warm" and start.name == start.service.service:
        # The arm before may have been a cold one. Further instances find what the first one read.
        with deploy(start.with_logs("warming"), watch):
            pass


def _start(
    system: System, name: str, conditions: Conditions, chosen: Mapping[str, str]
) -> Dependency:
    """Start a dependency, with what it begins with at the chosen levels. Raises StepFailed."""
    if conditions.elsewhere is not None:
        return conditions.elsewhere(name, conditions.settings, conditions.logs)
    leg = system.leg_to(name)
    return KINDS[system.dependencies[name]].start(
        placed(
            system,
            name,
            chosen,
            cpus=conditions.placement.bench,
            logs=conditions.logs,
            cache=conditions.cache,
            confine=conditions.confine,
            protocol=Protocol.H1C if leg is None else conditions.legs[leg],
            tls=conditions.tls,
            address=conditions.inner_address,
        )
    )
