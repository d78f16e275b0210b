"""T6 and T7: how large a body may be, and in how many pieces it may come."""

from contextlib import suppress
from functools import partial

from loadstone.contract import declare
from loadstone.contract.client import Answer
from loadstone.contract.subject import Subject
from loadstone.contract.wire import BrokenMessage

from .lib.problems import expect_problem
from .lib.service import (
    JSON,
    LIVE,
    MANY_SECONDS,
    MOST_BODY_BYTES,
    bearer,
    compact,
    expect_status,
    get,
)
from .lib.writings import Writing, writings

check = partial(declare.check, seconds=MANY_SECONDS)

DROPPED_BYTES = 64 << 10
"""So much of a body is read although it is too large."""
FAR_TOO_LARGE_BYTES = 4 << 20
FEW_BYTES = 3
MANY_BYTES = 4 << 10


@check("T6", "a byte too many is 413, also in chunks, and the most bytes are accepted")
def limit(subject: Subject) -> None:
    for writing in writings(subject):
        for is_chunked in (False, True):
            what = f"{writing.operation}, in chunks: {is_chunked},"
            body = compact(writing.body()).ljust(MOST_BODY_BYTES)
            answer = _send(subject, writing, body, is_chunked=is_chunked)
            expect_status(answer, writing.status, f"the most bytes of {what}")
            body = compact(writing.body()).ljust(MOST_BODY_BYTES + 1)
            answer = _send(subject, writing, body, is_chunked=is_chunked)
            expect_problem(answer, "too-large", f"of a byte too many of {what}")


@check("T6", "what is sent beyond is read, so that the answer arrives")
def answer_arrives(subject: Subject) -> None:
    for writing in writings(subject):
        for is_chunked in (False, True):
            body = compact(writing.body()).ljust(DROPPED_BYTES)
            answer = _send(subject, writing, body, is_chunked=is_chunked)
            what = f"of 64 KiB of {writing.operation}, in chunks: {is_chunked}"
            expect_problem(answer, "too-large", what)
        answer = writing.send(subject, b"x" * DROPPED_BYTES)
        expect_problem(answer, "too-large", f"of 64 KiB of {writing.operation} in one piece")


@check("T6", "a body that is far too large ends nothing")
def far_too_large(subject: Subject) -> None:
    for writing in writings(subject):
        for is_chunked in (False, True):
            # The connection may be closed or reset before all is sent, and the answer be lost with it.
            with suppress(ConnectionError, BrokenMessage):
                body = b" " * FAR_TOO_LARGE_BYTES
                answer = _send(subject, writing, body, is_chunked=is_chunked)
                expect_problem(answer, "too-large", f"of 4 MiB of {writing.operation}")
            expect_status(get(subject, LIVE), 200, "/healthz behind it")


@check("T7", "a smaller body is accepted in chunks, wherever they are cut")
def chunks(subject: Subject) -> None:
    for writing in writings(subject):
        for piece_bytes in (1, FEW_BYTES, MANY_BYTES):
            body = compact({**writing.body(), "x": "é東\N{MUSICAL SYMBOL G CLEF}"})
            answer = _send(subject, writing, body, is_chunked=True, piece_bytes=piece_bytes)
            what = f"{writing.operation} in chunks of {piece_bytes} bytes"
            expect_status(answer, writing.status, what)
        answer = _send(subject, writing, b"", is_chunked=True)
        expect_problem(answer, "malformed", f"of {writing.operation} by no chunk at all")


@check("T7", "a body of a known length may come in pieces, too")
def pieces(subject: Subject) -> None:
    for writing in writings(subject):
        body = compact(writing.body())
        answer = _send(subject, writing, body, is_chunked=False, piece_bytes=FEW_BYTES)
        expect_status(answer, writing.status, f"{writing.operation} in pieces")


def _send(
    subject: Subject,
    writing: Writing,
    body: bytes,
    *,
    is_chunked: bool,
    piece_bytes: int = MANY_BYTES,
) -> Answer:
    own = [] if writing.caller is None else [bearer(writing.caller.token)]
    with subject.connect() as connection:
        call = connection.begin(
            writing.target,
            [*own, JSON],
            method=writing.method,
            length=None if is_chunked else len(body),
        )
        # An answer may be there before all is sent, and the connection be closed behind it.
        with suppress(ConnectionError):
            for at in range(0, len(body), piece_bytes):
                call.send_piece(body[at : at + piece_bytes])
            call.end()
        return call.receive_answer()
