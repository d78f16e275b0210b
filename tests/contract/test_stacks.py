"""Cheap stacks hold the whole contract on every leg, and all hold the rules that no port shows."""

import signal
from collections.abc import Callable, Iterable
from itertools import product
from pathlib import Path

import pytest
from gateway_process import END_SECONDS, Gateway
from ready_stacks import (
    CLEARTEXT,
    OLDEST_AND_NEWEST,
    VARIANTS,
    YARDSTICKS,
    Legs,
    Ready,
    Variant,
    on_every_runtime,
    ready,
)

from loadstone.contract.client import Call, Connection
from loadstone.contract.connect import caller_context
from loadstone.contract.connect import connect as open_connection
from loadstone.contract.deadline import Deadline
from loadstone.contract.model import Contract
from loadstone.contract.run import run_checks
from loadstone.contract.scripts import half
from loadstone.contract.upstream import RecordingUpstream
from loadstone.contract.wire import BrokenMessage
from loadstone.machine.tls_material import TlsMaterial
from loadstone.study.values.manifest import Stack
from loadstone.study.values.model import Protocol
from stack_processes import ANOTHER, listens


def every_pair(variant: Variant) -> list[Legs]:
    """All that a cheap stack speaks; `loadstone check` holds all stacks over what is published."""
    return _spoken(variant, product(Protocol, repeat=2)) if variant.is_cheap else []


def oldest_and_newest(variant: Variant) -> list[Legs]:
    return _spoken(variant, OLDEST_AND_NEWEST)


def _spoken(variant: Variant, pairs: Iterable[tuple[Protocol, Protocol]]) -> list[Legs]:
    spoken = variant.stack.protocols
    return [
        Legs(client, upstream)
        for client, upstream in pairs
        if client in spoken["client"] and upstream in spoken["upstream"]
    ]


def on_legs(choose_legs: Callable[[Variant], list[Legs]]) -> pytest.MarkDecorator:
    """Every stack on every runtime over these legs."""
    return pytest.mark.parametrize(
        ("stack", "legs"),
        [
            pytest.param(
                variant,
                legs,
                id=f"{variant.stack.stack}@{variant.runtime}, {legs.client} -> {legs.upstream}",
                marks=[] if variant.is_cheap and legs in OLDEST_AND_NEWEST else pytest.mark.slow,
            )
            for variant in VARIANTS
            for legs in choose_legs(variant)
        ],
        indirect=["stack"],
    )


@pytest.fixture(scope="session", params=on_every_runtime())
def stack(
    request: pytest.FixtureRequest, contract: Contract, tmp_path_factory: pytest.TempPathFactory
) -> Ready:
    return ready(request.param, contract, tmp_path_factory)


def connect(started: Gateway, client: Protocol, upstream: RecordingUpstream) -> Connection:
    host, _, port = started.url.partition("://")[2].partition(":")
    authority = upstream.material.authority if upstream.material else None
    deadline = Deadline(END_SECONDS)
    return open_connection((host, int(port)), deadline, client, caller_context(client, authority))


def send_half(connection: Connection, upstream: RecordingUpstream) -> Call:
    """Begin a request of no stated length, and wait until the upstream has what was sent of it: a small
    body whose length is known may be read before it is passed on.
    """
    deadline = Deadline(END_SECONDS)
    call = connection.begin("/passthrough")
    call.send_piece(b"la")
    upstream.wait_for_exchange(deadline).wait_for_body(2, deadline)
    return call


@on_legs(every_pair)
def test_the_whole_contract_holds(
    stack: Ready, legs: Legs, contract: Contract, material: TlsMaterial
) -> None:
    with (
        RecordingUpstream(legs.upstream, material) as upstream,
        stack.start(upstream, legs.client) as started,
    ):
        results = run_checks(
            contract,
            started.url,
            upstream,
            quick_only=False,
            budget_seconds=None,
            legs=legs._asdict(),
            authority=material.authority,
            operations=stack.stack.operations,
        )
    assert [result for result in results if result.state != "passed"] == []


