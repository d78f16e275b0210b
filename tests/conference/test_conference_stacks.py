"""Every stack holds the whole contract, and the rules that no port shows."""

import re
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from conference_stacks import NOBODY, VARIANTS, database_variable, held, ready

from held_stacks import Variant, as_parameters
from loadstone.contract.connect import connect
from loadstone.contract.deadline import Deadline
from loadstone.contract.http1_client import Http1Connection
from loadstone.contract.model import Contract
from loadstone.contract.scripts import never
from loadstone.contract.upstream import RecordingUpstream
from loadstone.contract.wire import BrokenMessage
from loadstone.deploy.dependencies.mariadb.server import MariaDb
from loadstone.measure.prepare.prepared import Prepared
from loadstone.study.systems.startup_claim import claimed_ns
from stack_processes import (
    END_SECONDS,
    Started,
    expect_to_listen_where_host_says,
    refused,
    refused_at_a_taken_port,
    started,
)

WRONG = {
    "PORT": ("", "x", "-1", "65536", "+1"),
    "POOL_SIZE": ("0", "1001", "", "1.5", "ten"),
    "DB_TIMEOUT_MS": ("0", "60001", "1s"),
    "COUNTRY_TIMEOUT_MS": ("0", "-5", " 5"),
    "COUNTRY_CONNECTIONS": ("0", "1001"),
    "STRATEGY": ("", "Sequential", "parallel"),
    "WIDTH": ("0", "1001"),
    "BATCH_SIZE": ("0", "1001"),
    "RETRIES": ("-1", "11"),
    "RETRY_INTERVAL_MS": ("-1", "60001"),
    "BREAKER": ("true", ""),
    "CLIENT_PROTOCOL": ("h2", ""),
    "LOOKUP_PROTOCOL": ("h1", ""),
    "LOG_LEVEL": ("trace", ""),
    "COUNTRY_URL": ("", "127.0.0.1:9000", "ftp://127.0.0.1:9000", "http://127.0.0.1:9000/a"),
    "DATABASE_URL": (
        "",
        "mysql://127.0.0.1:3306/a",
        "mysql://u:secret@127.0.0.1/a",
        "x://u:secret@h:1/a",
    ),
}
HELD_QUICKLY = ("T", "I", "G", "H", "W3", "W6", "W10", "K1")
"""Clauses, by their beginning, that need no time: what `make test` holds of the cheap stacks."""
ENDED = re.compile(r"stopped in \d+")
"""What a framework may say on stderr at the end."""
SLOW_TO_HOLD = ("H5", "H6", "I9")


@dataclass(frozen=True)
class Ready:
    """A stack that is built, and where its logs go."""

    variant: Variant
    prepared: Prepared
    logs: Path
    database: MariaDb

    @contextmanager
    def start(self, country: str = NOBODY, **more: str) -> Iterator[Started]:
        told = {**self.told(country), **more}
        with started(self.prepared.launch, self.logs, told) as found:
            yield found

    @property
    def claim(self) -> str | None:
        """How it states its own start-up time, where it does."""
        return self.prepared.launch.claim

    def told(self, country: str = NOBODY) -> dict[str, str]:
        return {"DATABASE_URL": database_variable(self.database), "COUNTRY_URL": country}


@pytest.fixture(scope="session", params=as_parameters(VARIANTS))
def stack(
    request: pytest.FixtureRequest,
    contract: Contract,
    database: MariaDb,
    tmp_path_factory: pytest.TempPathFactory,
) -> Ready:
    logs = tmp_path_factory.mktemp("logs")
    variant: Variant = request.param
    return Ready(variant, ready(variant, "conference", contract, logs), logs, database)


def call(service: Started) -> Http1Connection:
    connection = connect(("127.0.0.1", service.port), Deadline(END_SECONDS))
    assert isinstance(connection, Http1Connection)
    return connection


def status_of(service: Started, target: str) -> int:
    with call(service) as connection:
        return connection.send_request(target, method="GET").receive_answer().status


@pytest.mark.slow
def test_the_whole_contract_holds(stack: Ready, contract: Contract) -> None:
    declared = {each.clause for each in stack.variant.stack.deviations}
    results = held(stack.variant.stack, "conference", stack.prepared, contract, stack.logs)
    assert [each for each in results if each.state not in ("passed", "deviates")] == []
    assert {each.clause for each in results if each.state == "deviates"} <= declared


