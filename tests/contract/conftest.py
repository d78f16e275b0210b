from collections.abc import Iterator
from pathlib import Path

import pytest
from gateway_process import SYSTEM, copy_node_stack, install_node_modules

from loadstone.contract.load import load_contract
from loadstone.contract.model import Contract
from loadstone.contract.upstream import RecordingUpstream


@pytest.fixture(scope="session")
def contract() -> Contract:
    return load_contract(SYSTEM / "contract")


@pytest.fixture
def upstream() -> Iterator[RecordingUpstream]:
    with RecordingUpstream() as listening:
        yield listening


@pytest.fixture(scope="session")
def node_modules() -> Path:
    return install_node_modules()


@pytest.fixture(scope="session")
def node_directory(tmp_path_factory: pytest.TempPathFactory, node_modules: Path) -> Path:
    return copy_node_stack(tmp_path_factory.mktemp("stack"), node_modules)
