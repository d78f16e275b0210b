"""G12, G13 and G35: how large a message may be, and what is none."""

from collections.abc import Iterable
from contextlib import suppress
from functools import partial
from secrets import token_bytes, token_hex
from typing import Final

from loadstone.contract import declare
from loadstone.contract.client import Answer
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.http1_client import Http1Connection
from loadstone.contract.scripts import fixed
from loadstone.contract.subject import Subject
from loadstone.contract.wire import BrokenMessage, write_head

from .lib.gateway_answers import expect_refused
from .lib.gateway_service import (
    AS_SUPERVISOR,
    COINS,
    MANY_SECONDS,
    MEBIBYTE,
    USERS,
    expect_echo,
    expect_none_arrived,
    get,
    post,
)
from .lib.objects import expect_status

check = partial(declare.check, needs_upstream=True, seconds=MANY_SECONDS)

KIBIBYTE: Final = 1 << 10
PASSING_HEAD_BYTES = 15 * KIBIBYTE
LARGE_HEADS_BYTES = (24 * KIBIBYTE, 25 * KIBIBYTE, 40 * KIBIBYTE)
COUNTED_BYTES = 32
"""What HTTP/2 counts besides for each field (RFC 9113, 6.5.2)."""
SMALL_FIELDS = 60
PIECE_BYTES = 64 * KIBIBYTE
BLOB = ("Content-Type", "application/octet-stream")


@check("G12", "a body of 1 MiB passes, in chunks or not")
def largest_body(subject: Subject) -> None:
    body = token_bytes(MEBIBYTE)
    pieces = [body[at : at + PIECE_BYTES] for at in range(0, MEBIBYTE, PIECE_BYTES)]
    for length in (MEBIBYTE, None):
        for target in (USERS, COINS):
            subject.upstream.forget()
            subject.upstream.answer_with(fixed(201))
            answer = _upload(subject, target, pieces, length)
            expect_status(answer, 201, f"a body of 1 MiB of length {length}")
            arrived = subject.upstream.only_exchange().body
            expect(arrived == body, f"{len(arrived)} bytes arrived, or others")


@check("G12", "a Content-Length above 1 MiB is 413 at once, and nothing arrives")
def larger_body(subject: Subject) -> None:
    for length in (MEBIBYTE + 1, 2 * MEBIBYTE, 1 << 33):
        # Nothing of the body is sent: the answer must not wait for it.
        answer = _upload(subject, COINS, [], length, ends=False)
        expect_refused(subject, answer, "too-large", f"of a length of {length}")
    answer = _upload(subject, COINS, [b"a" * PIECE_BYTES] * 17, 17 * PIECE_BYTES)
    expect_refused(subject, answer, "too-large", "of 17 times 64 KiB")
    expect_none_arrived(subject, "bodies that are too large")
    expect_echo(subject, "behind bodies that are too large")


@check("G12", "a body without a length that grows too large is 413, and never arrives whole")
def larger_body_in_pieces(subject: Subject) -> None:
    pieces = [b"a" * PIECE_BYTES] * 16
    for more in ([b"a"], [b"a" * PIECE_BYTES] * 4):
        subject.upstream.forget()
        answer = _upload(subject, COINS, [*pieces, *more], None)
        expect_refused(subject, answer, "too-large", "of a body that grows too large")
        for exchange in subject.upstream.exchanges:
            exchange.wait_for_close(subject.deadline)
            expect(not exchange.ended.is_set(), "the service saw the end of a body too large")
    expect_echo(subject, "behind bodies that grew too large")


@check("G12", "the token is asked for before the size, and the route before both")
def order(subject: Subject) -> None:
    for target, fields, code in (
        (COINS, (), "token-missing"),
        ("/usersx", (), "not-found"),
        ("/users/../x", (AS_SUPERVISOR,), "malformed"),
        (USERS, (), "too-large"),
    ):
        with subject.connect() as connection:
            call = connection.begin(target, [BLOB, *fields], length=MEBIBYTE + 1)
            answer = call.receive_answer()
        expect_refused(subject, answer, code, f"of a body too large to {target}")
    expect_none_arrived(subject, "bodies that are too large")


