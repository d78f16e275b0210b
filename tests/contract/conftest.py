import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from gateway_process import GO, SYSTEM, copy_node_stack, install_node_modules

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


@pytest.fixture(scope="session")
def go_binary(tmp_path_factory: pytest.TempPathFactory) -> Path:
    binary = tmp_path_factory.mktemp("stack") / "gateway"
    subprocess.run(["go", "build", "-trimpath", "-o", binary, "."], cwd=GO, check=True)
    return binary
