"""A study's file read into its plan, with the values of all that the plan names.

What comes after it reads no manifest again: a study is what its files said when it was begun.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from loadstone.study.design.plan import (
    LIKELY_COMPILED_NS,
    LIKELY_UNCOMPILED_NS,
    LIKELY_WARM_UP_NS,
    make_plan,
)
from loadstone.study.design.study import read_study
from loadstone.study.systems.catalogue import Catalogue
from loadstone.study.values.held_to import HeldTo, NotHeld
from loadstone.study.values.manifest import Runtime, Stack, System
from loadstone.study.values.model import Arm, Plan
from loadstone.study.values.published import Published
from loadstone.study.values.service_choice import OwnAddress, ServiceChoice, StackChoice


@dataclass(frozen=True)
class ResolvedPlan:
    """A plan, and the value behind each of its names."""

    path: Path
    """The study's file."""
    plan: Plan
    system: System
    """What is loaded: all of the system, or the part at another entry."""
    whole: System
    """As its file has it: what its contract is of."""
    choices: tuple[ServiceChoice, ...]
    """Everything that stands for a service in an arm, each once."""
    stacks: Mapping[ServiceChoice, Stack]
    """Of the choices that are stacks, as their manifests have them."""
    runtimes: Mapping[str, Runtime]
    """Those that run these stacks, by name."""
    published: Published | None
    """What is published of the whole system."""
    root: Path
    """The root that the system is of."""
    roots: tuple[Path, ...]
    """Where all that the study names was looked for, in this order."""
    builds: Path
    """Where built stacks are kept."""


def resolve_plan(path: Path, catalogue: Catalogue, profile: str | None = None) -> ResolvedPlan:
    """Read a study's file and all that it names, and plan it. Starts nothing.

    Raises InputError, and Unavailable where its stacks could be built nowhere.
    """
    study, system, whole, stacks = read_study(path, catalogue)
    plan = make_plan(study, profile)
    choices = tuple(dict.fromkeys(choice for arm in plan.arms for choice in arm.services))
    runtimes = {choice.runtime for choice in choices if isinstance(choice, StackChoice)}
    values = {name: catalogue.runtime(name) for name in sorted(runtimes)}
    likely = {arm.id: max(_likely_ns(each, values) for each in arm.measured) for arm in plan.arms}
    arms = tuple(
        arm.model_copy(update={"not_held": _not_held(arm, system, stacks)}) for arm in plan.arms
    )
    return ResolvedPlan(
        path=path,
        plan=plan.model_copy(update={"likely_warm_up_ns": likely, "arms": arms}),
        system=system,
        whole=whole,
        choices=choices,
        stacks={choice: stacks[choice] for choice in choices if choice in stacks},
        runtimes=values,
        published=catalogue.published(whole),
        root=catalogue.root_of("system", system.system),
        roots=catalogue.roots,
        builds=catalogue.builds_of(system),
    )


def _likely_ns(choice: ServiceChoice, runtimes: Mapping[str, Runtime]) -> int:
    """How long a warm-up until steady of a service will likely last."""
    runtime = runtimes.get(choice.runtime) if isinstance(choice, StackChoice) else None
    compiles = None if runtime is None else runtime.compiles
    if compiles is None:
        return LIKELY_WARM_UP_NS
    return LIKELY_COMPILED_NS if compiles.threads else LIKELY_UNCOMPILED_NS


def _not_held(
    arm: Arm, system: System, stacks: Mapping[ServiceChoice, Stack]
) -> dict[str, NotHeld]:
    """What each service of an arm is not held to; one that is held to all of it is left out."""
    found = {
        choice.service: _held_to(choice, stacks).not_held(
            system.operations, arm.legs, is_running=isinstance(choice, OwnAddress)
        )
        for choice in arm.services
    }
    return {service: each for service, each in found.items() if not each.is_nothing}


def _held_to(choice: ServiceChoice, stacks: Mapping[ServiceChoice, Stack]) -> HeldTo:
    return stacks[choice].held_to if isinstance(choice, StackChoice) else choice.held_to
