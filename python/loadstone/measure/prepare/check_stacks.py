"""Hold stacks against the contract of their system, over the legs of every scenario that they have."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

from loadstone.contract.model import Contract
from loadstone.contract.of_system import contract_of_system
from loadstone.deploy.confinement.choose import choose, own_groups_here
from loadstone.deploy.dependencies.registry import require_servers
from loadstone.deploy.placement import available_cores, place
from loadstone.errors import InputError, StepFailed, Unavailable
from loadstone.machine import ownership
from loadstone.measure.prepare.chosen_stacks import (
    chosen_stacks,
    held_with,
    legs_to_hold,
    with_partners,
)
from loadstone.measure.prepare.preparation import Preparation, titles
from loadstone.measure.prepare.prepared import Spoken
from loadstone.measure.prepare.stack_sources import StackSource, found_source
from loadstone.measure.prepare.whole_contract import HeldContract
from loadstone.study.systems.catalogue import Catalogue
from loadstone.study.values.manifest import System
from loadstone.study.values.service_choice import ServiceChoice, StackChoice


class CheckProgress(Protocol):
    """Told of each stack as it is held. The title has its runtime, and its legs where they matter."""

    def step(self, text: str) -> None:
        """Something that may take more than two seconds begins: a build, a contract."""

    def skipped(self, title: str, reason: str) -> None:
        """It cannot be held here, or need not be any more."""

    def failed(self, title: str, failure: StepFailed) -> None:
        """It could not be held: it was not built, did not start, or ended."""

    def held(self, title: str, held: HeldContract) -> None:
        """It was held."""


def check_stacks(
    catalogue: Catalogue, system_name: str, typed: Sequence[str], progress: CheckProgress
) -> tuple[str, ...]:
    """Hold the stacks that were typed, on each of their runtimes; all of the system for nothing.

    Returns the names of those that could not be held at all, because no runtime of theirs is here.
    Raises InputError for a name that is not there and a system without checks, Unavailable where a
    server is missing that the system depends on.
    """
    system = catalogue.system(system_name)
    contract = contract_of_system(system)
    if not contract.checks:
        raise InputError(
            "has no checks to hold its stacks against",
            path=system.directory,
            remedy="write checks.yaml there (docs/reference/checks.md), or measure it all the same: "
            "loadstone run STUDY",
        )
    require_servers(system)
    not_here = []
    for service, stack in chosen_stacks(catalogue, system, typed):
        is_here = False
        for runtime in stack.runtimes:
            choice = _choice(service, stack.stack, runtime)
            try:
                part = found_source(catalogue, stack, runtime)
                sources = with_partners(catalogue, system, service, part)
            except Unavailable as error:
                name = choice.label if len(system.services) == 1 else f"{service}/{choice.label}"
                progress.skipped(name, error.message)
                continue
            is_here = True
            _check(system, contract, choice, sources, catalogue.builds_of(system), progress)
        if not is_here:
            not_here.append(stack.stack)
    return tuple(not_here)


def _check(
    system: System,
    contract: Contract,
    checked: StackChoice,
    sources: Mapping[str, StackSource],
    builds: Path,
    progress: CheckProgress,
) -> None:
    """Hold a stack and those beside it over all legs of the scenarios that they have together.

    After one over which they do not stand the others are left out: a start that fails takes a minute.
    """
    by_choice: dict[ServiceChoice, StackSource] = {
        _choice(service, source.stack.stack, source.runtime.runtime.runtime): source
        for service, source in sources.items()
    }
    cast = tuple(by_choice)
    one = len(system.services) == 1
    named = titles(cast) if one else {each: f"{each.service}/{each.label}" for each in cast}
    title = named[checked]
    with ownership.scratch_directory() as logs:
        preparation = Preparation(
            system,
            contract,
            by_choice,
            named,
            limits={},
            placement=place(available_cores()),
            confine=choose(own_groups_here()).confine,
            cache=builds,
            logs=logs,
            step=progress.step,
            hold_again=True,
        )
        try:
            legs = legs_to_hold(system, {name: each.stack for name, each in sources.items()})
            preparation.build(cast)
        except StepFailed as failure:
            progress.failed(title, failure)
            return
        for number, each in enumerate(legs, start=1):
            spoken = Spoken(cast, tuple(each.items()))
            try:
                _, held = preparation.hold(spoken, held_with(system, checked.service))
            except StepFailed as failure:
                if left := len(legs) - number:
                    progress.skipped(title, f"{left} further pairs of legs")
                progress.failed(f"{title} {spoken.over}", failure)
                return
            if held.is_run:
                progress.held(f"{title} {spoken.over}", held)
            else:
                progress.skipped(f"{title} {spoken.over}", "held by samples alone")


def _choice(service: str, stack: str, runtime: str) -> StackChoice:
    return StackChoice(service=service, label=f"{stack}@{runtime}", stack=stack, runtime=runtime)
