from threading import Event

import pytest

from loadstone.contract.answers import (
    Answerer,
    break_unanswered,
    close_unanswered,
    fixed,
    gated,
    half,
    never,
    stalled,
    together,
)
from loadstone.contract.client import Connection, Deadline
from loadstone.contract.upstream import RecordingUpstream
from loadstone.contract.wire import BrokenMessage

SECONDS = 10.0


def connect(upstream: RecordingUpstream) -> Connection:
    host, _, port = upstream.authority.partition(":")
    return Connection((host, int(port)), Deadline(SECONDS))


def test_a_request_is_recorded_as_it_came_and_echoed(upstream: RecordingUpstream) -> None:
    with connect(upstream) as connection:
        fields = [("x-B", "1"), ("Content-Type", "text/plain"), ("X-b", "2")]
        connection.send_request("/a?b", fields, b"\x00\xff", method="PUT")
        answer = connection.receive_answer()
    exchange = upstream.only_exchange()
    assert (exchange.method, exchange.target) == ("PUT", "/a?b")
    assert exchange.headers[1:4] == tuple(fields)
    assert exchange.body == b"\x00\xff" == answer.body
    assert answer.value("content-type") == "text/plain"


def test_requests_are_counted_by_connection(upstream: RecordingUpstream) -> None:
    for requests in (2, 1):
        with connect(upstream) as connection:
            for _ in range(requests):
                connection.send_request("/")
                connection.receive_answer()
    assert [exchange.connection for exchange in upstream.exchanges] == [1, 1, 2]
    assert upstream.connections_opened == 2
    with pytest.raises(AssertionError, match="3 requests, not 1"):
        upstream.only_exchange()


def test_forgetting_drops_the_record_and_the_script(upstream: RecordingUpstream) -> None:
    upstream.answer_with(fixed(418, [("X-A", "1")], b"scripted"))
    with connect(upstream) as connection:
        connection.send_request("/")
        answer = connection.receive_answer()
        assert (answer.status, answer.value("x-a"), answer.body) == (418, "1", b"scripted")
        upstream.forget()
        connection.send_request("/", body=b"echo")
        assert connection.receive_answer().body == b"echo"
    assert len(upstream.exchanges) == 1


def test_a_part_of_a_request_is_seen_before_the_rest(upstream: RecordingUpstream) -> None:
    with connect(upstream) as connection:
        connection.send_head("/", [("Transfer-Encoding", "chunked")])
        connection.send_chunk(b"first")
        deadline = Deadline(SECONDS)
        assert upstream.wait_for_exchange(deadline).wait_for_body(5, deadline) == b"first"
        connection.send_chunk(b"")
        assert connection.receive_answer().body == b"first"


def test_a_gated_answer_waits_for_its_gate(upstream: RecordingUpstream) -> None:
    gate = Event()
    upstream.answer_with(gated([b"one", b"two"], gate, SECONDS))
    with connect(upstream) as connection:
        connection.send_request("/")
        _, head = connection.receive_head()
        pieces = connection.receive_pieces(head)
        assert next(pieces) == b"one"
        gate.set()
        assert b"".join(pieces) == b"two"


@pytest.mark.parametrize("answer", [close_unanswered, break_unanswered])
def test_a_request_can_be_left_unanswered(upstream: RecordingUpstream, answer: Answerer) -> None:
    upstream.answer_with(answer)
    with connect(upstream) as connection:
        connection.send_request("/", body=b"{}")
        with pytest.raises((BrokenMessage, ConnectionError)):
            connection.receive_answer()
    assert upstream.only_exchange().body == b"{}"


@pytest.mark.parametrize("chunked", [True, False])
def test_half_an_answer_is_broken(upstream: RecordingUpstream, chunked: bool) -> None:
    upstream.answer_with(half(b"half", chunked=chunked))
    with connect(upstream) as connection:
        connection.send_request("/")
        with pytest.raises(BrokenMessage):
            connection.receive_answer()


@pytest.mark.parametrize("answer", [never, stalled(b"one")])
def test_a_caller_that_goes_away_is_noted(upstream: RecordingUpstream, answer: Answerer) -> None:
    upstream.answer_with(answer)
    with connect(upstream) as connection:
        connection.send_request("/", body=b"{}")
        exchange = upstream.wait_for_exchange(Deadline(SECONDS))
        assert not exchange.closed.is_set()
        connection.break_off()
    exchange.wait_for_close(Deadline(SECONDS))


def test_answers_together_need_that_many_requests(upstream: RecordingUpstream) -> None:
    upstream.answer_with(together(2, SECONDS))
    with connect(upstream) as one, connect(upstream) as two:
        one.send_request("/", body=b"1")
        two.send_request("/", body=b"2")
        assert (one.receive_answer().body, two.receive_answer().body) == (b"1", b"2")


def test_while_it_is_away_callers_are_refused_and_afterwards_not(
    upstream: RecordingUpstream,
) -> None:
    with upstream.away(Deadline(SECONDS)), pytest.raises(ConnectionRefusedError):
        connect(upstream)
    with connect(upstream) as connection:
        connection.send_request("/", body=b"back")
        assert connection.receive_answer().body == b"back"


def test_leaving_ends_every_connection() -> None:
    with RecordingUpstream() as upstream:
        upstream.answer_with(never)
        connection = connect(upstream)
        connection.send_request("/")
        upstream.wait_for_exchange(Deadline(SECONDS))
    with connection, pytest.raises((BrokenMessage, ConnectionError)):
        connection.receive_answer()


def test_waiting_ends_with_the_deadline(upstream: RecordingUpstream) -> None:
    with pytest.raises(TimeoutError):
        upstream.wait_for_exchange(Deadline(0))
