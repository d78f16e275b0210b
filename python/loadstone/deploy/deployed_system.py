"""What stands of a system: its dependencies, seeded, then its services, each behind those that it
needs.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from loadstone.deploy import page_cache
from loadstone.deploy.confinement.interface import Confinement
from loadstone.deploy.dependencies.interface import Dependency, Place, Seed
from loadstone.deploy.dependencies.registry import KINDS
from loadstone.deploy.deployment import Conditions, Deployment, Launch, deploy
from loadstone.deploy.target_address import Target, resolve_targets
from loadstone.errors import StepFailed
from loadstone.results.database_work import DatabaseReading
from loadstone.study.values.manifest import System
from loadstone.study.values.model import Protocol


@dataclass(frozen=True)
class DeployedSystem:
    """The parts of a system that stand, in the order in which they were started."""

    entry: str
    dependencies: list[Dependency] = field(default_factory=list)
    services: dict[str, Deployment] = field(default_factory=dict)
    """By name."""
    authority: Path | None = None
    """The PEM file by which its callers verify it; none: no leg is over TLS."""

    @property
    def base_url(self) -> str:
        """Where the system is called."""
        return self.services[self.entry].base_url

    @property
    def target(self) -> Target:
        """Its address: the lab lets services listen on loopback alone."""
        return resolve_targets(self.base_url, ())[0]

    def log_tail(self) -> str:
        """Return the last lines of the entry's log."""
        return self.services[self.entry].child.log_tail()

    @property
    def confined(self) -> Mapping[str, Confinement]:
        """What the kernel counts of the services, by name."""
        return {name: each.confinement for name, each in self.services.items()}

    @property
    def measured(self) -> tuple[Deployment, ...]:
        """The services that are measured, the entry first; others stand on the bench."""
        own = [each for each in self.services.values() if not each.is_bench]
        return tuple(sorted(own, key=lambda each: each.service != self.entry))

    def refuse_ended(self, step: str, when: str) -> None:
        """Raise StepFailed where a part has ended of itself; `when` says in what.

        A dependency is named first, then what others need: they may have ended for want of it.
        """
        for dependency in self.dependencies:
            if (ending := dependency.ending()) is not None:
                raise StepFailed(
                    step, f"dependency {dependency.name} {ending} {when}", dependency.log_tail()
                )
        for deployment in self.services.values():
            deployment.refuse_ended(step, when)

    def reset(self) -> None:
        """Bring the data of every dependency back to its seed. Raises StepFailed('reset')."""
        for dependency in self.dependencies:
            dependency.reset()

    def read_databases(self) -> dict[str, DatabaseReading]:
        """Ask every dependency that counts what it did. Raises StepFailed('load')."""
        found = {}
        for each in self.dependencies:
            work = each.work()  # first: it is asked for at the end of a load
            rows = each.rows()
            if work is not None and rows is not None:
                found[each.name] = DatabaseReading(work, rows)
        return found


Seen = Callable[[Dependency | Deployment], None]


@contextmanager
def deploy_system(
    system: System,
    launches: Mapping[str, Launch],
    conditions: Conditions,
    *,
    upstream_url: str | None = None,
    seen: Seen = lambda _: None,
) -> Iterator[DeployedSystem]:
    """Let a system stand for the length of the block; `launches` are by service.

    With an `upstream_url`, that is what its upstreams are, and they are not started. `seen` is told of
    each part as soon as it stands. Raises StepFailed where a part cannot be started or seeded, or does
    not answer correctly; what had been started is stopped.
    """
    found = DeployedSystem(
        system.entry, authority=None if conditions.tls is None else conditions.tls.authority
    )
    urls: dict[str, str] = {}
    chosen = system.chosen(conditions.settings)
    with ExitStack() as parts:
        for name, kind in system.dependencies.items():
            if upstream_url is not None and KINDS[kind].is_upstream:
                urls[name] = upstream_url
                continue
            leg = system.leg_to(name)
            place = Place(
                name,
                conditions.placement.bench,
                conditions.logs,
                Protocol.H1C if leg is None else conditions.legs[leg],
                conditions.tls,
                cache=conditions.cache,
                seed=_seed_of(system, name, chosen),
            )
            dependency = KINDS[kind].start(place)
            parts.callback(dependency.stop)
            dependency.seed()
            urls[name] = dependency.url
            found.dependencies.append(dependency)
            seen(dependency)
        for each in system.services:
            service = each.with_variables(system.setting_variables(each.service, chosen))
            launch, inbound = launches[service.service], system.inbound_leg(service.service)
            before = None if service.is_bench else conditions.page_cache
            if before == "cold":
                page_cache.drop()
            elif before == "warm":
                # The arm before may have been a cold one.
                with deploy(service, launch, urls, inbound, conditions.with_logs("warming")):
                    pass
            deployment = parts.enter_context(deploy(service, launch, urls, inbound, conditions))
            urls[service.service] = deployment.base_url
            found.services[service.service] = deployment
            seen(deployment)
        yield found


def _seed_of(system: System, dependency: str, chosen: Mapping[str, str]) -> Seed:
    """Return what a dependency begins with at the chosen levels of the settings."""
    levels = {path.stem: path for path in system.seed_levels_of(dependency)}
    return Seed(system.seed_of(dependency), levels, system.level_of(dependency, chosen))