@pytest.mark.parametrize(
    "variant", [pytest.param(each, id=str(each)) for each in VARIANTS if each.is_cheap]
)
def test_a_cheap_stack_holds_what_needs_no_time(
    variant: Variant, contract: Contract, tmp_path: Path
) -> None:
    clauses = {
        check.clause
        for check in contract.checks
        if check.clause.startswith(HELD_QUICKLY) and check.clause not in SLOW_TO_HOLD
    }
    prepared = ready(variant, "conference", contract, tmp_path)
    results = held(variant.stack, "conference", prepared, contract.of(clauses), tmp_path)
    assert len(results) > len(clauses)
    assert [each for each in results if each.state != "passed"] == []


def test_it_says_where_it_listens_and_nothing_else(stack: Ready) -> None:
    with stack.start() as service:
        assert service.before == ()
        claimed = [claimed_ns(line, stack.claim) for line in service.said if stack.claim]
        assert sum(each is not None for each in claimed) == (stack.claim is not None)
        assert stack.claim or not service.said
        assert status_of(service, "/healthz") == 200
        assert service.stop(signal.SIGTERM) == 0
        assert service.process.stdout is not None
        assert service.process.stdout.read() == ""
        assert [line for line in service.error_lines() if not ENDED.search(line)] == []


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_variable_is_named(stack: Ready, name: str) -> None:
    for value in WRONG[name]:
        ended = refused(
            stack.prepared.launch, stack.logs, {"PORT": "0", **stack.told(), name: value}
        )
        assert (ended.returncode, ended.stdout) == (2, ""), value
        (line,) = ended.stderr.splitlines()
        assert line.startswith(f"conference: {name} must be "), value
        if name == "DATABASE_URL":
            assert "secret" not in line
        else:
            assert line.endswith(f'not "{value}"')


def test_a_variable_that_is_needed_is_named(stack: Ready) -> None:
    for name in ("PORT", "DATABASE_URL", "COUNTRY_URL"):
        told = {"PORT": "0", **stack.told()}
        del told[name]
        ended = refused(stack.prepared.launch, stack.logs, told)
        assert (ended.returncode, ended.stdout) == (2, "")
        assert ended.stderr.startswith(f"conference: {name} must be ")


def test_it_listens_where_host_says(stack: Ready) -> None:
    expect_to_listen_where_host_says("conference", stack.prepared.launch, stack.logs, stack.told())


def test_a_port_that_is_taken_is_told(stack: Ready) -> None:
    ended = refused_at_a_taken_port(stack.prepared.launch, stack.logs, stack.told())
    assert ended.returncode == 1
    assert "in use" in ended.stderr


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_ends_at_once_where_nothing_is_in_flight(stack: Ready, number: int) -> None:
    with stack.start() as service, call(service) as idle:
        idle.send_request("/healthz", method="GET").receive_answer()
        began = time.monotonic()
        service.process.send_signal(number)
        idle.wait_for_end()
        assert service.process.wait(END_SECONDS) == 0
        assert time.monotonic() - began < 5.0, "the time that only requests in flight may take"


def test_requests_are_cut_off_after_their_time(stack: Ready) -> None:
    with RecordingUpstream() as upstream:
        upstream.answer_with(never)
        with (
            stack.start(upstream.url, COUNTRY_TIMEOUT_MS="60000") as service,
            call(service) as waiting,
        ):
            waiting.send_request("/conferenceswithcountry", method="GET")
            upstream.wait_for_exchange(Deadline(END_SECONDS))
            assert service.stop(signal.SIGTERM) == 0
            with pytest.raises((BrokenMessage, ConnectionError)):
                waiting.receive_answer()


def test_a_failure_is_at_most_one_line_and_nothing_else_is_any(stack: Ready) -> None:
    with stack.start() as service:
        for target in ("/conferences", "/nothing", "/conferences/no-such-row", "/readyz"):
            status_of(service, target)
        with call(service) as gone:
            gone.send_request("/conferences", method="GET")
        assert service.error_lines() == []
        for _ in range(3):
            assert status_of(service, "/conferenceswithcountry") == 502
        assert len(service.error_lines()) <= 3
        assert service.stop(signal.SIGTERM) == 0


def test_it_takes_no_threads_or_memory_for_cpus_that_it_has_not(stack: Ready) -> None:
    with stack.start() as service:
        threads = len(list(Path(f"/proc/{service.process.pid}/task").iterdir()))
        # A JVM has some 20 of its own, a pool of connections is no pool of threads.
        assert threads < 64
