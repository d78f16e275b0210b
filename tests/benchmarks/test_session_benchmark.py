"""The session benchmark: what its server refuses and counts, and the k6 side against it."""

import subprocess
from pathlib import Path

import pytest

from benchmarks.engine.load import Load
from benchmarks.engine.measure import measure
from benchmarks.engine.servers import ListeningServer
from benchmarks.engine.sessions.generators import K6Sessions
from benchmarks.engine.sessions.server import Counted, counted, session_server
from benchmarks.engine.settings import PEERS
from loadstone.contract.connect import caller_context, connect
from loadstone.contract.deadline import Deadline
from loadstone.errors import LoadstoneError
from loadstone.study.values.model import Protocol

CHECKOUT = Path(__file__).parents[2]
SECONDS = 20.0


@pytest.fixture(scope="module")
def workbench() -> Path:
    build = ["cargo", "build", "--quiet", "--locked", "--package", "loadstone-workbench"]
    subprocess.run(build, cwd=CHECKOUT, check=True)
    return CHECKOUT / "target" / "debug" / "loadstone-workbench"


def ask(running: ListeningServer, protocol: Protocol, *requests: tuple[str, str, str]) -> list[int]:
    """Send requests on one connection, each a method, a path and a body; return their statuses."""
    host, _, port = running.server.address.rpartition(":")
    address = (host, int(port))
    with connect(address, Deadline(SECONDS), protocol, caller_context(protocol, None)) as opened:
        return [
            opened.send_request(path, (), body.encode(), method=method).receive_answer().status
            for method, path, body in requests
        ]


@pytest.mark.parametrize("protocol", [Protocol.H1C, Protocol.H2C])
def test_each_kind_of_request_is_counted_and_refusals_are_an_error(
    workbench: Path, protocol: Protocol
) -> None:
    with session_server(workbench, protocol) as running:
        assert ask(running, protocol, ("POST", "/login", "{}")) == [200]
        assert counted(running) == Counted(logins=1, lists=0, inserts=0)
    with session_server(workbench, protocol) as running:
        refused = [("GET", "/items", ""), ("POST", "/login", "{"), ("GET", "/other", "")]
        assert ask(running, protocol, *refused) == [401, 400, 404]
        with pytest.raises(LoadstoneError, match="'unauthorized': 1, 'malformed': 1, 'unknown': 1"):
            counted(running)


@pytest.mark.slow
@pytest.mark.parametrize("protocol", ["h1c", "h2"])
def test_k6_goes_through_whole_sessions_and_the_server_refuses_none(
    workbench: Path, protocol: str
) -> None:
    k6 = PEERS / "k6"
    if not k6.exists():
        pytest.skip("k6 not found: scripts/install-benchmark-peers installs it")
    with session_server(workbench, protocol) as running:
        load = Load(running.server.address, protocol, connections=2, seconds=1)
        observed = measure(K6Sessions(str(k6)), load).observed
        told = counted(running)
    assert observed.failures == {}
    assert told.steps == observed.requests > 0
    # A user is in its first or second step when the time is over, and may end it.
    assert told.logins >= told.lists >= told.inserts >= told.logins - load.connections
