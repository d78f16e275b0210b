"""HTTP/2 of the contract's caller and of its recording upstream, against each other and strictly."""

import socket
from collections.abc import Iterator
from threading import Thread

import pytest
from callers import SECONDS, address_of, connect_http2
from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import RequestReceived
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from loadstone.contract.channel import Channel
from loadstone.contract.connect import connect
from loadstone.contract.deadline import Deadline
from loadstone.contract.faults import ServiceFault
from loadstone.contract.http2_client import Http2Connection, Http2Fault
from loadstone.contract.scripts import fixed, half_reset, last, never, reset_unanswered, together
from loadstone.contract.upstream import RecordingUpstream
from loadstone.contract.wire import BrokenMessage
from loadstone.machine.tls_material import TlsMaterial
from loadstone.study.values.model import Protocol

LARGE = bytes(range(256)) * 4096
"""1 MiB, sixteen times the window that a stream begins with."""

CONFIGURATION = {
    "header_encoding": None,
    "validate_outbound_headers": False,
    "normalize_outbound_headers": False,
}
"""Of a peer that sends whatever it is told."""


@pytest.fixture(params=[Protocol.H2C, Protocol.H2])
def upstream(request: pytest.FixtureRequest, material: TlsMaterial) -> Iterator[RecordingUpstream]:
    with RecordingUpstream(request.param, material) as listening:
        yield listening


def test_a_large_body_goes_both_ways_through_small_windows(upstream: RecordingUpstream) -> None:
    with connect_http2(upstream) as connection:
        answer = connection.send_request("/", body=LARGE).receive_answer()
    assert answer.body == upstream.only_exchange().body == LARGE


