"""H2-1 to H2-7: streams on either leg: many at once, each for itself."""

from contextlib import ExitStack
from functools import partial
from itertools import cycle, islice
from secrets import token_bytes, token_hex
from threading import Event

from loadstone.contract import declare
from loadstone.contract.exchange import Exchange, Reply
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.http2_client import Http2Connection
from loadstone.contract.scripts import (
    Script,
    echo,
    fixed,
    gated,
    half_reset,
    last,
    never,
    reset_unanswered,
    together,
)
from loadstone.contract.subject import Subject
from loadstone.contract.wire import BrokenMessage

from .lib.gateway import JSON, MEBIBYTE, expect_next_echo

check = partial(declare.check, operation="passthrough")

PATH = "/passthrough"

AT_ONCE = 100
MOST_CONNECTIONS = 10

CONNECTION_SPECIFIC = [
    "connection",
    "keep-alive",
    "proxy-connection",
    "transfer-encoding",
    "upgrade",
]
"""RFC 9113, 8.2.2; a gateway sends no `te` either (PT-5)."""


@check("H2-1", "requests at the same time on one connection", client="http/2", quick=True)
def some_at_once(subject: Subject) -> None:
    with subject.connect_http2() as connection:
        _expect_own_answers(connection, 10)


@check(
    "H2-1",
    "100 requests at the same time on one connection, each with its own answer",
    client="http/2",
    needs_upstream=True,
)
def many_at_once(subject: Subject) -> None:
    seconds = subject.deadline.remaining_seconds()
    subject.upstream.answer_with(together(AT_ONCE, seconds))
    with subject.connect_http2() as connection:
        allowed = connection.wait_for_settings()
        expect(allowed >= AT_ONCE, f"the gateway allows {allowed} streams on a connection")
        _expect_own_answers(connection, AT_ONCE)


@check(
    "H2-2", "100 requests in flight need few connections", upstream="http/2", needs_upstream=True
)
def few_connections(subject: Subject) -> None:
    # None is open at first: 100 requests that each begin with a connection are what goes wrong.
    with subject.upstream.away(subject.deadline):
        pass
    before = subject.upstream.connections_opened
    subject.upstream.answer_with(together(AT_ONCE, subject.deadline.remaining_seconds()))
    callers = MOST_CONNECTIONS if subject.client.is_http2 else AT_ONCE
    with ExitStack() as opened:
        connections = [opened.enter_context(subject.connect()) for _ in range(callers)]
        calls = [
            connection.send_request(PATH, [JSON], b"{}")
            for connection in islice(cycle(connections), AT_ONCE)
        ]
        statuses = {call.receive_answer().status for call in calls}
    expect_equal(statuses, {200}, "the statuses")
    count = subject.upstream.connections_opened - before
    expect(count <= MOST_CONNECTIONS, f"100 requests in flight opened {count} connections")


@check(
    "H2-3",
    "no connection-specific field of an HTTP/1.1 upstream reaches an HTTP/2 caller",
    client="http/2",
    upstream="http/1.1",
    needs_upstream=True,
)
def fields_for_a_caller(subject: Subject) -> None:
    fields = [("Connection", "keep-alive"), ("Keep-Alive", "timeout=77"), ("Proxy-Connection", "x")]

    def in_chunks(_exchange: Exchange, reply: Reply) -> None:
        reply.begin(200, fields)
        reply.piece(b"{}")
        reply.end()

    for answer_with in (fixed(200, fields, b"{}"), in_chunks):
        subject.upstream.answer_with(answer_with)
        answer = subject.ask(PATH, [JSON], b"{}")  # the strict caller refuses them itself
        for name in CONNECTION_SPECIFIC:
            expect_equal(answer.values(name), (), f"the caller's {name}")


@check(
    "H2-3",
    "no connection-specific field of an HTTP/1.1 caller reaches an HTTP/2 upstream",
    client="http/1.1",
    upstream="http/2",
    needs_upstream=True,
)
def fields_for_an_upstream(subject: Subject) -> None:
    fields = [("Connection", "keep-alive"), ("Keep-Alive", "timeout=77"), ("Proxy-Connection", "x")]
    with subject.connect() as connection:
        call = connection.begin(PATH, [JSON, *fields])  # in chunks
        call.send_piece(b"{}")
        call.end()
        expect_equal(call.receive_answer().status, 200, "the status")
    head = subject.upstream.only_exchange().head
    for name in CONNECTION_SPECIFIC:
        expect_equal(head.values(name), (), f"the upstream's {name}")


@check(
    "H2-3",
    "no pseudo-header field of HTTP/2 is on the other leg",
    needs_upstream=True,
    upstream="http/1.1",
    client="http/2",
)
def no_pseudo_field_to_the_upstream(subject: Subject) -> None:
    subject.ask(PATH, [JSON], b"{}")
    _expect_no_pseudo_field(subject.upstream.only_exchange().headers)


@check(
    "H2-3",
    "no pseudo-header field of HTTP/2 is on the way back",
    needs_upstream=True,
    upstream="http/2",
    client="http/1.1",
)
def no_pseudo_field_to_the_caller(subject: Subject) -> None:
    _expect_no_pseudo_field(subject.ask(PATH, [JSON], b"{}").headers)


@check(
    "H2-3",
    "a cookie in crumbs is joined for HTTP/1.1",
    client="http/2",
    upstream="http/1.1",
    needs_upstream=True,
)
def cookie_crumbs(subject: Subject) -> None:
    crumbs = [f"{name}={token_hex(4)}" for name in "abc"]
    subject.ask(PATH, [JSON, *(("Cookie", crumb) for crumb in crumbs)], b"{}")
    values = subject.upstream.only_exchange().head.values("cookie")
    expect_equal(values, ("; ".join(crumbs),), "the upstream's Cookie")


