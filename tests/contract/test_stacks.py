"""Each stack holds the whole contract, and the process rules that no port shows."""

import os
import signal
import subprocess
from pathlib import Path

import pytest
from gateway_process import END_SECONDS, gateway

from loadstone.contract.answers import half
from loadstone.contract.client import Connection, Deadline
from loadstone.contract.model import Contract
from loadstone.contract.run import run_checks
from loadstone.contract.upstream import RecordingUpstream
from loadstone.contract.wire import BrokenMessage

Stack = tuple[list[str], Path]


@pytest.fixture(params=["go", "node"])
def stack(request: pytest.FixtureRequest) -> Stack:
    """Its command line and folder."""
    if request.param == "go":
        binary: Path = request.getfixturevalue("go_binary")
        return [str(binary)], binary.parent
    return ["node", "src/main.js"], request.getfixturevalue("node_directory")


def connect(url: str) -> Connection:
    host, _, port = url.removeprefix("http://").partition(":")
    return Connection((host, int(port)), Deadline(END_SECONDS))


def send_half(connection: Connection, upstream: RecordingUpstream) -> None:
    """Begin a request, and wait until the upstream has what was sent of it."""
    deadline = Deadline(END_SECONDS)
    connection.send_head("/passthrough", [("Content-Length", "4")])
    connection.send(b"la")
    upstream.wait_for_exchange(deadline).wait_for_body(2, deadline)


def test_the_whole_contract_holds(
    stack: Stack, contract: Contract, upstream: RecordingUpstream
) -> None:
    with gateway(*stack, upstream.url) as started:
        results = run_checks(contract, started.url, upstream, quick_only=False, budget_seconds=None)
    assert [result for result in results if result.state != "passed"] == []


def test_a_signal_ends_it_with_0_although_a_connection_is_open(
    stack: Stack, upstream: RecordingUpstream
) -> None:
    for number in (signal.SIGTERM, signal.SIGINT):
        with gateway(*stack, upstream.url) as started, connect(started.url) as connection:
            connection.send_request("/passthrough", body=b"{}")
            assert connection.receive_answer().status == 200
            assert started.stop(number) == 0
            assert started.error_lines() == []


def test_an_answer_in_flight_is_given_after_the_signal(
    stack: Stack, upstream: RecordingUpstream
) -> None:
    with gateway(*stack, upstream.url) as started, connect(started.url) as connection:
        send_half(connection, upstream)
        started.process.send_signal(signal.SIGTERM)
        connection.send(b"st")
        assert connection.receive_answer().body == b"last"
        assert started.process.wait(END_SECONDS) == 0


def test_each_failure_of_the_upstream_gives_one_line_on_stderr(
    stack: Stack, upstream: RecordingUpstream
) -> None:
    with gateway(*stack, upstream.url) as started:
        with upstream.away(Deadline(END_SECONDS)), connect(started.url) as connection:
            connection.send_request("/passthrough", body=b"{}")
            assert connection.receive_answer().status == 502
        upstream.answer_with(half(b"{}", chunked=False))
        with connect(started.url) as connection:
            connection.send_request("/passthrough", body=b"{}")
            with pytest.raises((BrokenMessage, ConnectionError)):
                connection.receive_answer()
        assert started.stop(signal.SIGTERM) == 0
        assert len(started.error_lines()) == 2


def test_a_caller_that_goes_away_gives_no_line_on_stderr(
    stack: Stack, upstream: RecordingUpstream
) -> None:
    with gateway(*stack, upstream.url) as started:
        with connect(started.url) as connection:
            send_half(connection, upstream)
        upstream.only_exchange().wait_for_close(Deadline(END_SECONDS))
        assert started.stop(signal.SIGTERM) == 0
        assert started.error_lines() == []


@pytest.mark.parametrize(
    ("variable", "value"),
    [("PORT", "http"), ("UPSTREAM_URL", "127.0.0.1:1"), ("UPSTREAM_PROTOCOL", "h2")],
)
def test_a_wrong_variable_is_named_and_ends_with_2(stack: Stack, variable: str, value: str) -> None:
    command, directory = stack
    environment = {"PORT": "0", "UPSTREAM_URL": "http://127.0.0.1:1", variable: value}
    ended = subprocess.run(
        command,
        cwd=directory,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=END_SECONDS,
        check=False,
    )
    assert ended.returncode == 2
    assert ended.stdout == ""
    assert ended.stderr.startswith(f"gateway: {variable} must be ")
    assert value in ended.stderr


def test_a_taken_port_ends_with_1(stack: Stack, upstream: RecordingUpstream) -> None:
    command, directory = stack
    port = upstream.authority.rpartition(":")[2]
    ended = subprocess.run(
        command,
        cwd=directory,
        env={**os.environ, "PORT": port, "UPSTREAM_URL": upstream.url},
        capture_output=True,
        text=True,
        timeout=END_SECONDS,
        check=False,
    )
    assert ended.returncode == 1
    assert "address already in use" in ended.stderr