@check("G12", "a head of 15 KiB passes, in one field or many")
def largest_head(subject: Subject) -> None:
    for count in (1, SMALL_FIELDS):
        subject.upstream.forget()
        fields = _fields_up_to(subject, PASSING_HEAD_BYTES, count)
        expect_status(get(subject, USERS, *fields), 200, f"a head of 15 KiB in {count} fields")
        head = subject.upstream.only_exchange().head
        for name, value in fields:
            expect(head.values(name) == (value,), f"{name} arrived otherwise")


@check("G12", "a long target of a head of 15 KiB passes")
def long_target(subject: Subject) -> None:
    room = PASSING_HEAD_BYTES - KIBIBYTE
    target = f"{USERS}?a={'b' * room}"
    expect_status(get(subject, target), 200, "a long target")
    expect(subject.upstream.only_exchange().target == target, "the target arrived otherwise")


@check("G12", "a head of 24 KiB is 431, and the gateway goes on")
def larger_head(subject: Subject) -> None:
    for size in LARGE_HEADS_BYTES:
        for count in (1, SMALL_FIELDS):
            fields = _fields_up_to(subject, size, count)
            with subject.connect() as connection:
                try:
                    with suppress(OSError):  # the answer may be there, and the connection closed
                        connection.send_request(USERS, [AS_SUPERVISOR, *fields], method="GET")
                    status: int | None = connection.receive_head()[0]
                except BrokenMessage:
                    status = None
            wanted = (431, None) if subject.client.is_http2 else (431,)
            expect(status in wanted, f"the status of a head of {size} bytes is {status}")
    expect_none_arrived(subject, "heads that are too large")
    expect_echo(subject, "behind heads that are too large")


@check(
    "G13", "two ways to frame a body are 400, and nothing behind them is served", client="http/1.1"
)
def two_framings(subject: Subject) -> None:
    chunked = ("Transfer-Encoding", "chunked")
    for fields in (
        (("Content-Length", "5"), chunked),
        (chunked, ("Content-Length", "5")),
        (("Content-Length", "0"), chunked),
        (("Content-Length", "5"), ("transfer-encoding", "Chunked")),
    ):
        _expect_closed(subject, fields, b"0\r\n\r\n", "with a length and in chunks")


@check(
    "G13", "two lengths that differ are 400, and nothing behind them is served", client="http/1.1"
)
def two_lengths(subject: Subject) -> None:
    for one, other in (("5", "0"), ("0", "5"), ("5", "6"), ("5", "05x")):
        fields = (("Content-Length", one), ("content-length", other))
        _expect_closed(subject, fields, b"hello", f"of the lengths {one} and {other}")


@check("G13", "a blank before the colon is 400, and nothing behind it is served", client="http/1.1")
def blank_before_colon(subject: Subject) -> None:
    for fields in (
        (("Transfer-Encoding ", "chunked"),),
        (("Content-Length ", "5"),),
        (("Content-Length", "5"), ("Transfer-Encoding ", "chunked")),
        (("Content-Length", "5"), ("X-Any\t", "1")),
    ):
        _expect_closed(subject, fields, b"0\r\n\r\n", f"of {fields[-1][0]!r}")


@check("G13", "a length that is none is 400, and nothing behind it is served", client="http/1.1")
def no_length(subject: Subject) -> None:
    for value in ("x", "-1", "+5", "0x5", "5 5", "5;a", "1e1"):
        _expect_closed(subject, (("Content-Length", value),), b"hello", f"of the length {value!r}")


@check("G13", "what is no message of HTTP is 400, and the connection ends", client="http/1.1")
def no_message(subject: Subject) -> None:
    host = f"Host: 127.0.0.1:{subject.address[1]}\r\n"
    token = f"Authorization: {AS_SUPERVISOR[1]}\r\n"
    for text in (
        f"GET /users HTTP/1.1\r\n{token}\r\n",  # without Host
        f"GET /users HTTP/1.1\r\n{host}Host: other.example\r\n{token}\r\n",
        f"GET /users HTTP/1.1\r\n{host}no colon here\r\n{token}\r\n",
        f"GET /users HTTP/1.1\r\n{host}{token}: no name\r\n\r\n",
        f"GET\r\n{host}{token}\r\n",
        f"G(T /users HTTP/1.1\r\n{host}{token}\r\n",
    ):
        with subject.connect_http1() as connection:
            with suppress(ConnectionError):
                connection.send_message(text.encode() + _behind(subject))
            expect_equal(connection.receive_head()[0], 400, f"the status of {text[:40]!r}")
            _expect_nothing_more(connection, f"behind {text[:40]!r}")
    expect_none_arrived(subject, "what is no HTTP")
    expect_echo(subject, "behind what is no HTTP")


