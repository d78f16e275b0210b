"""The stacks of the conference system, built and ready to be held or started by a test."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import held_stacks
from held_stacks import CATALOGUE, Variant, database_place, variants_of
from loadstone.contract.model import CheckResult, Contract
from loadstone.deploy.dependencies.mariadb.programs import find_programs
from loadstone.deploy.dependencies.mariadb.server import MariaDb, start_mariadb
from loadstone.measure.prepare.prepared import Prepared
from loadstone.study.values.manifest import Stack
from private_servers import require

SYSTEM = CATALOGUE.system("conference")
STACKS = CATALOGUE.stacks(SYSTEM, "conference")
COUNTRY = CATALOGUE.stacks(SYSTEM, "country")[0]
VARIANTS = variants_of(STACKS)

NOBODY = "http://127.0.0.1:9"
"""Where no `country` is; the discard service has not been seen for long."""


def ready(variant: Variant, service: str, contract: Contract, logs: Path) -> Prepared:
    """Build a stack, and train it; skip the test where its runtime or the server is not here."""
    require(find_programs)
    return held_stacks.ready(SYSTEM, service, variant, contract, logs)


def held(
    stack: Stack, service: str, prepared: Prepared, contract: Contract, logs: Path
) -> tuple[CheckResult, ...]:
    """What became of these checks of the contract."""
    return held_stacks.held(SYSTEM, service, stack, prepared, contract, logs)


@contextmanager
def private_database(logs: Path) -> Iterator[MariaDb]:
    """A server with the system's rows, six of them."""
    require(find_programs)
    database = start_mariadb(database_place(SYSTEM, "6", logs))
    try:
        database.seed()
        yield database
    finally:
        database.stop()


def database_variable(database: MariaDb) -> str:
    return f"mysql://dbuser:dbpwd123@{database.url}/conferencedb"
