"""The stacks of the conference system, built and ready to be held or started by a test."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

from loadstone.contract.model import CheckResult, Contract
from loadstone.deploy.confinement.choose import choose, own_groups_here
from loadstone.deploy.dependencies.interface import Place, Seed
from loadstone.deploy.dependencies.mariadb.programs import find_programs
from loadstone.deploy.dependencies.mariadb.server import MariaDb, start_mariadb
from loadstone.deploy.deployment import Conditions
from loadstone.deploy.placement import available_cores, place
from loadstone.errors import Unavailable
from loadstone.measure.prepare.chosen_stacks import common_protocols
from loadstone.measure.prepare.preparation import build_stack
from loadstone.measure.prepare.prepared import Prepared
from loadstone.measure.prepare.stack_sources import found_source
from loadstone.measure.prepare.train import train
from loadstone.measure.prepare.whole_contract import hold
from loadstone.study.systems.catalogue import open_catalogue
from loadstone.study.values.manifest import Stack
from private_servers import require

CATALOGUE = open_catalogue(Path(__file__))
SYSTEM = CATALOGUE.system("conference")
STACKS = CATALOGUE.stacks(SYSTEM, "conference")
COUNTRY = CATALOGUE.stacks(SYSTEM, "country")[0]

CHEAP = (("go", "go"), ("fastify", "node"))
"""Stack and runtime of those that are built and started in a moment; the others are slow."""
NOBODY = "http://127.0.0.1:9"
"""Where no `country` is; the discard service has not been seen for long."""


class Variant(NamedTuple):
    """A stack on one of its runtimes."""

    stack: Stack
    runtime: str

    def __str__(self) -> str:
        return f"{self.stack.stack}@{self.runtime}"

    @property
    def is_cheap(self) -> bool:
        return (self.stack.stack, self.runtime) in CHEAP


VARIANTS = [Variant(stack.on(runtime), runtime) for stack in STACKS for runtime in stack.runtimes]


def on_every_runtime() -> list[object]:
    """A parameter for every stack on every runtime."""
    return [
        pytest.param(each, id=str(each), marks=[] if each.is_cheap else pytest.mark.slow)
        for each in VARIANTS
    ]


def conditions(stack: Stack, logs: Path) -> Conditions:
    return Conditions(
        legs=common_protocols([stack]),
        limits={},
        placement=place(available_cores()),
        confine=choose(own_groups_here()).confine,
        logs=logs,
        cache=CATALOGUE.builds,
    )


def ready(variant: Variant, service: str, contract: Contract, logs: Path) -> Prepared:
    """Build a stack, and train it; skip the test where its runtime is not here."""
    require(find_programs)
    try:
        source = found_source(CATALOGUE, *variant)
    except Unavailable as error:
        pytest.skip(error.message)
    built = {service: build_stack(source, CATALOGUE.builds, logs / "build.log")}
    return train(SYSTEM, built, contract, conditions(variant.stack, logs))[service]


def held(
    stack: Stack, service: str, prepared: Prepared, contract: Contract, logs: Path
) -> tuple[CheckResult, ...]:
    """What became of these checks of the contract."""
    return hold(SYSTEM, {service: prepared}, contract, conditions(stack, logs)).results


def in_folder(prepared: Prepared, directory: Path) -> Prepared:
    """The same stack from another folder, which has been built."""
    return replace(prepared, launch=replace(prepared.launch, directory=directory))


@contextmanager
def private_database(logs: Path) -> Iterator[MariaDb]:
    """A server with the system's rows, six of them."""
    require(find_programs)
    levels = {path.stem: path for path in SYSTEM.seed_levels_of("database")}
    seed = Seed(SYSTEM.seed_of("database"), levels, "6")
    cpus = tuple(sorted(os.sched_getaffinity(0)))
    database = start_mariadb(Place("database", cpus, logs, cache=CATALOGUE.builds, seed=seed))
    try:
        database.seed()
        yield database
    finally:
        database.stop()


def database_variable(database: MariaDb) -> str:
    return f"mysql://dbuser:dbpwd123@{database.url}/conferencedb"
