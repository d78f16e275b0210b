"""The stacks of the parking system, built and ready to be held or started by a test."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import held_stacks
from held_stacks import BUILDS, CATALOGUE, Variant, database_place, variants_of
from loadstone.contract.model import CheckResult, Contract
from loadstone.deploy.dependencies.postgres.programs import find_programs
from loadstone.deploy.dependencies.postgres.server import Postgres, start_postgres
from loadstone.measure.prepare.preparation import build_stack
from loadstone.measure.prepare.prepared import Parts, Prepared
from loadstone.measure.prepare.stack_sources import found_source
from loadstone.study.values.model import Protocol
from private_servers import require

SYSTEM = CATALOGUE.system("parking")
STACKS = {service: CATALOGUE.stacks(SYSTEM, service) for service in SYSTEM.names}
VARIANTS = {service: variants_of(stacks) for service, stacks in STACKS.items()}
GO = {
    service: next(each for each in variants if each.runtime == "go")
    for service, variants in VARIANTS.items()
}
"""The stacks in Go, which stand beside what a test is about."""
READY_MADE = ("haproxy", "nginx")
"""Gateways that take no port of the kernel's choice, and of the variables what they need."""

SECRET = "loadstone-park-secret-for-tests-only"
KEY = "loadstone-park-key-of-services"
NOWHERE = "postgres://park:park@127.0.0.1:9/database"
"""Where no database is; the discard service has not been seen for long."""


def ready(service: str, variant: Variant, contract: Contract, logs: Path) -> Prepared:
    """Build a stack, and train it; skip the test where its runtime or the server is not here."""
    require(find_programs)
    return held_stacks.ready(SYSTEM, service, variant, contract, logs, partners(service, logs))


def partners(service: str, logs: Path) -> Parts:
    """What stands with a service while it is held, built: the registry that starts at once."""
    if service == "registry":
        return {}
    source = found_source(CATALOGUE, *GO["registry"])
    return {"registry": build_stack(source, BUILDS, logs / "build-registry.log")}


def held(
    service: str,
    variant: Variant,
    prepared: Prepared,
    contract: Contract,
    logs: Path,
    legs: Mapping[str, Protocol] | None = None,
) -> tuple[CheckResult, ...]:
    """What became of these checks; `legs` are those of another protocol than the first."""
    beside = partners(service, logs)
    return held_stacks.held(SYSTEM, service, variant.stack, prepared, contract, logs, beside, legs)


@contextmanager
def private_database(logs: Path) -> Iterator[Postgres]:
    """A server with the seed."""
    require(find_programs)
    database = start_postgres(database_place(SYSTEM, "s", logs))
    try:
        database.seed()
        yield database
    finally:
        database.stop()


def variables(service: str, database: Postgres) -> dict[str, str]:
    """What a service is told, as the lab tells it while the contract is held."""
    told = {
        "gateway": {"STATIC_INSTANCES": "users=http://127.0.0.1:9", "JWT_SECRET": SECRET},
        "users": {
            "DATABASE_URL": f"postgres://park:park@{database.url}/database",
            "JWT_SECRET": SECRET,
            "INTERNAL_KEY": KEY,
        },
        "registry": {},
    }
    return told[service]
