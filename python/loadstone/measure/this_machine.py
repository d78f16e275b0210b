"""The machine that the lab itself is on, as the site of a study: stacks are built, held and loaded."""

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from loadstone.contract.load import load_contract
from loadstone.contract.model import Contract
from loadstone.deploy.confinement.choose import choose, own_groups_here
from loadstone.deploy.dependencies.registry import require_servers
from loadstone.deploy.placement import Placement, available_cores, lab_on, place
from loadstone.measure.environment import digest_of, observe_environment
from loadstone.measure.in_turn import in_turn
from loadstone.measure.prepare.framework_version import framework_text
from loadstone.measure.prepare.preparation import Preparation, titles
from loadstone.measure.prepare.prepared import spoken_by
from loadstone.measure.prepare.stack_sources import StackSource, digests_of, stack_sources
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

    @contextmanager
    def prepare(self, arms: Collection[Arm], results: Path, tell: Tell) -> Iterator[RunBlocks]:
        """Build, train and check what the arms need, and keep the lab off the services' CPUs."""
        plan, system = self.resolved.plan, self.resolved.system
        confine = choose(own_groups_here()).confine
        preparation = Preparation(
            system,
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
            system,
            self.contract,
            self.placement,
            confine,
            ready,
            versions,
            self.resolved.builds,
            self.beside,
        )
        with lab_on(self.placement.bench):
            yield in_turn(partial(measure_run, study), results, tell)


def this_machine(resolved: ResolvedPlan, beside: tuple[ProcessFacts, ...] = ()) -> ThisMachine:
    """Return this machine for a study. Raises Unavailable where a runtime or a server is missing."""
    plan, system = resolved.plan, resolved.system
    if not any(
        isinstance(each, OwnAddress) for each in resolved.choices
    ):  # nothing is started then
        require_servers(system)
    placement = place(available_cores(), plan.placement)
    contract = load_contract(system.directory / "contract")
    sources = stack_sources(resolved)
    digests = digests_of(titles(resolved.choices), sources)
    digests[f"system {system.system}"] = digest_of(
        [
            system.directory / "system.yaml",
            *sorted(system.directory.glob("contract/**/*.py")),
            *system.seed_files,
        ]
    )
    environment = observe_environment(
        resolved.root,
        placement,
        {each.runtime.runtime.runtime: each.runtime.version for each in sources.values()},
        {each.stack.stack: framework_text(each.stack) for each in sources.values()},
        digests,
    )
    return ThisMachine(resolved, contract, sources, placement, environment, beside)