@pytest.mark.parametrize(
    "yardstick",
    [
        pytest.param(each, id=each.stack, marks=[] if each.language == "Go" else pytest.mark.slow)
        for each in YARDSTICKS
    ],
)
def test_a_yardstick_holds_what_it_names(
    yardstick: Stack,
    contract: Contract,
    material: TlsMaterial,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    assert yardstick.yardstick is not None
    built = ready(Variant(yardstick, yardstick.runtimes[0]), contract, tmp_path_factory)
    with RecordingUpstream(Protocol.H1C, material) as upstream, built.start(upstream) as started:
        results = run_checks(
            contract.of(yardstick.yardstick),
            started.url,
            upstream,
            quick_only=False,
            budget_seconds=None,
            legs=CLEARTEXT._asdict(),
            authority=material.authority,
        )
        assert started.stop(signal.SIGTERM) == 0
    assert {result.clause for result in results} == set(yardstick.yardstick)
    assert [result for result in results if result.state != "passed"] == []


@on_legs(oldest_and_newest)
def test_a_signal_ends_it_with_0_although_a_connection_is_open(
    stack: Ready, legs: Legs, material: TlsMaterial
) -> None:
    signals = [signal.SIGTERM] if stack.is_ready_made else [signal.SIGTERM, signal.SIGINT]
    for number in signals:
        with (
            RecordingUpstream(legs.upstream, material) as upstream,
            stack.start(upstream, legs.client) as started,
            connect(started, legs.client, upstream) as connection,
        ):
            answer = connection.send_request("/passthrough", body=b"{}").receive_answer()
            assert answer.status == 200
            assert started.stop(number) == 0
            assert stack.is_ready_made or stack.own_lines(started.error_lines()) == []


@on_legs(oldest_and_newest)
def test_an_answer_in_flight_is_given_after_the_signal(
    stack: Ready, legs: Legs, material: TlsMaterial
) -> None:
    if stack.is_ready_made:
        pytest.skip("a ready-made proxy ends as it does")
    with (
        RecordingUpstream(legs.upstream, material) as upstream,
        stack.start(upstream, legs.client) as started,
        connect(started, legs.client, upstream) as connection,
    ):
        call = send_half(connection, upstream)
        started.process.send_signal(signal.SIGTERM)
        call.send_piece(b"st")
        call.end()
        assert call.receive_answer().body == b"last"
        assert started.process.wait(END_SECONDS) == 0


@on_legs(oldest_and_newest)
def test_a_connection_without_a_request_is_ended_before_one_in_flight(
    stack: Ready, legs: Legs, material: TlsMaterial
) -> None:
    if stack.is_ready_made:
        pytest.skip("a ready-made proxy ends as it does")
    with (
        RecordingUpstream(legs.upstream, material) as upstream,
        stack.start(upstream, legs.client) as started,
        connect(started, legs.client, upstream) as idle,
        connect(started, legs.client, upstream) as connection,
    ):
        idle.send_request("/passthrough", body=b"{}").receive_answer()
        upstream.forget()
        call = send_half(connection, upstream)
        started.process.send_signal(signal.SIGTERM)
        idle.wait_for_end()
        call.send_piece(b"st")
        call.end()
        assert call.receive_answer().body == b"last"
        assert started.process.wait(END_SECONDS) == 0


@on_legs(oldest_and_newest)
def test_each_failure_of_the_upstream_gives_one_line_on_stderr(
    stack: Ready, legs: Legs, material: TlsMaterial
) -> None:
    if stack.is_ready_made:
        pytest.skip("a ready-made proxy logs as it does")
    with (
        RecordingUpstream(legs.upstream, material) as upstream,
        stack.start(upstream, legs.client) as started,
    ):
        away = upstream.away(Deadline(END_SECONDS))
        with away, connect(started, legs.client, upstream) as connection:
            answer = connection.send_request("/passthrough", body=b"{}").receive_answer()
            assert answer.status == 502
        upstream.answer_with(half(b"{}", chunked=True))
        with connect(started, legs.client, upstream) as connection:
            call = connection.send_request("/passthrough", body=b"{}")
            with pytest.raises((BrokenMessage, ConnectionError)):
                call.receive_answer()
        assert started.stop(signal.SIGTERM) == 0
        assert len(stack.own_lines(started.error_lines())) == 2


@on_legs(oldest_and_newest)
def test_a_caller_that_goes_away_gives_no_line_on_stderr(
    stack: Ready, legs: Legs, material: TlsMaterial
) -> None:
    if stack.is_ready_made:
        pytest.skip("a ready-made proxy logs as it does")
    with (
        RecordingUpstream(legs.upstream, material) as upstream,
        stack.start(upstream, legs.client) as started,
    ):
        with connect(started, legs.client, upstream) as connection:
            send_half(connection, upstream)
        upstream.only_exchange().wait_for_close(Deadline(END_SECONDS))
        assert started.stop(signal.SIGTERM) == 0
        assert stack.own_lines(started.error_lines()) == []


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("HOST", "everywhere"),
        ("PORT", "http"),
        ("UPSTREAM_URL", "127.0.0.1:1"),
        ("CLIENT_PROTOCOL", "http/3"),
        ("UPSTREAM_PROTOCOL", "h3"),
    ],
)
def test_a_wrong_variable_is_named_and_ends_with_2(stack: Ready, variable: str, value: str) -> None:
    right = {"PORT": "1", "UPSTREAM_URL": "http://127.0.0.1:1"}
    ended = stack.end_with(**{**right, variable: value})
    assert ended.returncode == 2
    (said,) = stack.own_lines((ended.stdout + ended.stderr).splitlines())
    assert said.startswith(f"gateway: {variable} must be ")
    assert value in said
    assert said in ended.stderr