@check(
    "H2-4",
    "a caller's reset ends its request at the upstream, and no other",
    client="http/2",
    needs_upstream=True,
)
def caller_resets(subject: Subject) -> None:
    gate = Event()
    pieces = [token_hex(8).encode() for _ in range(2)]
    slow = gated(pieces, gate, subject.deadline.remaining_seconds())
    subject.upstream.answer_with(_by_body({b"given up": never, b"slow": slow}))
    try:
        with subject.connect_http2() as connection:
            given_up = connection.send_request(PATH, [JSON], b"given up")
            exchange = subject.upstream.wait_for_exchange(subject.deadline)
            exchange.wait_for_body(len(b"given up"), subject.deadline)
            other = connection.send_request(PATH, [JSON], b"slow")
            other.receive_head()
            given_up.reset()
            exchange.wait_for_close(subject.deadline)
            gate.set()
            expect_equal(b"".join(other.receive_pieces()), b"".join(pieces), "the other answer")
            answer = connection.send_request(PATH, [JSON], b"next").receive_answer()
            expect_equal(answer.body, b"next", "the next answer on the connection")
    finally:
        gate.set()


@check(
    "H2-4",
    "a request that is reset in its body never looks complete",
    client="http/2",
    needs_upstream=True,
)
def caller_resets_in_the_body(subject: Subject) -> None:
    with subject.connect_http2() as connection:
        call = connection.begin(PATH, [JSON])
        call.send_piece(b"half")
        exchange = subject.upstream.wait_for_exchange(subject.deadline)
        exchange.wait_for_body(4, subject.deadline)
        call.reset()
        exchange.wait_for_close(subject.deadline)
    expect(not exchange.ended.is_set(), "the upstream saw the end of a body that has none")


@check("H2-5", "a stream reset before the answer gives 502", upstream="http/2", needs_upstream=True)
def upstream_resets_before(subject: Subject) -> None:
    subject.upstream.answer_with(reset_unanswered)
    answer = subject.ask(PATH, [JSON], b"{}")
    media_type = (answer.value("content-type") or "").partition(";")[0]
    expect_equal((answer.status, media_type), (502, "text/plain"), "status and media type")
    subject.upstream.only_exchange()
    expect_next_echo(subject, PATH)


@check(
    "H2-5",
    "a stream reset in the answer is seen as a broken answer",
    upstream="http/2",
    needs_upstream=True,
)
def upstream_resets_after(subject: Subject) -> None:
    subject.upstream.answer_with(half_reset(token_hex(8).encode()))
    try:
        answer = subject.ask(PATH, [JSON], b"{}")
    except (BrokenMessage, ConnectionError):
        pass
    else:
        expect_equal(answer.status, 502, "the status of an answer that looks complete")
    expect_next_echo(subject, PATH)


@check(
    "H2-6",
    "an answer that is not read holds up no other on its connection",
    client="http/2",
    needs_upstream=True,
)
def unread_answer(subject: Subject) -> None:
    large, other = token_bytes(MEBIBYTE), token_bytes(MEBIBYTE // 4)
    subject.upstream.answer_with(_by_body({b"large": fixed(200, [], large)}))
    with subject.connect_http2() as connection:
        unread = connection.send_request(PATH, [JSON], b"large")
        unread.receive_head()  # its body comes as far as the windows allow, and is not taken
        for body in (b"small", other):
            answer = connection.send_request(PATH, [JSON], body).receive_answer()
            expect_equal(answer.body, body, "another answer meanwhile")
        expect_equal(b"".join(unread.receive_pieces()), large, "the answer, read at last")


@check("H2-7", "after a GOAWAY a new connection is opened", upstream="http/2", needs_upstream=True)
def goes_on_after_goaway(subject: Subject) -> None:
    gate = Event()
    pieces = [token_hex(8).encode() for _ in range(2)]
    slow = gated(pieces, gate, subject.deadline.remaining_seconds())
    subject.upstream.answer_with(_by_body({b"slow": slow, b"last": last}))
    try:
        with subject.connect() as connection:
            in_flight = connection.send_request(PATH, [JSON], b"slow")
            in_flight.receive_head()
            for body in (b"last", b"next", b"after"):
                answer = subject.ask(PATH, [JSON], body)
                expect_equal((answer.status, answer.body), (200, body), "an answer")
            gate.set()
            whole = b"".join(in_flight.receive_pieces())
    finally:
        gate.set()
    expect_equal(whole, b"".join(pieces), "the answer that was in flight")
    connections = [exchange.connection for exchange in subject.upstream.exchanges]
    expect_equal(len(connections), 4, "requests at the upstream")
    _, goodbye, *further = connections
    expect(goodbye not in further, "a request was sent on a connection behind its GOAWAY")


def _expect_own_answers(connection: Http2Connection, count: int) -> None:
    bodies = [token_hex(8 + number).encode() for number in range(count)]
    calls = [connection.send_request(PATH, [JSON], body) for body in bodies]
    for call, body in reversed(list(zip(calls, bodies, strict=True))):
        answer = call.receive_answer()
        expect_equal((answer.status, answer.body), (200, body), "an answer")


def _expect_no_pseudo_field(headers: tuple[tuple[str, str], ...]) -> None:
    names = [name for name, _ in headers if name.startswith(":")]
    expect_equal(names, [], "the pseudo-header fields")


def _by_body(answers: dict[bytes, Script]) -> Script:
    """Answer the requests with these bodies so, and others by echo."""

    def answer(exchange: Exchange, reply: Reply) -> None:
        answers.get(exchange.body, echo)(exchange, reply)

    return answer
