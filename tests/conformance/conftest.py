"""Every test here is slow: it needs real servers. They are started once and end with the tests."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from certificates import Certificates, make
from real_servers import Missing, RealServer, real_server

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    return make(tmp_path_factory.mktemp("certificates"))


@pytest.fixture
def roots(certificates: Certificates) -> dict[str, Any]:
    """What of a plan makes the engine trust the servers."""
    return {"roots_pem": certificates.roots_pem}


@pytest.fixture(scope="session")
def server_named(certificates: Certificates) -> Iterator[Callable[[str], RealServer]]:
    """Give a server by its name, started when first asked for; the test skips where it cannot be."""
    started: dict[str, RealServer] = {}
    with ExitStack() as stack:

        def named(name: str) -> RealServer:
            if name not in started:
                try:
                    started[name] = stack.enter_context(real_server(name, certificates))
                except Missing as missing:
                    pytest.skip(str(missing))
            return started[name]

        yield named
