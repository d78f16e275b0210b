"""Every stack holds the whole contract, and the rules that no port shows."""

import json
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from secrets import token_hex

import pytest
from booking_stacks import NOWHERE, SECRET, VARIANTS, held, ready, variables

from held_stacks import Variant, as_parameters
from loadstone.contract.client import Answer
from loadstone.contract.connect import connect
from loadstone.contract.deadline import Deadline
from loadstone.contract.http1_client import Http1Connection
from loadstone.contract.model import Contract
from loadstone.contract.wire import BrokenMessage
from loadstone.deploy.dependencies.postgres.server import Postgres
from loadstone.measure.prepare.prepared import Prepared
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
    "POOL_SIZE": ("0", "1001", "", "1.5", "ten", "-1", " 5"),
    "POOL_WAIT_MS": ("0", "60001", "1s", ""),
    "JWT_TTL": ("0", "86401", "1h", ""),
    "PASSWORD_COST": ("3", "15", "ten", ""),
    "CLIENT_PROTOCOL": ("h2", "", "H1C"),
    "LOG_LEVEL": ("trace", "", "WARN"),
    "JWT_SECRET": ("", "a-secret" * 3, "a-secret" * 33, "a-secret with spaces" * 3, "ä-secret" * 8),
    "DATABASE_URL": (
        *("", "postgres://127.0.0.1:5432/database", "mysql://u:a-secret@127.0.0.1:5432/database"),
        *("postgres://u:a-secret@127.0.0.1/database", "postgres://u:a-secret@127.0.0.1:5432"),
        "x://u:a-secret@h:1/a",
    ),
}
SECRETS = ("DATABASE_URL", "JWT_SECRET")
HELD_QUICKLY = ("T", "A1", "C", "R", "D", "I", "G", "H")
"""Clauses, by their beginning, that need little time: what `make test` holds of the cheap stacks."""
SLOW_TO_HOLD = ("A10", "H9")
CLUB = {"name": "Of nobody", "city": "Nowhere"}


@dataclass(frozen=True)
class Ready:
    """A stack that is built, and where its logs go."""

    variant: Variant
    prepared: Prepared
    logs: Path
    database: Postgres

    @contextmanager
    def start(self, **more: str) -> Iterator[Started]:
        with started(self.prepared.launch, self.logs, {**self.told(), **more}) as found:
            yield found

    def told(self) -> dict[str, str]:
        return variables(self.database)


@pytest.fixture(scope="session", params=as_parameters(VARIANTS))
def stack(
    request: pytest.FixtureRequest,
    contract: Contract,
    database: Postgres,
    tmp_path_factory: pytest.TempPathFactory,
) -> Ready:
    logs = tmp_path_factory.mktemp("logs")
    variant: Variant = request.param
    return Ready(variant, ready(variant, contract, logs), logs, database)


def call(service: Started) -> Http1Connection:
    connection = connect(("127.0.0.1", service.port), Deadline(END_SECONDS))
    assert isinstance(connection, Http1Connection)
    return connection


def token_of(account: int, role: str) -> tuple[str, str]:
    """The field by which such an account asks."""
    caller = import_module("systems.booking.contract.lib.tokens").caller(account, role)
    return "Authorization", f"Bearer {caller.token}"


def wait_for(holds: Callable[[], bool]) -> None:
    """Wait for what comes about in the background."""
    end = time.monotonic() + END_SECONDS
    while not holds():
        assert time.monotonic() < end, "it has not come about"
        time.sleep(0.05)


def posted(service: Started, target: str, value: object, *fields: tuple[str, str]) -> Answer:
    with call(service) as connection:
        every = [("Content-Type", "application/json"), *fields]
        return connection.send_request(target, every, json.dumps(value).encode()).receive_answer()


def status_of(service: Started, target: str, *fields: tuple[str, str]) -> int:
    with call(service) as connection:
        return connection.send_request(target, fields, method="GET").receive_answer().status


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_the_whole_contract_holds(stack: Ready, contract: Contract) -> None:
    declared = {each.clause for each in stack.variant.stack.deviations}
    results = held(stack.variant.stack, stack.prepared, contract, stack.logs)
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
    prepared = ready(variant, contract, tmp_path)
    results = held(variant.stack, prepared, contract.of(clauses), tmp_path)
    assert len(results) > len(clauses)
    assert [each for each in results if each.state not in ("passed", "deviates")] == []


