"""Stacks of any system, built and ready to be held or started by a test."""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

from loadstone.contract.model import CheckResult, Contract
from loadstone.deploy.confinement.choose import choose, own_groups_here
from loadstone.deploy.dependencies.interface import Place, Seed
from loadstone.deploy.deployment import Conditions
from loadstone.deploy.placement import available_cores, place
from loadstone.errors import Unavailable
from loadstone.measure.prepare.chosen_stacks import common_protocols
from loadstone.measure.prepare.preparation import build_stack
from loadstone.measure.prepare.prepared import Parts, Prepared
from loadstone.measure.prepare.stack_sources import found_source
from loadstone.measure.prepare.train import train
from loadstone.measure.prepare.whole_contract import hold
from loadstone.study.systems.catalogue import open_catalogue
from loadstone.study.systems.roots import builds_of, shipped_root
from loadstone.study.values.manifest import Stack, System
from loadstone.study.values.model import Protocol

CATALOGUE = open_catalogue(Path(__file__))
BUILDS = builds_of(shipped_root())

CHEAP = (("go", "go"), ("fastify", "node"))
"""Stack and runtime of those that are built and started in a moment; the others are slow."""


class Variant(NamedTuple):
    """A stack on one of its runtimes."""

    stack: Stack
    runtime: str

    def __str__(self) -> str:
        return f"{self.stack.stack}@{self.runtime}"

    @property
    def is_cheap(self) -> bool:
        return (self.stack.stack, self.runtime) in CHEAP


def variants_of(stacks: Iterable[Stack]) -> list[Variant]:
    """Every stack on every runtime of its own."""
    return [Variant(stack.on(runtime), runtime) for stack in stacks for runtime in stack.runtimes]


def as_parameters(variants: Sequence[Variant]) -> list[object]:
    """A parameter for each; all but the cheap ones are slow."""
    return [
        pytest.param(each, id=str(each), marks=[] if each.is_cheap else pytest.mark.slow)
        for each in variants
    ]


def conditions(stack: Stack, logs: Path, legs: Mapping[str, Protocol] | None = None) -> Conditions:
    """Those of a stack by itself; `legs` are the ones that do not speak its first protocol."""
    return Conditions(
        legs={**common_protocols([stack]), **(legs or {})},
        limits={},
        placement=place(available_cores()),
        confine=choose(own_groups_here()).confine,
        logs=logs,
        cache=BUILDS,
    )


def ready(
    system: System,
    service: str,
    variant: Variant,
    contract: Contract,
    logs: Path,
    beside: Parts | None = None,
) -> Prepared:
    """Build a service's stack, and train it; skip the test where its runtime is not here.

    `beside` is what stands with it while it is held.
    """
    try:
        source = found_source(CATALOGUE, *variant)
    except Unavailable as error:
        pytest.skip(error.message)
    built = {**(beside or {}), service: build_stack(source, BUILDS, logs / "build.log")}
    return train(system, built, contract, conditions(variant.stack, logs))[service]


def held(
    system: System,
    service: str,
    stack: Stack,
    prepared: Prepared,
    contract: Contract,
    logs: Path,
    beside: Parts | None = None,
    legs: Mapping[str, Protocol] | None = None,
) -> tuple[CheckResult, ...]:
    """What became of these checks of the contract, with `beside` beside the service."""
    parts = {**(beside or {}), service: prepared}
    return hold(system, service, parts, contract, conditions(stack, logs, legs)).results


def in_folder(prepared: Prepared, directory: Path) -> Prepared:
    """The same stack from another folder, which has been built."""
    return replace(prepared, launch=replace(prepared.launch, directory=directory))


def database_place(system: System, level: str, logs: Path) -> Place:
    """Where the system's dependency `database` stands, with the rows of a level."""
    levels = {path.stem: path for path in system.seed_levels_of("database")}
    seed = Seed(system.seed_of("database"), levels, level)
    cpus = tuple(sorted(os.sched_getaffinity(0)))
    return Place("database", cpus, logs, cache=BUILDS, seed=seed)