@check("G35", "a caller that waits for 100 is told to go on, and served", client="http/1.1")
def expect_continue(subject: Subject) -> None:
    for size in (20, 70_000):
        subject.upstream.forget()
        body = token_hex(size // 2).encode()
        with subject.connect_http1() as connection:
            length = ("Content-Length", str(len(body)))
            fields = [AS_SUPERVISOR, BLOB, length, ("Expect", "100-continue")]
            connection.send_head(COINS, fields)
            expect_equal(connection.receive_head()[0], 100, "the status before the body")
            connection.send(body)
            answer = connection.receive_answer()
        expect_equal((answer.status, answer.body), (200, body), "the answer")
        expect_equal(subject.upstream.only_exchange().body, body, "the body at the service")


@check("G35", "a caller that says so and does not wait is served")
def expects_and_goes_on(subject: Subject) -> None:
    body = token_hex(20).encode()
    answer = post(subject, COINS, body, ("Expect", "100-continue"))
    expect_equal((answer.status, answer.body), (200, body), "the answer")
    expect_equal(subject.upstream.only_exchange().body, body, "the body at the service")


@check("G35", "a caller that waits is refused as any other", client="http/1.1")
def expects_and_is_refused(subject: Subject) -> None:
    for target, fields, wanted in ((COINS, (), 401), ("/usersx", (AS_SUPERVISOR,), 404)):
        with subject.connect_http1() as connection:
            length = ("Content-Length", "5")
            connection.send_head(target, [*fields, length, ("Expect", "100-continue")])
            status, _ = connection.receive_head()
            if status == 100:
                connection.send(b"hello")
                status = connection.receive_answer().status
            expect_equal(status, wanted, f"the status of a caller of {target} that waits")
    expect_none_arrived(subject, "callers that wait and are refused")


def _upload(
    subject: Subject,
    target: str,
    pieces: Iterable[bytes],
    length: int | None,
    *,
    ends: bool = True,
) -> Answer:
    with subject.connect() as connection:
        call = connection.begin(target, [AS_SUPERVISOR, BLOB], length=length)
        # A gateway may answer, and close, before it has read what it will not take.
        with suppress(OSError):
            for piece in pieces:
                call.send_piece(piece)
            if ends:
                call.end()
        return call.receive_answer()


def _fields_up_to(subject: Subject, size: int, count: int) -> list[tuple[str, str]]:
    """So many fields, with which a GET of the list has a head of so many bytes."""
    names = [f"X-Large-{number}" for number in range(count)]
    empty = [(name, "") for name in names]
    host = ("Host", f"127.0.0.1:{subject.address[1]}")
    fixed_bytes = len(write_head(f"GET {USERS} HTTP/1.1", [host, AS_SUPERVISOR, *empty]))
    room = size - fixed_bytes
    if subject.client.is_http2:  # where each field counts for more, and is framed by less
        room += KIBIBYTE if size > PASSING_HEAD_BYTES else -COUNTED_BYTES * (count + 7)
    each, rest = divmod(room, count)
    return [(name, "a" * (each + (1 if number < rest else 0))) for number, name in enumerate(names)]


def _behind(subject: Subject) -> bytes:
    """A good request that must not be served."""
    host = ("Host", f"127.0.0.1:{subject.address[1]}")
    return write_head("GET /users/smuggled HTTP/1.1", [host, AS_SUPERVISOR])


def _expect_closed(
    subject: Subject, fields: Iterable[tuple[str, str]], body: bytes, what: str
) -> None:
    with subject.connect_http1() as connection:
        with suppress(ConnectionError):
            connection.send_head(COINS, [AS_SUPERVISOR, *fields])
            connection.send(body + _behind(subject))
        expect_equal(connection.receive_head()[0], 400, f"the status of a request {what}")
        _expect_nothing_more(connection, f"behind a request {what}")
    expect_none_arrived(subject, f"a request {what}")


def _expect_nothing_more(connection: Http1Connection, when: str) -> None:
    """Expect the end of the connection, and no second answer; the first one's body may come."""
    try:
        with suppress(BrokenMessage):
            for _ in connection.receive_pieces():
                pass
        status, _ = connection.receive_head()
    except (BrokenMessage, ConnectionError):
        return
    raise AssertionError(f"a {status} is answered {when}")