def test_it_says_where_it_listens_and_nothing_else(stack: Ready) -> None:
    with stack.start() as service:
        assert service.before == ()
        assert status_of(service, "/healthz") == 200
        assert service.stop(signal.SIGTERM) == 0
        assert service.process.stdout is not None
        assert service.process.stdout.read() == ""
        assert service.error_lines() == []


def test_it_does_not_wait_for_its_database(stack: Ready) -> None:
    with stack.start(DATABASE_URL=NOWHERE) as service:
        assert status_of(service, "/healthz") == 200
        assert status_of(service, "/readyz") == 503
        assert service.stop(signal.SIGTERM) == 0


def test_what_is_not_told_has_its_default(stack: Ready) -> None:
    told = stack.told()
    del told["PASSWORD_COST"]
    email = f"defaults-{token_hex(8)}@booking.example"
    account = {"email": email, "name": "Ada", "password": "court-side-2040"}
    hand = stack.database.hand
    with started(stack.prepared.launch, stack.logs, told) as service:
        assert posted(service, "/accounts", account).status == 201
        answer = posted(service, "/auth/login", {"email": email, "password": "court-side-2040"})
        assert json.loads(answer.body)["expires_in"] == 3600
        wait_for(lambda: len(hand.sessions()) == 10)
    ((written,),) = hand.execute("SELECT password_hash FROM account WHERE email = %s", (email,))
    assert written.startswith(("$2a$10$", "$2b$10$"))


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_variable_is_named(stack: Ready, name: str) -> None:
    for value in WRONG[name]:
        ended = refused(
            stack.prepared.launch, stack.logs, {"PORT": "0", **stack.told(), name: value}
        )
        assert (ended.returncode, ended.stdout) == (2, ""), value
        (line,) = ended.stderr.splitlines()
        assert line.startswith(f"booking: {name} must be "), value
        if name in SECRETS:
            assert "secret" not in line.removeprefix(f"booking: {name}")
        else:
            assert line.endswith(f'not "{value}"')


def test_a_variable_that_is_needed_is_named(stack: Ready) -> None:
    for name in ("PORT", "DATABASE_URL", "JWT_SECRET"):
        told = {"PORT": "0", **stack.told()}
        del told[name]
        ended = refused(stack.prepared.launch, stack.logs, told)
        assert (ended.returncode, ended.stdout) == (2, "")
        assert ended.stderr.startswith(f"booking: {name} must be ")
        assert SECRET not in ended.stderr


def test_it_listens_where_host_says(stack: Ready) -> None:
    expect_to_listen_where_host_says("booking", stack.prepared.launch, stack.logs, stack.told())


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
    # One that waits for a connection of the pool waits for longer than a service may end.
    with (
        stack.start(DATABASE_URL=NOWHERE, POOL_WAIT_MS="60000") as service,
        call(service) as waiting,
    ):
        waiting.send_request("/readyz", method="GET")
        time.sleep(1.0)
        service.process.send_signal(signal.SIGTERM)
        time.sleep(1.0)
        with pytest.raises((BrokenMessage, OSError)):  # it accepts nobody any more
            status_of(service, "/healthz")
        assert service.process.wait(END_SECONDS) == 0
        with pytest.raises((BrokenMessage, ConnectionError)):
            waiting.receive_answer()


def test_a_failure_is_at_most_one_line_and_nothing_else_is_any(stack: Ready) -> None:
    owner, nobody = token_of(1, "owner"), token_of(999_999_999, "owner")
    with stack.start() as service:
        for target in ("/clubs", "/nothing", "/clubs/999999999", "/readyz", "/clubs?limit=0"):
            status_of(service, target, owner)
        status_of(service, "/clubs")
        with call(service) as gone:
            gone.send_request("/clubs", [owner], method="GET")
        assert service.error_lines() == []
        for _ in range(3):
            # The row would be of an account that is not there, which no rule has an answer for.
            assert posted(service, "/clubs", CLUB, nobody).status == 500
        assert len(service.error_lines()) <= 3
        assert service.stop(signal.SIGTERM) == 0


def test_it_takes_no_threads_or_memory_for_cpus_that_it_has_not(stack: Ready) -> None:
    with stack.start() as service:
        threads = len(list(Path(f"/proc/{service.process.pid}/task").iterdir()))
        # A JVM has some 20 of its own, a pool of connections is no pool of threads.
        assert threads < 64
