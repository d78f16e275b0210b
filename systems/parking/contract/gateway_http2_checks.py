"""G32, G36 and G37: many requests at the same time, and what HTTP/2 has on either leg."""

from collections.abc import Mapping
from contextlib import ExitStack
from functools import partial
from itertools import cycle, islice
from secrets import token_bytes, token_hex
from threading import Event

from loadstone.contract import declare
from loadstone.contract.client import Connection
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
from loadstone.contract.wire import BrokenMessage, Headers

from .lib.gateway_answers import expect_refused
from .lib.gateway_service import (
    AS_SUPERVISOR,
    COINS,
    MANY_SECONDS,
    MEBIBYTE,
    USERS,
    ask,
    ask_on,
    expect_echo,
    get,
    post,
    settle,
)
from .lib.objects import JSON, expect_status

check = partial(declare.check, needs_upstream=True, seconds=MANY_SECONDS)
quick = partial(declare.check, quick=True)

AT_ONCE = 100
MOST_CONNECTIONS = 10
RESET_SECONDS = 3.0
"""Less than the gateway itself waits for an answer."""
FIELDS = [AS_SUPERVISOR, JSON]
CONNECTION_SPECIFIC = (
    *("connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade", "te"),
)
"""RFC 9113, 8.2.2; a gateway sends no `te` either (G8)."""


@quick("G32", "requests at the same time on one connection are all served", client="http/2")
def some_at_once(subject: Subject) -> None:
    with subject.connect_http2() as connection:
        calls = [connection.send_request(USERS, [AS_SUPERVISOR], method="GET") for _ in range(10)]
        statuses = [call.receive_answer().status for call in reversed(calls)]
    expect_equal(statuses, [200] * 10, "the statuses")


@check("G32", "100 requests at the same time each get their own answer")
def keeps_callers_apart(subject: Subject) -> None:
    bodies = [token_hex(8 + number).encode() for number in range(AT_ONCE)]
    subject.upstream.answer_with(together(AT_ONCE, subject.deadline.remaining_seconds()))
    # HTTP/1.1 needs a connection for each; on HTTP/2 all are on one.
    count = 1 if subject.client.is_http2 else AT_ONCE
    with ExitStack() as opened:
        connections = [opened.enter_context(subject.connect()) for _ in range(count)]
        if isinstance(connections[0], Http2Connection):
            allowed = connections[0].wait_for_settings()
            expect(allowed >= AT_ONCE, f"the gateway allows {allowed} streams on a connection")
        calls = [
            connection.send_request(COINS, FIELDS, body)
            for connection, body in zip(cycle(connections), bodies)
        ]
        for call, body in reversed(list(zip(calls, bodies, strict=True))):
            answer = call.receive_answer()
            expect_equal((answer.status, answer.body), (200, body), "an answer")


@check("G32", "100 requests in flight need few connections to the service", upstream="http/2")
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
            connection.send_request(COINS, FIELDS, b"{}")
            for connection in islice(cycle(connections), AT_ONCE)
        ]
        statuses = {call.receive_answer().status for call in calls}
    expect_equal(statuses, {200}, "the statuses")
    count = subject.upstream.connections_opened - before
    expect(count <= MOST_CONNECTIONS, f"100 requests in flight opened {count} connections")


@check(
    "G36",
    "no connection-specific field of a service on HTTP/1.1 reaches a caller on HTTP/2",
    client="http/2",
    upstream="http/1.1",
)
def fields_for_a_caller(subject: Subject) -> None:
    fields = [("Connection", "keep-alive"), ("Keep-Alive", "timeout=77"), ("Proxy-Connection", "x")]

    def in_chunks(_exchange: Exchange, reply: Reply) -> None:
        reply.begin(200, fields)
        reply.piece(b"{}")
        reply.end()

    answered = ((200, fixed(200, fields, b"{}")), (200, in_chunks), (404, fixed(404, fields)))
    for status, script in answered:
        subject.upstream.answer_with(script)
        answer = get(subject)  # the strict caller refuses them itself
        expect_status(answer, status, "what has them")
        for name in CONNECTION_SPECIFIC:
            expect_equal(answer.values(name), (), f"the caller's {name}")


