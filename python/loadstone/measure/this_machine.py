"""The machine that the lab itself is on, as the site of a study: stacks are built, held and loaded."""

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from loadstone.contract.model import Contract
from loadstone.contract.of_system import contract_files, contract_of_system
from loadstone.deploy.confinement.choose import choose, own_groups_here
from loadstone.deploy.dependencies.registry import require_servers
from loadstone.deploy.placement import Placement, available_cores, lab_on, place
from loadstone.deploy.ports import LOOPBACK
from loadstone.errors import InputError
from loadstone.measure.environment import digest_of, observe_environment
from loadstone.measure.in_turn import in_turn
from loadstone.measure.loading.load import Engines, PartsElsewhere
from loadstone.measure.prepare.framework_version import framework_text
from loadstone.measure.prepare.known_clauses import refuse_unknown_clauses
from loadstone.measure.prepare.preparation import Preparation, titles
from loadstone.measure.prepare.prepared import spoken_by
from loadstone.measure.prepare.stack_sources import (
    StackSource,
    digests_of,
    files_digest,
    stack_sources,
)
from loadstone.measure.run import measure_run
from loadstone.measure.site import RunBlocks
from loadstone.measure.study_context import StudyContext
from loadstone.measure.told import Step, Tell
from loadstone.results import folder
from loadstone.results.environment import Environment
from loadstone.results.record import ProcessFacts
from loadstone.study.design.resolve import ResolvedPlan
from loadstone.study.values.model import Arm
from loadstone.study.values.service_choice import OwnAddress, ServiceChoice


@dataclass(frozen=True)
class ThisMachine:
    """This machine, with all that a study needs of it found."""

    resolved: ResolvedPlan
    contract: Contract
    sources: Mapping[ServiceChoice, StackSource]
    placement: Placement
    environment: Environment
    beside: tuple[ProcessFacts, ...] = ()
    """Processes that are probed in every run, without being of it."""
    engines: Engines | None = None
    """What loads, where that is not the engine of this machine."""
    dependencies: PartsElsewhere | None = None
    """What has the dependencies of runs, where they are not on this machine."""
    services: Mapping[str, PartsElsewhere] = field(default_factory=dict)
    """By service, what has it in runs, where it is not on this machine."""
    address: str = LOOPBACK
    """Where the service is called that is loaded."""

    @contextmanager
    def prepare(self, arms: Collection[Arm], results: Path, tell: Tell) -> Iterator[RunBlocks]:
        """Build, train and check what the arms need, and keep the lab off the services' CPUs."""
        plan = self.resolved.plan
        confine = choose(own_groups_here()).confine
        preparation = Preparation(
            self.resolved.whole,
            self.contract,
            self.sources,
            titles(self.resolved.choices),
            limits=plan.limits,
            placement=self.placement,
            confine=confine,
            cache=self.resolved.builds,
            logs=results / folder.LOGS,
            step=lambda text: tell(Step(text=text)),
            allowed=plan.allow_target,
            speak_alike=len({tuple(arm.legs.items()) for arm in plan.arms}) == 1,
        )
        ready = preparation.ready(dict.fromkeys(map(spoken_by, arms)))
        versions = self.environment.versions
        study = StudyContext(
            plan,
            self.resolved.system,
            self.contract.about(plan.entry),
            self.placement,
            confine,
            ready,
            versions,
            self.resolved.builds,
            self.beside,
            self.engines,
            self.dependencies,
            self.services,
            self.address,
        )
        with lab_on(self.placement.bench):
            yield in_turn(partial(measure_run, study), results, tell)


def this_machine(
    resolved: ResolvedPlan,
    beside: tuple[ProcessFacts, ...] = (),
    engines: Engines | None = None,
    dependencies: PartsElsewhere | None = None,
    services: Mapping[str, PartsElsewhere] | None = None,
    address: str = LOOPBACK,
) -> ThisMachine:
    """Return this machine for a study; `address` is its own, where others call what is on it.

    Raises Unavailable where a runtime or a server is missing, InputError for a clause that the contract
    does not have, and for a service that is loaded itself without a check.
    """
    plan, system = resolved.plan, resolved.system
    if not any(
        isinstance(each, OwnAddress) for each in resolved.choices
    ):  # nothing is started then
        require_servers(system)
    placement = place(available_cores(), plan.placement)
    contract = contract_of_system(system)
    _refuse_unheld(resolved, contract)
    refuse_unknown_clauses(resolved.path, resolved.choices, contract)
    sources = stack_sources(resolved)
    digests = digests_of(titles(resolved.choices), sources)
    digests[f"system {system.system}"] = digest_of(
        [
            system.directory / "system.yaml",
            *contract_files(system),
            *system.seed_files,
        ]
    )
    for name, options in system.dependency_options.items():
        if options.commands is not None:
            digests[f"files of the dependency {name}"] = files_digest(
                options.commands.start, system.directory
            )
    environment = observe_environment(
        resolved.root,
        placement,
        {each.runtime.runtime.runtime: each.runtime.version for each in sources.values()},
        {each.stack.stack: framework_text(each.stack) for each in sources.values()},
        digests,
    )
    return ThisMachine(
        resolved,
        contract,
        sources,
        placement,
        environment,
        beside,
        engines,
        dependencies,
        services or {},
        address,
    )


def _refuse_unheld(resolved: ResolvedPlan, contract: Contract) -> None:
    """Refuse to load a service itself that nothing holds: its answers could be anything."""
    entry = resolved.plan.entry
    if entry is not None and not contract.about(entry).checks:
        raise InputError(
            f"no check of {resolved.whole.system} is about {entry}, so nothing says that it is right",
            path=resolved.path,
            key="entry",
            remedy=f'declare checks with service="{entry}" in the contract of the system',
        )
