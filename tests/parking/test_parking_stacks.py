"""Every stack of every service holds the whole contract, and the rules that no port shows."""

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from parking_stacks import NOWHERE, READY_MADE, SECRET, VARIANTS, held, ready, variables

from held_stacks import Variant
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

HELD_QUICKLY = {
    "gateway": ("G1", "G2", "G3", "G4", "G7", "G9", "G10", "G14", "G26", "G29"),
    "users": ("U2", "U3", "U4", "U10", "U12", "U13", "U15", "U20"),
    "registry": ("R1", "R2", "R6"),
}
"""Clauses that need little time: what `make test` holds of the cheap stacks."""
LIVE = {"gateway": "/health", "users": "/health", "registry": "/eureka/apps"}
NEEDED = {
    "gateway": ("PORT", "STATIC_INSTANCES", "JWT_SECRET"),
    "users": ("PORT", "DATABASE_URL", "JWT_SECRET", "INTERNAL_KEY"),
    "registry": ("PORT",),
}
AS_JSON = ("Accept", "application/json")
AS_SUPERVISOR = (("X-User-Id", "1"), ("X-User-Role", "SUPERVISOR"))
EVERY = [
    pytest.param(
        (service, variant),
        id=f"{service}-{variant}",
        marks=[] if variant.is_cheap else pytest.mark.slow,
    )
    for service, variants in VARIANTS.items()
    for variant in variants
]
STARTED = [each for each in EVERY if each.values[0][1].stack.stack not in READY_MADE]
CHEAP = [each for each in EVERY if not each.marks]


@dataclass(frozen=True)
class Ready:
    """A stack that is built, and where its logs go."""

    service: str
    variant: Variant
    prepared: Prepared
    logs: Path
    database: Postgres

    @contextmanager
    def start(self, **more: str) -> Iterator[Started]:
        with started(self.prepared.launch, self.logs, {**self.told(), **more}) as found:
            yield found

    def told(self) -> dict[str, str]:
        return variables(self.service, self.database)


@pytest.fixture(scope="session", params=STARTED)
def stack(
    request: pytest.FixtureRequest,
    contract: Contract,
    database: Postgres,
    tmp_path_factory: pytest.TempPathFactory,
) -> Ready:
    logs = tmp_path_factory.mktemp("logs")
    service, variant = request.param
    return Ready(service, variant, ready(service, variant, contract, logs), logs, database)


def call(service: Started) -> Http1Connection:
    connection = connect(("127.0.0.1", service.port), Deadline(END_SECONDS))
    assert isinstance(connection, Http1Connection)
    return connection


def status_of(service: Started, target: str, *fields: tuple[str, str]) -> int:
    with call(service) as connection:
        return connection.send_request(target, fields, method="GET").receive_answer().status


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("chosen", EVERY)
def test_the_whole_contract_holds(
    chosen: tuple[str, Variant], contract: Contract, tmp_path: Path
) -> None:
    service, variant = chosen
    declared = {each.clause for each in variant.stack.deviations}
    results = held(service, variant, ready(*chosen, contract, tmp_path), contract, tmp_path)
    assert [each for each in results if each.state not in ("passed", "deviates")] == []
    assert {each.clause for each in results if each.state == "deviates"} <= declared


@pytest.mark.parametrize("chosen", CHEAP)
def test_a_cheap_stack_holds_what_needs_no_time(
    chosen: tuple[str, Variant], contract: Contract, tmp_path: Path
) -> None:
    service, variant = chosen
    prepared = ready(service, variant, contract, tmp_path)
    few = contract.of(set(HELD_QUICKLY[service]))
    results = held(service, variant, prepared, few, tmp_path)
    assert {each.clause for each in results} == set(HELD_QUICKLY[service])
    assert [each for each in results if each.state not in ("passed", "deviates")] == []


def test_it_says_where_it_listens_and_nothing_else(stack: Ready) -> None:
    with stack.start() as service:
        assert service.before == ()
        assert status_of(service, LIVE[stack.service], AS_JSON) == 200
        assert service.stop(signal.SIGTERM) == 0
        assert service.process.stdout is not None
        assert service.process.stdout.read() == ""
        assert service.error_lines() == []


def test_it_waits_for_nothing(stack: Ready) -> None:
    if stack.service != "users":
        pytest.skip("what it is told in every other test is away")
    with stack.start(DATABASE_URL=NOWHERE) as service:
        assert status_of(service, "/health") == 503
        assert status_of(service, "/users") == 401
        assert service.stop(signal.SIGTERM) == 0


def test_a_variable_that_is_needed_is_named(stack: Ready) -> None:
    for name in NEEDED[stack.service]:
        told = {"PORT": "0", **stack.told()}
        del told[name]
        ended = refused(stack.prepared.launch, stack.logs, told)
        assert (ended.returncode, ended.stdout) == (2, "")
        assert ended.stderr.startswith(f"{stack.service}: {name} must be ")
        assert SECRET not in ended.stderr


def test_it_listens_where_host_says(stack: Ready) -> None:
    expect_to_listen_where_host_says(stack.service, stack.prepared.launch, stack.logs, stack.told())


def test_a_port_that_is_taken_is_told(stack: Ready) -> None:
    ended = refused_at_a_taken_port(stack.prepared.launch, stack.logs, stack.told())
    assert ended.returncode == 1
    assert "in use" in ended.stderr


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_ends_at_once_where_nothing_is_in_flight(stack: Ready, number: int) -> None:
    with stack.start() as service, call(service) as idle:
        idle.send_request(LIVE[stack.service], [AS_JSON], method="GET").receive_answer()
        began = time.monotonic()
        service.process.send_signal(number)
        idle.wait_for_end()
        assert service.process.wait(END_SECONDS) == 0
        assert time.monotonic() - began < 5.0, "the time that only requests in flight may take"


def test_requests_are_cut_off_after_their_time(stack: Ready) -> None:
    if stack.service != "users":
        pytest.skip("a clause of the contract asks it of a gateway; a registry never waits")
    # One that is sent in part stays in flight.
    with stack.start() as service, call(service) as waiting:
        waiting.begin("/users/login", [("Content-Type", "application/json")], length=100)
        time.sleep(1.0)
        service.process.send_signal(signal.SIGTERM)
        time.sleep(1.0)
        with pytest.raises((BrokenMessage, OSError)):  # it accepts nobody any more
            status_of(service, "/health")
        assert service.process.wait(END_SECONDS) == 0


def test_what_callers_do_is_no_line(stack: Ready) -> None:
    with stack.start() as service:
        for target in (LIVE[stack.service], "/nothing", "/users", "/users/../x"):
            status_of(service, target)
            status_of(service, target, *AS_SUPERVISOR)
        with call(service) as gone:
            gone.send_request(LIVE[stack.service], [AS_JSON], method="GET")
        assert [
            line for line in service.error_lines() if "service failed" not in line.lower()
        ] == []
        assert service.stop(signal.SIGTERM) == 0


def test_it_takes_no_threads_for_cpus_that_it_has_not(stack: Ready) -> None:
    with stack.start() as service:
        threads = len(list(Path(f"/proc/{service.process.pid}/task").iterdir()))
        # A JVM has some 20 of its own, a pool of connections is no pool of threads.
        assert threads < 64