def test_requests_on_one_connection_are_in_flight_together(upstream: RecordingUpstream) -> None:
    upstream.answer_with(together(100, SECONDS))
    with connect_http2(upstream) as connection:
        assert connection.wait_for_settings() == 100
        calls = [connection.send_request("/", body=b"%d" % number) for number in range(100)]
        bodies = [call.receive_answer().body for call in reversed(calls)]
    assert bodies == [b"%d" % number for number in reversed(range(100))]
    assert upstream.connections_opened == 1


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.binary(max_size=100_000), max_size=4), st.randoms())
def test_bodies_in_pieces_come_back_whatever_is_read_first(
    upstream: RecordingUpstream, bodies: list[bytes], random: object
) -> None:
    with connect_http2(upstream) as connection:
        calls = [(connection.begin("/"), body) for body in bodies]
        for call, body in calls:
            call.send_piece(body[: len(body) // 2])
        for call, body in calls:
            call.send_piece(body[len(body) // 2 :])
            call.end()
        random.shuffle(calls)  # type: ignore[attr-defined]
        for call, body in calls:
            assert call.receive_answer().body == body


def test_what_is_not_read_stops_at_its_window_and_holds_up_no_other(
    upstream: RecordingUpstream,
) -> None:
    upstream.answer_with(fixed(200, [], LARGE))
    with connect_http2(upstream) as connection:
        unread = connection.send_request("/")
        unread.receive_head()
        for _ in range(3):
            assert connection.send_request("/").receive_answer().body == LARGE
        assert b"".join(unread.receive_pieces()) == LARGE


def test_a_reset_of_the_caller_ends_its_request_alone(upstream: RecordingUpstream) -> None:
    upstream.answer_with(never)
    with connect_http2(upstream) as connection:
        call = connection.send_request("/", body=b"a")
        exchange = upstream.wait_for_exchange(Deadline(SECONDS))
        call.reset()
        exchange.wait_for_close(Deadline(SECONDS))
        upstream.forget()
        assert connection.send_request("/", body=b"b").receive_answer().body == b"b"
    assert upstream.connections_opened == 1


def test_a_reset_of_the_upstream_ends_its_answer_alone(upstream: RecordingUpstream) -> None:
    with connect_http2(upstream) as connection:
        for answer in (reset_unanswered, half_reset(b"half")):
            upstream.answer_with(answer)
            with pytest.raises(BrokenMessage, match="stream was reset"):
                connection.send_request("/", body=b"a").receive_answer()
            upstream.forget()
            assert connection.send_request("/", body=b"b").receive_answer().body == b"b"
    assert upstream.connections_opened == 1


def test_after_a_goaway_streams_go_on_and_later_ones_are_broken(
    upstream: RecordingUpstream,
) -> None:
    with connect_http2(upstream) as connection:
        upstream.answer_with(last)
        assert connection.send_request("/", body=b"last").receive_answer().body == b"last"
        with pytest.raises(BrokenMessage, match="takes no more streams"):
            connection.send_request("/", body=b"late").receive_answer()


def test_a_request_with_a_field_of_http_1_is_a_fault(upstream: RecordingUpstream) -> None:
    with connect_http2(upstream) as connection:
        connection.state.config.validate_outbound_headers = False
        connection.state.config.normalize_outbound_headers = False
        call = connection.send_request("/", [("Connection", "keep-alive")])
        with pytest.raises(BrokenMessage):
            call.receive_answer()
    assert upstream.exchanges == ()
    assert [fault.partition(":")[0] for fault in upstream.faults] == ["not HTTP/2"]
    upstream.forget()
    assert upstream.faults == ()


@pytest.mark.parametrize(
    "field",
    [
        (b"connection", b"keep-alive"),
        (b"keep-alive", b"timeout=5"),
        (b"transfer-encoding", b"chunked"),
        (b"X-Upper", b"1"),
    ],
)
def test_a_caller_refuses_an_answer_that_http_2_does_not_allow(field: tuple[bytes, bytes]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        answering = Thread(target=answer_once, args=(listener, [(b":status", b"200"), field]))
        answering.start()
        with connect(listener.getsockname()[:2], Deadline(SECONDS), Protocol.H2C) as connection:
            assert isinstance(connection, Http2Connection)
            with pytest.raises(Http2Fault, match="not HTTP/2: "):
                connection.send_request("/").receive_answer()
        answering.join(SECONDS)


@pytest.mark.parametrize("status", [b"abc", b"2000", b"\xb2\xb2\xb2", b""])
def test_an_answer_without_a_status_is_broken(status: bytes) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        answering = Thread(target=answer_once, args=(listener, [(b":status", status)]))
        answering.start()
        with connect(listener.getsockname()[:2], Deadline(SECONDS), Protocol.H2C) as connection:
            call = connection.send_request("/")
            with pytest.raises(ServiceFault, match=r"not a status|not HTTP/2"):
                call.receive_answer()
        answering.join(SECONDS)


FRAMES = st.builds(
    lambda kind, flags, stream, content: (
        len(content).to_bytes(3) + bytes([kind, flags]) + stream.to_bytes(4) + content
    ),
    st.integers(0, 10),
    st.integers(0, 255),
    st.sampled_from([0, 1, 2, 3, 1 << 31]),
    st.binary(max_size=40),
)


class Played(Channel):
    """What the other side is said to have sent; it hears nothing."""

    def __init__(self, received: list[bytes]) -> None:
        self._received = iter(received)

    def receive(self) -> bytes:
        return next(self._received, b"")

    def send(self, data: bytes) -> None: ...

    def close(self) -> None: ...


@given(st.lists(FRAMES | st.binary(min_size=1, max_size=40), max_size=6), st.booleans())
def test_whatever_a_caller_receives_is_an_answer_or_a_fault_of_the_service(
    received: list[bytes], begins_well: bool
) -> None:
    settings_frame = b"\0\0\0\4\0\0\0\0\0"
    played = Played([settings_frame, *received] if begins_well else received)
    with Http2Connection(played, "a:1", None, scheme="http") as connection:
        try:
            calls = [connection.send_request("/", body=b"a" * 70_000), connection.begin("/")]
            calls[1].send_piece(b"b")
            calls[1].reset()
            for call in calls:
                call.receive_answer()
        except ServiceFault:
            pass


def test_more_streams_than_the_service_allows_are_its_fault() -> None:
    none_at_once = b"\0\0\6\4\0\0\0\0\0" + b"\0\3\0\0\0\0"
    with Http2Connection(Played([none_at_once]), "a:1", None, scheme="http") as connection:
        assert connection.wait_for_settings() == 0
        with pytest.raises(Http2Fault, match="fewer streams are allowed"):
            connection.send_request("/")


def test_an_answer_shorter_than_it_says_is_broken() -> None:
    fields = [(b":status", b"200"), (b"content-length", b"2")]
    with socket.create_server(("127.0.0.1", 0)) as listener:
        answering = Thread(target=answer_once, args=(listener, fields))
        answering.start()
        with connect(listener.getsockname()[:2], Deadline(SECONDS), Protocol.H2C) as connection:
            call = connection.send_request("/")
            with pytest.raises(BrokenMessage, match="not as long as it says"):
                call.receive_answer()
        answering.join(SECONDS)


def answer_once(listener: socket.socket, fields: list[tuple[bytes, bytes]]) -> None:
    """Answer one request with these fields as they are, and wait for the end."""
    accepted, _ = listener.accept()
    with accepted:
        state = H2Connection(H2Configuration(client_side=False, **CONFIGURATION))  # type: ignore[arg-type]
        state.initiate_connection()
        accepted.sendall(state.data_to_send())
        while data := accepted.recv(65536):
            for event in state.receive_data(data):
                if isinstance(event, RequestReceived):
                    state.send_headers(event.stream_id, fields)
                    state.end_stream(event.stream_id)
            accepted.sendall(state.data_to_send())


def test_a_caller_that_speaks_http_1_to_it_is_a_fault() -> None:
    with RecordingUpstream(Protocol.H2C) as upstream:
        with connect(address_of(upstream), Deadline(SECONDS)) as connection:
            connection.send_request("/")
            with pytest.raises((BrokenMessage, ConnectionError)):
                connection.receive_answer()
        assert len(upstream.faults) == 1
