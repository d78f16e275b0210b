"""Each stack holds the whole contract, and the process rules that no port shows."""

import os
import shlex
import signal
import subprocess
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

import pytest
from gateway_process import END_SECONDS, Gateway, gateway

from loadstone.contract.answers import half
from loadstone.contract.client import Connection, Deadline
from loadstone.contract.model import Contract
from loadstone.contract.run import run_checks
from loadstone.contract.upstream import RecordingUpstream
from loadstone.contract.wire import BrokenMessage
from loadstone.deploy.confinement.choose import choose, own_groups_here
from loadstone.deploy.deployment import Conditions
from loadstone.deploy.placement import available_cores, place
from loadstone.errors import Unavailable
from loadstone.measure.partners import common_protocols
from loadstone.measure.prepare import build_stack
from loadstone.measure.sources import found_source
from loadstone.measure.train import train
from loadstone.study.catalogue import open_catalogue
from loadstone.study.launch import FoundRuntime, gc_log_path, with_gc_log

CATALOGUE = open_catalogue(Path(__file__))
STACKS = CATALOGUE.stacks("mediation", "gateway")


@dataclass(frozen=True)
class Ready:
    """A stack that is built, and trained where its runtime asks for that."""

    command: list[str]
    directory: Path
    runtime: FoundRuntime

    def start(self, upstream: RecordingUpstream) -> AbstractContextManager[Gateway]:
        return gateway(self.command, self.directory, upstream.url, self.variables())

    def variables(self) -> dict[str, str]:
        return {**os.environ, **self.runtime.variables(os.environ["PATH"])}

    def end_with(self, **variables: str) -> "subprocess.CompletedProcess[str]":
        """Start it wrongly, and return its end."""
        return subprocess.run(
            self.command,
            cwd=self.directory,
            env={**self.variables(), **variables},
            capture_output=True,
            text=True,
            timeout=END_SECONDS,
            check=False,
        )

    def own_lines(self, lines: list[str]) -> list[str]:
        """Leave out what the runtime says of itself."""
        proof = self.runtime.runtime.proof
        return [line for line in lines if proof is None or proof not in line]


def on_every_runtime() -> list[object]:
    """Every stack on its first runtime; on the others it is slow."""
    return [
        pytest.param(
            (stack, name),
            id=f"{stack.stack}@{name}",
            marks=[] if name == stack.runtimes[0] else pytest.mark.slow,
        )
        for stack in STACKS
        for name in stack.runtimes
    ]


@pytest.fixture(scope="session", params=on_every_runtime())
def stack(
    request: pytest.FixtureRequest, contract: Contract, tmp_path_factory: pytest.TempPathFactory
) -> Ready:
    found, name = request.param
    try:
        source = found_source(CATALOGUE, found, name)
    except Unavailable as error:
        pytest.skip(error.message)
    logs = tmp_path_factory.mktemp("logs")
    conditions = Conditions(
        legs=common_protocols([found]),
        limits={},
        placement=place(available_cores()),
        confine=choose(own_groups_here()).confine,
        logs=logs,
    )
    built = {"gateway": build_stack(source, CATALOGUE.builds, logs / "build.log")}
    launch = train(CATALOGUE.system("mediation"), built, contract, conditions)["gateway"].launch
    command = with_gc_log(launch.command, gc_log_path(logs, "gateway"))
    return Ready(shlex.split(command), launch.directory, source.runtime)


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
    stack: Ready, contract: Contract, upstream: RecordingUpstream
) -> None:
    with stack.start(upstream) as started:
        results = run_checks(contract, started.url, upstream, quick_only=False, budget_seconds=None)
    assert [result for result in results if result.state != "passed"] == []


def test_a_signal_ends_it_with_0_although_a_connection_is_open(
    stack: Ready, upstream: RecordingUpstream
) -> None:
    for number in (signal.SIGTERM, signal.SIGINT):
        with stack.start(upstream) as started, connect(started.url) as connection:
            connection.send_request("/passthrough", body=b"{}")
            assert connection.receive_answer().status == 200
            assert started.stop(number) == 0
            assert stack.own_lines(started.error_lines()) == []


def test_an_answer_in_flight_is_given_after_the_signal(
    stack: Ready, upstream: RecordingUpstream
) -> None:
    with stack.start(upstream) as started, connect(started.url) as connection:
        send_half(connection, upstream)
        started.process.send_signal(signal.SIGTERM)
        connection.send(b"st")
        assert connection.receive_answer().body == b"last"
        assert started.process.wait(END_SECONDS) == 0


def test_each_failure_of_the_upstream_gives_one_line_on_stderr(
    stack: Ready, upstream: RecordingUpstream
) -> None:
    with stack.start(upstream) as started:
        with upstream.away(Deadline(END_SECONDS)), connect(started.url) as connection:
            connection.send_request("/passthrough", body=b"{}")
            assert connection.receive_answer().status == 502
        upstream.answer_with(half(b"{}", chunked=False))
        with connect(started.url) as connection:
            connection.send_request("/passthrough", body=b"{}")
            with pytest.raises((BrokenMessage, ConnectionError)):
                connection.receive_answer()
        assert started.stop(signal.SIGTERM) == 0
        assert len(stack.own_lines(started.error_lines())) == 2


def test_a_caller_that_goes_away_gives_no_line_on_stderr(
    stack: Ready, upstream: RecordingUpstream
) -> None:
    with stack.start(upstream) as started:
        with connect(started.url) as connection:
            send_half(connection, upstream)
        upstream.only_exchange().wait_for_close(Deadline(END_SECONDS))
        assert started.stop(signal.SIGTERM) == 0
        assert stack.own_lines(started.error_lines()) == []


@pytest.mark.parametrize(
    ("variable", "value"),
    [("PORT", "http"), ("UPSTREAM_URL", "127.0.0.1:1"), ("UPSTREAM_PROTOCOL", "h2")],
)
def test_a_wrong_variable_is_named_and_ends_with_2(stack: Ready, variable: str, value: str) -> None:
    right = {"PORT": "0", "UPSTREAM_URL": "http://127.0.0.1:1"}
    ended = stack.end_with(**{**right, variable: value})
    assert ended.returncode == 2
    (said,) = stack.own_lines((ended.stdout + ended.stderr).splitlines())
    assert said.startswith(f"gateway: {variable} must be ")
    assert value in said
    assert said in ended.stderr


def test_a_taken_port_ends_with_1(stack: Ready, upstream: RecordingUpstream) -> None:
    port = upstream.authority.rpartition(":")[2]
    ended = stack.end_with(PORT=port, UPSTREAM_URL=upstream.url)
    assert ended.returncode == 1
    assert "in use" in ended.stderr
