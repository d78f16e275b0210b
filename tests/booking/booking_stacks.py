"""The stacks of the booking system, built and ready to be held or started by a test."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import held_stacks
from held_stacks import CATALOGUE, Variant, database_place, variants_of
from loadstone.contract.model import CheckResult, Contract
from loadstone.deploy.dependencies.postgres.programs import find_programs
from loadstone.deploy.dependencies.postgres.server import Postgres, start_postgres
from loadstone.measure.prepare.prepared import Prepared
from loadstone.study.values.manifest import Stack
from private_servers import require

SYSTEM = CATALOGUE.system("booking")
STACKS = CATALOGUE.stacks(SYSTEM, "booking")
VARIANTS = variants_of(STACKS)

SMALL = "small-4"
"""The level of the seed that the contract is held on: the small one, with hashes of cost 4."""
SECRET = "booking-tokens-are-signed-with-this-secret"
NOWHERE = "postgres://booking:booking@127.0.0.1:9/database"
"""Where no database is; the discard service has not been seen for long."""


def ready(variant: Variant, contract: Contract, logs: Path) -> Prepared:
    """Build a stack, and train it; skip the test where its runtime or the server is not here."""
    require(find_programs)
    return held_stacks.ready(SYSTEM, "booking", variant, contract, logs)


def held(
    stack: Stack, prepared: Prepared, contract: Contract, logs: Path
) -> tuple[CheckResult, ...]:
    """What became of these checks of the contract."""
    return held_stacks.held(SYSTEM, "booking", stack, prepared, contract, logs)


@contextmanager
def private_database(logs: Path) -> Iterator[Postgres]:
    """A server with the small seed."""
    require(find_programs)
    database = start_postgres(database_place(SYSTEM, SMALL, logs))
    try:
        database.seed()
        yield database
    finally:
        database.stop()


def variables(database: Postgres) -> dict[str, str]:
    """What a service is told, as the lab tells it while the contract is held."""
    url = f"postgres://booking:booking@{database.url}/database"
    return {"DATABASE_URL": url, "JWT_SECRET": SECRET, "PASSWORD_COST": "4"}
