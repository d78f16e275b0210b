"""A study's file read into its plan, with the values of all that the plan names.

What comes after it reads no manifest again: a study is what its files said when it was begun.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from loadstone.study.design.plan import make_plan
from loadstone.study.design.study import read_study
from loadstone.study.systems.catalogue import Catalogue
from loadstone.study.values.manifest import Runtime, Stack, System
from loadstone.study.values.model import Plan
from loadstone.study.values.published import Published
from loadstone.study.values.service_choice import ServiceChoice, StackChoice


@dataclass(frozen=True)
class ResolvedPlan:
    """A plan, and the value behind each of its names."""

    path: Path
    """The study's file."""
    plan: Plan
    system: System
    choices: tuple[ServiceChoice, ...]
    """Everything that stands for a service in an arm, each once."""
    stacks: Mapping[ServiceChoice, Stack]
    """Of the choices that are stacks, as their manifests have them."""
    runtimes: Mapping[str, Runtime]
    """Those that run these stacks, by name."""
    published: Published | None
    """What is published of the system."""
    root: Path
    """The folder that holds systems, runtimes and studies."""
    builds: Path
    """Where built stacks are kept."""


def resolve_plan(path: Path, catalogue: Catalogue, profile: str | None = None) -> ResolvedPlan:
    """Read a study's file and all that it names, and plan it. Raises InputError; starts nothing."""
    study, system, stacks = read_study(path, catalogue)
    plan = make_plan(study, profile)
    choices = tuple(dict.fromkeys(choice for arm in plan.arms for choice in arm.services))
    runtimes = {choice.runtime for choice in choices if isinstance(choice, StackChoice)}
    return ResolvedPlan(
        path=path,
        plan=plan,
        system=system,
        choices=choices,
        stacks={choice: stacks[choice] for choice in choices if choice in stacks},
        runtimes={name: catalogue.runtime(name) for name in sorted(runtimes)},
        published=catalogue.published(system),
        root=catalogue.root,
        builds=catalogue.builds,
    )