@pytest.mark.parametrize("variable", ["TLS_CERT", "TLS_KEY", "TLS_CA"])
@pytest.mark.parametrize("value", ["missing.pem", "empty.pem"])
def test_a_certificate_or_key_that_cannot_be_read_is_named_and_ends_with_2(
    stack: Ready, variable: str, value: str, material: TlsMaterial, tmp_path: Path
) -> None:
    if stack.is_ready_made:
        pytest.skip("a ready-made proxy says so as it does")
    (tmp_path / "empty.pem").touch()
    right = {
        "PORT": "0",
        "UPSTREAM_URL": "https://127.0.0.1:1",
        "CLIENT_PROTOCOL": "h1",
        "UPSTREAM_PROTOCOL": "h1",
        "TLS_CERT": str(material.certificate),
        "TLS_KEY": str(material.key),
        "TLS_CA": str(material.authority),
    }
    ended = stack.end_with(**{**right, variable: str(tmp_path / value)})
    assert ended.returncode == 2
    (said,) = stack.own_lines((ended.stdout + ended.stderr).splitlines())
    assert said.startswith("gateway: TLS_")
    assert variable in said
    assert said in ended.stderr


def test_it_listens_where_host_says(stack: Ready, upstream: RecordingUpstream) -> None:
    with stack.start(upstream, HOST=ANOTHER) as gateway:
        port = int(gateway.url.rpartition(":")[2])
        assert listens(ANOTHER, port)
        assert not listens("127.0.0.1", port)


def test_a_taken_port_ends_with_1(stack: Ready, upstream: RecordingUpstream) -> None:
    if stack.is_ready_made:
        pytest.skip("a ready-made proxy may share a port")
    port = upstream.authority.rpartition(":")[2]
    ended = stack.end_with(PORT=port, UPSTREAM_URL=upstream.url)
    assert ended.returncode == 1
    assert "in use" in ended.stderr