@check(
    "G36",
    "no connection-specific field of a caller on HTTP/1.1 reaches a service on HTTP/2",
    client="http/1.1",
    upstream="http/2",
)
def fields_for_a_service(subject: Subject) -> None:
    fields = [("Connection", "keep-alive"), ("Keep-Alive", "timeout=77"), ("Proxy-Connection", "x")]
    with subject.connect() as connection:
        call = connection.begin(COINS, [*FIELDS, *fields])  # in chunks
        call.send_piece(b"{}")
        call.end()
        expect_status(call.receive_answer(), 200, "a request in chunks")
    head = subject.upstream.only_exchange().head
    for name in CONNECTION_SPECIFIC:
        expect_equal(head.values(name), (), f"the service's {name}")


@check("G36", "the gateway's own answers have no connection-specific field", client="http/2")
def fields_of_own_answers(subject: Subject) -> None:
    answers = [
        *(get(subject, "/nothing"), get(subject, token=None), get(subject, "/health", token=None)),
        *(ask(subject, "PUT", "/health"), get(subject, "/users/..")),
    ]
    for answer in answers:
        for name in CONNECTION_SPECIFIC:
            expect_equal(answer.values(name), (), f"{name} of a {answer.status}")


@check("G36", "no pseudo-header is on a leg of HTTP/1.1, and on the other way back")
def no_pseudo_header(subject: Subject) -> None:
    answer = get(subject)
    if not subject.client.is_http2:
        _expect_no_pseudo_header(answer.headers, "the caller's")
    if not subject.upstream_protocol.is_http2:
        _expect_no_pseudo_header(subject.upstream.only_exchange().headers, "the service's")


@check(
    "G36",
    "a cookie in crumbs is joined for a service on HTTP/1.1",
    client="http/2",
    upstream="http/1.1",
)
def cookie_crumbs(subject: Subject) -> None:
    crumbs = [f"{name}={token_hex(4)}" for name in "abc"]
    get(subject, USERS, *(("Cookie", crumb) for crumb in crumbs))
    values = subject.upstream.only_exchange().head.values("cookie")
    expect_equal(values, ("; ".join(crumbs),), "the service's Cookie")


@check(
    "G36",
    "a stream that is reset before the head is a failed attempt",
    upstream="http/2",
)
def service_resets_before(subject: Subject) -> None:
    try:
        subject.upstream.answer_with(reset_unanswered)
        answer = post(subject, COINS, b"{}", JSON)
        expect_refused(subject, answer, "upstream", "of a service that resets the stream")
        subject.upstream.only_exchange()
    finally:
        settle(subject)
    expect_echo(subject, "behind a stream that was reset")


@check("G36", "a stream that is reset in an answer is a broken answer", upstream="http/2")
def service_resets_after(subject: Subject) -> None:
    subject.upstream.answer_with(half_reset(token_hex(8).encode()))
    try:
        answer = get(subject)
    except (BrokenMessage, ConnectionError):
        pass
    else:
        expect_equal(answer.status, 502, "the status of an answer that looks complete")
    subject.upstream.forget()
    expect_echo(subject, "behind an answer that was reset")


@check("G36", "behind a GOAWAY requests are served on a new connection", upstream="http/2")
def goes_on_behind_goaway(subject: Subject) -> None:
    gate = Event()
    pieces = [token_hex(8).encode() for _ in range(2)]
    slow = gated(pieces, gate, subject.deadline.remaining_seconds())
    subject.upstream.answer_with(_by_body({b"slow": slow, b"last": last}))
    try:
        with subject.connect() as connection:
            in_flight = connection.send_request(COINS, FIELDS, b"slow")
            in_flight.receive_head()
            for body in (b"last", b"next", b"after"):
                answer = post(subject, COINS, body, JSON)
                expect_equal((answer.status, answer.body), (200, body), "an answer")
            gate.set()
            whole = b"".join(in_flight.receive_pieces())
    finally:
        gate.set()
    expect_equal(whole, b"".join(pieces), "the answer that was in flight")
    connections = [exchange.connection for exchange in subject.upstream.exchanges]
    expect_equal(len(connections), 4, "requests at the service")
    expect(
        connections[1] not in connections[2:],
        "a request was sent on a connection behind its GOAWAY",
    )


