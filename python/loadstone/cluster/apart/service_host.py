"""Services of a site that stand on a machine of their own: made ready and started here, as the lab that
leads says.
"""

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from loadstone.cluster.apart.messages import StartService
from loadstone.contract.of_system import contract_of_system
from loadstone.deploy.confinement.interface import Confine, Confinement
from loadstone.deploy.dependencies.interface import Leader
from loadstone.deploy.deployment import Conditions, ServiceStart, deploy
from loadstone.deploy.placement import Placement
from loadstone.errors import StepFailed
from loadstone.measure.prepare.preparation import Preparation, titles
from loadstone.measure.prepare.prepared import (
    Parts,
    Prepared,
    Spoken,
    compile_threads_of,
    spoken_by,
)
from loadstone.measure.prepare.stack_sources import stack_sources
from loadstone.measure.process_facts import service_facts
from loadstone.measure.runtime_figures.collect import collect_runtime_figures
from loadstone.results.runtime_figures import RuntimeFigures
from loadstone.study.design.resolve import ResolvedPlan
from loadstone.study.values.model import Arm
from loadstone.study.values.service_choice import ServiceChoice


class HostedService:
    """A process that stands here."""

    def __init__(
        self,
        start: ServiceStart,
        choice: ServiceChoice,
        prepared: Prepared,
        compile_threads: tuple[str, ...],
    ) -> None:
        """Start it, and wait for its first correct response. Raises StepFailed as `deploy`."""
        self._prepared, self._logs = prepared, start.conditions.logs
        self.compile_threads = compile_threads
        with ExitStack() as held:
            self.deployment = held.enter_context(deploy(start))
            self.facts = service_facts(choice, prepared, self.deployment, self._logs)
            self._held = held.pop_all()

    @property
    def leaders(self) -> tuple[Leader, ...]:
        """Its process."""
        child = self.deployment.child
        return (Leader(child.name, child.command, child.pid, child.cpus()),)

    @property
    def killed_after_ns(self) -> int | None:
        """How long it was given to end before it was killed."""
        return self.deployment.killed_after_ns

    @property
    def confinement(self) -> Confinement:
        """What holds it."""
        return self.deployment.confinement

    def ending(self) -> str | None:
        """Return in words how it ended of itself; none while it runs."""
        return self.deployment.ending()

    def log_tail(self) -> str:
        """Return the last lines of its log."""
        return self.deployment.child.log_tail()

    def runtime_figures(self, window_unix_ns: tuple[int, int] | None) -> RuntimeFigures:
        """Return what its runtime tells of a window; a JVM collects its heap."""
        runtime = self._prepared.launch.runtime
        if runtime is None:
            raise StepFailed("runtime_figures", f"{self.deployment.name} has no runtime")
        return collect_runtime_figures(runtime, self.deployment.child, self._logs, window_unix_ns)

    def stop(self) -> None:
        """End it."""
        self._held.close()


@dataclass(frozen=True)
class ServiceHost:
    """The arms of a study as their services are started here."""

    resolved: ResolvedPlan
    address: str
    """This machine's."""
    placement: Placement
    confine: Confine
    ready: Mapping[Spoken, Parts | StepFailed]

    def start(self, command: StartService, logs: Path) -> HostedService:
        """Start a process. Raises StepFailed."""
        system, arm = self.resolved.system, self._arm(command.arm)
        parts = self.ready[spoken_by(arm)]
        if isinstance(parts, StepFailed):
            raise parts
        chosen = system.chosen(arm.settings)
        limits = self.resolved.plan.limits
        service = system.service(command.service)
        prepared = parts[command.service]
        start = ServiceStart(
            command.name,
            service.with_variables(system.setting_variables(command.service, chosen)),
            prepared.launch,
            command.urls,
            system.inbound_leg(command.service),
            Conditions(
                arm.legs,
                limits
                if command.is_watched
                else {name: each.without_warm_up() for name, each in limits.items()},
                self.placement,
                self.confine,
                logs,
                cache=self.resolved.builds,
                settings=arm.settings,
                address=self.address,
            ),
            self.address,
        )
        choice = next(each for each in arm.services if each.service == command.service)
        threads = compile_threads_of(parts).get(command.service, ())
        return HostedService(start, choice, prepared, threads)

    def _arm(self, name: str) -> Arm:
        return next(arm for arm in self.resolved.plan.arms if arm.id == name)


def make_ready(
    resolved: ResolvedPlan, address: str, cpus: tuple[int, ...], confine: Confine, logs: Path
) -> ServiceHost:
    """Find what the arms are started from, which the machine that leads has built.

    `cpus` are those that services may use. Raises Unavailable where a runtime is missing here.
    """
    plan, placement = resolved.plan, Placement(service=cpus, bench=cpus)
    logs.mkdir(parents=True, exist_ok=True)
    preparation = Preparation(
        resolved.whole,
        contract_of_system(resolved.system),
        stack_sources(resolved),
        titles(resolved.choices),
        limits=plan.limits,
        placement=placement,
        confine=confine,
        cache=resolved.builds,
        logs=logs,
        step=lambda _: None,
    )
    ready: dict[Spoken, Parts | StepFailed] = {}
    for spoken in dict.fromkeys(map(spoken_by, plan.arms)):
        try:
            ready[spoken] = preparation.trained(spoken)
        except StepFailed as failure:
            ready[spoken] = failure
    return ServiceHost(resolved, address, placement, confine, ready)
