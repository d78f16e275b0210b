from threading import Event

import pytest
from callers import SECONDS, connect

from loadstone.contract.deadline import Deadline
from loadstone.contract.scripts import (
    Script,
    break_unanswered,
    close_unanswered,
    fixed,
    gated,
    half,
    never,
    stalled,
    together,
)
from loadstone.contract.upstream import RecordingUpstream
from loadstone.contract.wire import BrokenMessage
from loadstone.machine.tls_material import TlsMaterial
from loadstone.study.values.model import Protocol


def test_a_request_is_recorded_as_it_came_and_echoed(any_upstream: RecordingUpstream) -> None:
    with connect(any_upstream) as connection:
        fields = [("x-B", "1"), ("Content-Type", "text/plain"), ("X-b", "2")]
        connection.send_request("/a?b", fields, b"\x00\xff", method="PUT")
        answer = connection.receive_answer()
    exchange = any_upstream.only_exchange()
    assert (exchange.method, exchange.target) == ("PUT", "/a?b")
    assert exchange.authority == any_upstream.authority
    if any_upstream.protocol.is_http2:
        fields = [(name.lower(), value) for name, value in fields]
    assert [field for field in exchange.headers if field in fields] == fields
    assert exchange.body == b"\x00\xff" == answer.body
    assert answer.value("content-type") == "text/plain"


def test_requests_are_counted_by_connection(any_upstream: RecordingUpstream) -> None:
    for requests in (2, 1):
        with connect(any_upstream) as connection:
            for _ in range(requests):
                connection.send_request("/")
                connection.receive_answer()
    assert [exchange.connection for exchange in any_upstream.exchanges] == [1, 1, 2]
    assert any_upstream.connections_opened == 2
    with pytest.raises(AssertionError, match="3 requests, not 1"):
        any_upstream.only_exchange()


def test_forgetting_drops_the_record_and_the_script(any_upstream: RecordingUpstream) -> None:
    any_upstream.answer_with(fixed(418, [("X-A", "1")], b"scripted"))
    with connect(any_upstream) as connection:
        connection.send_request("/")
        answer = connection.receive_answer()
        assert (answer.status, answer.value("x-a"), answer.body) == (418, "1", b"scripted")
        any_upstream.forget()
        connection.send_request("/", body=b"echo")
        assert connection.receive_answer().body == b"echo"
    assert len(any_upstream.exchanges) == 1


def test_a_part_of_a_request_is_seen_before_the_rest(any_upstream: RecordingUpstream) -> None:
    with connect(any_upstream) as connection:
        call = connection.begin("/")
        call.send_piece(b"first")
        deadline = Deadline(SECONDS)
        assert any_upstream.wait_for_exchange(deadline).wait_for_body(5, deadline) == b"first"
        call.end()
        assert call.receive_answer().body == b"first"


def test_a_gated_answer_waits_for_its_gate(any_upstream: RecordingUpstream) -> None:
    gate = Event()
    any_upstream.answer_with(gated([b"one", b"two"], gate, SECONDS))
    with connect(any_upstream) as connection:
        connection.send_request("/")
        connection.receive_head()
        pieces = connection.receive_pieces()
        assert next(pieces) == b"one"
        gate.set()
        assert b"".join(pieces) == b"two"


@pytest.mark.parametrize("answer", [close_unanswered, break_unanswered])
def test_a_request_can_be_left_unanswered(any_upstream: RecordingUpstream, answer: Script) -> None:
    any_upstream.answer_with(answer)
    with connect(any_upstream) as connection:
        connection.send_request("/", body=b"{}")
        with pytest.raises((BrokenMessage, ConnectionError)):
            connection.receive_answer()
    assert any_upstream.only_exchange().body == b"{}"


@pytest.mark.parametrize("chunked", [True, False])
def test_half_an_answer_is_broken(any_upstream: RecordingUpstream, chunked: bool) -> None:
    any_upstream.answer_with(half(b"half", chunked=chunked))
    with connect(any_upstream) as connection:
        connection.send_request("/")
        with pytest.raises(BrokenMessage):
            connection.receive_answer()


@pytest.mark.parametrize("answer", [never, stalled(b"one")])
def test_a_caller_that_goes_away_is_noted(any_upstream: RecordingUpstream, answer: Script) -> None:
    any_upstream.answer_with(answer)
    with connect(any_upstream) as connection:
        connection.send_request("/", body=b"{}")
        exchange = any_upstream.wait_for_exchange(Deadline(SECONDS))
        assert not exchange.closed.is_set()
        connection.break_off()
    exchange.wait_for_close(Deadline(SECONDS))


def test_answers_together_need_that_many_requests(any_upstream: RecordingUpstream) -> None:
    any_upstream.answer_with(together(2, SECONDS))
    with connect(any_upstream) as one, connect(any_upstream) as two:
        one.send_request("/", body=b"1")
        two.send_request("/", body=b"2")
        assert (one.receive_answer().body, two.receive_answer().body) == (b"1", b"2")


def test_while_it_is_away_callers_are_refused_and_afterwards_not(
    any_upstream: RecordingUpstream,
) -> None:
    with any_upstream.away(Deadline(SECONDS)), pytest.raises(ConnectionRefusedError):
        connect(any_upstream)
    with connect(any_upstream) as connection:
        connection.send_request("/", body=b"back")
        assert connection.receive_answer().body == b"back"


def test_leaving_ends_every_connection(material: TlsMaterial) -> None:
    for protocol in Protocol:
        with RecordingUpstream(protocol, material) as upstream:
            upstream.answer_with(never)
            connection = connect(upstream)
            connection.send_request("/")
            upstream.wait_for_exchange(Deadline(SECONDS))
        with connection, pytest.raises((BrokenMessage, ConnectionError)):
            connection.receive_answer()


def test_waiting_ends_with_the_deadline(any_upstream: RecordingUpstream) -> None:
    with pytest.raises(TimeoutError):
        any_upstream.wait_for_exchange(Deadline(0))
