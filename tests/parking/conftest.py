from collections.abc import Iterator

import pytest
from parking_stacks import SYSTEM, private_database

from loadstone.contract.load import load_contract
from loadstone.contract.model import Contract
from loadstone.deploy.dependencies.postgres.server import Postgres


@pytest.fixture(scope="session")
def contract() -> Contract:
    return load_contract(SYSTEM.directory / "contract")


@pytest.fixture(scope="session")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Postgres]:
    with private_database(tmp_path_factory.mktemp("database")) as found:
        yield found