@check("G37", "a caller's reset ends its request at the service, and no other", client="http/2")
def caller_resets(subject: Subject) -> None:
    gate = Event()
    pieces = [token_hex(8).encode() for _ in range(2)]
    slow = gated(pieces, gate, subject.deadline.remaining_seconds())
    subject.upstream.answer_with(_by_body({b"given up": never, b"slow": slow}))
    try:
        with subject.connect_http2() as connection:
            given_up = connection.send_request(COINS, FIELDS, b"given up")
            exchange = _arrived(subject, b"given up")
            other = connection.send_request(COINS, FIELDS, b"slow")
            other.receive_head()
            given_up.reset()
            is_over = exchange.closed.wait(RESET_SECONDS)
            expect(is_over, "the request goes on at the service behind its reset")
            gate.set()
            expect_equal(b"".join(other.receive_pieces()), b"".join(pieces), "the other answer")
            _expect_next(connection, "behind a reset")
    finally:
        gate.set()


@check("G37", "a request that is reset in its body never looks complete", client="http/2")
def caller_resets_in_the_body(subject: Subject) -> None:
    with subject.connect_http2() as connection:
        call = connection.begin(COINS, FIELDS)
        call.send_piece(b"half")
        exchange = _arrived(subject, b"half")
        call.reset()
        exchange.wait_for_close(subject.deadline)
        expect(not exchange.ended.is_set(), "the service saw the end of a body that has none")
        subject.upstream.forget()
        _expect_next(connection, "behind a body that was reset")


@check("G37", "an answer that is not read holds up no other on its connection", client="http/2")
def unread_answer(subject: Subject) -> None:
    large, other = token_bytes(MEBIBYTE), token_bytes(MEBIBYTE // 4)
    subject.upstream.answer_with(_by_body({b"large": fixed(200, [], large)}))
    with subject.connect_http2() as connection:
        unread = connection.send_request(COINS, FIELDS, b"large")
        unread.receive_head()  # its body comes as far as the windows allow, and is not taken
        for body in (b"small", other):
            answer = connection.send_request(COINS, FIELDS, body).receive_answer()
            expect(answer.body == body, f"another answer is {answer.body[:40]!r}...")
        whole = b"".join(unread.receive_pieces())
    expect(whole == large, f"the answer, read at last, is {len(whole)} bytes, or others")


@check("G37", "a request that is not ended holds up no other on its connection", client="http/2")
def unfinished_request(subject: Subject) -> None:
    with subject.connect_http2() as connection:
        slow = connection.begin(COINS, FIELDS)
        slow.send_piece(b"first,")
        _arrived(subject, b"first,")
        for _ in range(3):
            _expect_next(connection, "beside a request that is not ended")
        slow.send_piece(b"last")
        slow.end()
        expect_equal(slow.receive_answer().body, b"first,last", "the echo of the slow request")


def _arrived(subject: Subject, body: bytes) -> Exchange:
    """The first request at the service, once this part of its body is there."""
    exchange = subject.upstream.wait_for_exchange(subject.deadline)
    exchange.wait_for_body(len(body), subject.deadline)
    return exchange


def _expect_next(connection: Connection, when: str) -> None:
    body = token_hex(8).encode()
    answer = ask_on(connection, "POST", COINS, JSON, body=body)
    expect_equal((answer.status, answer.body), (200, body), f"the next answer {when}")


def _expect_no_pseudo_header(headers: Headers, whose: str) -> None:
    names = [name for name, _ in headers if name.startswith(":")]
    expect_equal(names, [], f"{whose} pseudo-headers")


def _by_body(answers: Mapping[bytes, Script]) -> Script:
    """Answer the requests with these bodies so, and others by echo."""

    def answer(exchange: Exchange, reply: Reply) -> None:
        answers.get(exchange.body, echo)(exchange, reply)

    return answer
