from collections.abc import Iterator
from pathlib import Path

import pytest
from gateway_process import SYSTEM, copy_node_stack, install_node_modules

from loadstone.contract.load import load_contract
from loadstone.contract.model import Contract
from loadstone.contract.upstream import RecordingUpstream
from loadstone.machine.tls_material import TlsMaterial, make_tls_material
from loadstone.study.values.model import Protocol


@pytest.fixture(scope="session")
def contract() -> Contract:
    return load_contract(SYSTEM / "contract")


@pytest.fixture
def upstream() -> Iterator[RecordingUpstream]:
    with RecordingUpstream() as listening:
        yield listening


@pytest.fixture(scope="session")
def material(tmp_path_factory: pytest.TempPathFactory) -> TlsMaterial:
    return make_tls_material(tmp_path_factory.mktemp("tls"))


@pytest.fixture(params=list(Protocol))
def any_upstream(
    request: pytest.FixtureRequest, material: TlsMaterial
) -> Iterator[RecordingUpstream]:
    """An upstream of each protocol in turn."""
    with RecordingUpstream(request.param, material) as listening:
        yield listening


@pytest.fixture(scope="session")
def node_modules() -> Path:
    return install_node_modules()


@pytest.fixture(scope="session")
def node_directory(tmp_path_factory: pytest.TempPathFactory, node_modules: Path) -> Path:
    return copy_node_stack(tmp_path_factory.mktemp("stack"), node_modules)
