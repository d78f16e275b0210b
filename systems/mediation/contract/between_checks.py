"""PT-12 to PT-16: how the gateway stands between the legs: streaming, reuse, isolation."""

from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from itertools import cycle
from secrets import token_hex
from threading import Event

from loadstone.contract import declare
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.scripts import close_unanswered, fixed, gated, never, stalled, together
from loadstone.contract.subject import Subject

from .lib.gateway import JSON

check = partial(declare.check, operation="passthrough")

PATH = "/passthrough"


@check("PT-12", "a part of an answer arrives before the next one exists", needs_upstream=True)
def streams_the_answer(subject: Subject) -> None:
    pieces = [token_hex(8).encode() for _ in range(3)]
    gate = Event()
    seconds = subject.deadline.remaining_seconds()
    subject.upstream.answer_with(gated(pieces, gate, seconds))
    try:
        with subject.connect() as connection:
            call = connection.send_request(PATH, [JSON], b"{}")
            call.receive_head()
            received = call.receive_pieces()
            body = b""
            while len(body) < len(pieces[0]):
                body += _next_part(received)
            gate.set()
            body += b"".join(received)
    finally:
        gate.set()
    expect_equal(body, b"".join(pieces), "the body")


@check("PT-12", "a part of a request arrives before the next one is sent", needs_upstream=True)
def streams_the_request(subject: Subject) -> None:
    first, second = token_hex(8).encode(), token_hex(8).encode()
    with subject.connect() as connection:
        call = connection.begin(PATH, [JSON])
        call.send_piece(first)
        exchange = subject.upstream.wait_for_exchange(subject.deadline)
        arrived = exchange.wait_for_body(len(first), subject.deadline)
        expect_equal(arrived, first, "the first part at the upstream")
        call.send_piece(second)
        call.end()
        answer = call.receive_answer()
    expect_equal(answer.body, first + second, "the body")


@check("PT-13", "the same request twice is answered twice, by the upstream", needs_upstream=True)
def caches_nothing(subject: Subject) -> None:
    for number in (1, 2):
        body = token_hex(8).encode()
        fields = [JSON, ("Cache-Control", "public, max-age=3600"), ("ETag", '"same"')]
        subject.upstream.answer_with(fixed(200, fields, body))
        answer = subject.ask(PATH, [JSON], b'{"same": true}')
        expect_equal(answer.body, body, f"the body of answer {number}")
        expect_equal(len(subject.upstream.exchanges), number, "requests at the upstream")


@check(
    "PT-13", "a request that the upstream left unanswered is not sent again", needs_upstream=True
)
def retries_nothing(subject: Subject) -> None:
    subject.ask(PATH, [JSON], b"{}")  # now there is a kept connection, where clients retry first
    for body in (b"", token_hex(8).encode()):
        subject.upstream.forget()
        subject.upstream.answer_with(close_unanswered)
        subject.ask(PATH, [JSON], body)
        subject.upstream.only_exchange()


@check(
    "PT-13", "a request that the upstream refused for now is not sent again", needs_upstream=True
)
def retries_no_status(subject: Subject) -> None:
    subject.upstream.answer_with(fixed(503, [("Retry-After", "0")], b"later"))
    expect_equal(subject.ask(PATH, [JSON], b"{}").status, 503, "the status")
    subject.upstream.only_exchange()


@check("PT-14", "100 callers at the same time each get their own answer", needs_upstream=True)
def keeps_callers_apart(subject: Subject) -> None:
    bodies = [token_hex(8 + number).encode() for number in range(100)]
    seconds = subject.deadline.remaining_seconds()
    subject.upstream.answer_with(together(len(bodies), seconds))
    # HTTP/1.1 needs a connection for each; on HTTP/2 callers have several requests on theirs.
    count = 10 if subject.client.is_http2 else len(bodies)
    with ExitStack() as opened:
        connections = [opened.enter_context(subject.connect()) for _ in range(count)]
        calls = [
            connection.send_request(PATH, [JSON], body)
            for connection, body in zip(cycle(connections), bodies)
        ]
        answers = [call.receive_answer() for call in calls]
    for answer, body in zip(answers, bodies, strict=True):
        expect_equal(answer.status, 200, "a status")
        expect_equal(answer.body, body, "a body")


@check("PT-15", "a caller that goes away ends its request at the upstream", needs_upstream=True)
def cancels_before_the_answer(subject: Subject) -> None:
    subject.upstream.answer_with(never)
    with subject.connect() as connection:
        connection.send_request(PATH, [JSON], b"{}")
        exchange = subject.upstream.wait_for_exchange(subject.deadline)
        exchange.wait_for_body(2, subject.deadline)
    exchange.wait_for_close(subject.deadline)


@check("PT-15", "a request that breaks off in its body never looks complete", needs_upstream=True)
def breaks_off_in_the_body(subject: Subject) -> None:
    with subject.connect() as connection:
        connection.begin(PATH, [JSON]).send_piece(b"half")
        exchange = subject.upstream.wait_for_exchange(subject.deadline)
        exchange.wait_for_body(4, subject.deadline)
        connection.break_off()
    exchange.wait_for_close(subject.deadline)
    expect(not exchange.ended.is_set(), "the upstream saw the end of a body that has none")


@check(
    "PT-15", "a caller that is killed in mid-answer ends it at the upstream", needs_upstream=True
)
def cancels_in_the_answer(subject: Subject) -> None:
    piece = token_hex(8).encode()
    subject.upstream.answer_with(stalled(piece))
    with subject.connect() as connection:
        call = connection.send_request(PATH, [JSON], b"{}")
        call.receive_head()
        expect_equal(_next_part(call.receive_pieces()), piece, "the first part")
        connection.break_off()
    subject.upstream.only_exchange().wait_for_close(subject.deadline)


@check("PT-16", "a caller's connection carries one request after the other", quick=True)
def keeps_the_callers_connection(subject: Subject) -> None:
    with subject.connect() as connection:
        for target, status in ((PATH, 200), ("/nothing-here", 404), (PATH, 200)):
            body = token_hex(8).encode()
            connection.send_request(target, [JSON], body)
            answer = connection.receive_answer()
            expect_equal(answer.status, status, f"the status of {target}")
            expect("close" not in answer.values("connection"), "the gateway ends the connection")
            if status == 200:
                expect_equal(answer.body, body, "the body")


@check("PT-16", "requests in turn need at most one new upstream connection", needs_upstream=True)
def keeps_the_upstream_connection(subject: Subject) -> None:
    before = subject.upstream.connections_opened
    with subject.connect() as connection:
        for _ in range(5):
            connection.send_request(PATH, [JSON], b"{}")
            connection.receive_answer()
    opened = subject.upstream.connections_opened - before
    expect(opened <= 1, f"5 requests opened {opened} connections to the upstream")


def _next_part(received: Iterator[bytes]) -> bytes:
    part = next(received, None)
    if part is None:
        raise AssertionError("the answer ended before its first part was there")
    return part
