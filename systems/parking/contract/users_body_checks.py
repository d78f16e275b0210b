"""U23, U31 and U32: how large a body may be, of which type, in how many pieces, and what it is."""

import json
from contextlib import suppress
from functools import partial

from loadstone.contract import declare
from loadstone.contract.expect import expect
from loadstone.contract.subject import Subject
from loadstone.contract.wire import BrokenMessage

from .lib.objects import JSON, compact, expect_status, list_of, object_of
from .lib.problems import expect_problem
from .lib.shapes import GRANTED, USER
from .lib.users_coins import wallet
from .lib.users_members import BEYOND
from .lib.users_service import (
    HEALTH,
    ILO,
    MANY_SECONDS,
    MOST_BODY_BYTES,
    SERVICE,
    SUPERVISOR,
    USERS,
    ask,
    get,
    list_users,
)
from .lib.users_writings import FREE, GRANT, WRITINGS, Writing

check = partial(declare.check, service=SERVICE, seconds=MANY_SECONDS)

DROPPED_BYTES = 60 << 10
"""Of a body that is too large: less than what is read beyond the limit."""
FAR_TOO_LARGE_BYTES = 4 << 20
FEW_BYTES = 3
MANY_BYTES = 4 << 10
DEPTH = 7_000

WRONG_TYPES = (
    *("text/plain", "text/json", "application/xml", "application/jsonp", "application/*", "*/*"),
    *("application/merge-patch+json", "application/problem+json", "application/json-seq", "json"),
    *("application/x-www-form-urlencoded", "multipart/form-data; boundary=a", "", "application/"),
    *("text/plain; a=application/json", "application/json5", "xapplication/json"),
)
RIGHT_TYPES = (
    *("application/json; charset=utf-8", "application/json;charset=UTF-8", "Application/JSON"),
    *("application/json;charset=iso-8859-1", "application/json; charset=utf-16"),
    *('application/json; charset="utf-8"', "application/json ; a=b", "APPLICATION/JSON;charset=x"),
)
TEXT = ("Content-Type", "text/plain")
NO_OBJECTS: tuple[object, ...] = (None, 5, 1.5, "a", True, [], [{}], "{}")
NUMBERS = {
    "create-user": ("nif",),
    "grant-coins": ("amount", "userIds"),
    "debit": ("userId", "maxCoins"),
}
TOO_LONG = (
    *("9223372036854775808", "-9223372036854775809", "1e400", "-1e400", "1E+999"),
    *("18446744073709551617", "36893488147419103233", "1" * 400, "-" + "9" * 1000),
    *("340282366920938463463374607431768211457", "1" + "0" * 30 + "1", "18446744073709551620"),
)
"""2^63 and beyond; 2^64 + 1, 2^65 + 1, 2^128 + 1 and 2^64 + 4 would be 1 and 4 if they were cut."""


@check("U23", "a byte too many is 413, also in chunks, and the most bytes are accepted")
def limit(subject: Subject) -> None:
    for writing in WRITINGS:
        for is_chunked in (False, True):
            what = f"{writing.operation}, in chunks: {is_chunked},"
            body = compact(writing.body()).ljust(MOST_BODY_BYTES)
            answer = writing.send_pieces(subject, body, is_chunked=is_chunked)
            expect_status(answer, writing.status, f"the most bytes of {what}")
            body = compact(writing.body()).ljust(MOST_BODY_BYTES + 1)
            answer = writing.send_pieces(subject, body, is_chunked=is_chunked)
            expect_problem(answer, "too-large", f"of a byte too many of {what}")


@check("U23", "what is sent beyond is read, so that the answer arrives")
def answer_arrives(subject: Subject) -> None:
    size = MOST_BODY_BYTES + DROPPED_BYTES
    for writing in WRITINGS:
        for is_chunked in (False, True):
            body = compact(writing.body()).ljust(size)
            answer = writing.send_pieces(subject, body, is_chunked=is_chunked)
            what = f"of {size} bytes of {writing.operation}, in chunks: {is_chunked}"
            expect_problem(answer, "too-large", what)
        answer = writing.send(subject, b"x" * size)
        expect_problem(answer, "too-large", f"of {size} bytes of {writing.operation} in one piece")


@check("U23", "a body that is far too large ends nothing")
def far_too_large(subject: Subject) -> None:
    for writing in WRITINGS:
        for is_chunked in (False, True):
            # The connection may be closed or reset before all is sent, and the answer be lost with it.
            with suppress(ConnectionError, BrokenMessage):
                body = b" " * FAR_TOO_LARGE_BYTES
                answer = writing.send_pieces(
                    subject, body, is_chunked=is_chunked, piece_bytes=64 << 10
                )
                expect_problem(answer, "too-large", f"of 4 MiB of {writing.operation}")
        expect_status(get(subject, HEALTH), 200, "/health behind it")


@check("U23", "another media type, and none, is 415")
def other_types(subject: Subject) -> None:
    for writing in WRITINGS:
        body = compact(writing.body())
        for media_type in WRONG_TYPES:
            answer = writing.send(subject, body, ("Content-Type", media_type))
            what = f"of {writing.operation} with the type {media_type!r}"
            expect_problem(answer, "unsupported-media-type", what)
        for sent in (body, b""):
            answer = ask(subject, writing.method, writing.target, None, *writing.own(), body=sent)
            what = f"of {writing.operation} without a type, by {sent[:20]!r}"
            expect_problem(answer, "unsupported-media-type", what)


@check("U31", "parameters and case of the media type do not matter: the bytes are UTF-8")
def types_with_parameters(subject: Subject) -> None:
    for writing in FREE:
        for media_type in RIGHT_TYPES:
            answer = writing.send(subject, compact(writing.body()), ("Content-Type", media_type))
            expect_status(answer, writing.status, f"{writing.operation} with {media_type}")
    for writing in WRITINGS:
        answer = writing.send(subject, compact(writing.body()), ("Content-Type", RIGHT_TYPES[0]))
        expect_status(answer, writing.status, f"{writing.operation} with {RIGHT_TYPES[0]}")
    reason = f"Zürich 東京 {BEYOND}"
    for media_type in RIGHT_TYPES:
        body = compact({**GRANT.body(), "reason": reason})
        answer = GRANT.send(subject, body, ("Content-Type", media_type))
        object_of(answer, 201, GRANTED, f"a grant of {media_type}")
        newest = wallet(subject, ILO.id)["events"][0]
        expect(newest["reason"] == reason, f"of {media_type} the reason is {newest['reason']!r}")


@check("U31", "a body is accepted in chunks and in pieces, wherever they are cut")
def chunks(subject: Subject) -> None:
    for writing in FREE:
        for piece_bytes in (1, FEW_BYTES, MANY_BYTES):
            body = json.dumps(writing.body(), indent=1, ensure_ascii=False).encode()
            answer = writing.send_pieces(subject, body, is_chunked=True, piece_bytes=piece_bytes)
            what = f"{writing.operation} in chunks of {piece_bytes} bytes"
            expect_status(answer, writing.status, what)
    for writing in WRITINGS:
        for is_chunked in (True, False):
            body = compact(writing.body())
            answer = writing.send_pieces(
                subject, body, is_chunked=is_chunked, piece_bytes=FEW_BYTES
            )
            expect_status(answer, writing.status, f"{writing.operation} in pieces")
    body = compact({**GRANT.body(), "reason": f"é東{BEYOND}"})
    answer = GRANT.send_pieces(subject, body, is_chunked=True, piece_bytes=1)
    object_of(answer, 201, GRANTED, "a grant whose characters are cut")
    newest = wallet(subject, ILO.id)["events"][0]["reason"]
    expect(newest == f"é東{BEYOND}", f"the reason that was cut is {newest!r}")


@check("U31", "the body of a GET is ignored, and so is a query, and what is accepted")
def reads_with_more(subject: Subject) -> None:
    whole = list_users(subject).body
    fields = (
        *((), (JSON,), (TEXT,), (("Accept", "text/html"),), (("Accept", "application/xml;q=1"),)),
        *((("Accept-Encoding", "gzip, br"),), (("Accept-Encoding", "identity;q=0, gzip"),)),
        *((("Cookie", "token=x; role=SUPERVISOR"),), (("Accept-Charset", "utf-16"),)),
        (("Accept-Language", "de"),),
    )
    for each in fields:
        for body in (b"", b"{", b'{"a":5}'):
            answer = ask(subject, "GET", USERS, SUPERVISOR, *each, body=body)
            list_of(answer, USER, f"a list with {each} and the body {body!r}")
            expect(answer.body == whole, f"a list with {each} and the body {body!r} is another")
    for query in ("?", "?a=b", "?limit=1&page=2", "?%00", "?role=CUSTOMER&role=x", "?=&&"):
        answer = get(subject, f"{USERS}{query}", SUPERVISOR)
        list_of(answer, USER, f"a list with the query {query}")
        expect(answer.body == whole, f"a list with the query {query} is another")


@check("U32", "every body that is not one JSON object in UTF-8 is 400, in every operation")
def no_json(subject: Subject) -> None:
    for writing in WRITINGS:
        for body in _broken(compact(writing.body())):
            answer = writing.send(subject, body)
            expect_problem(answer, "malformed", f"of {writing.operation} by {body[-40:]!r}")
        for value in NO_OBJECTS:
            answer = writing.send(subject, compact(value))
            expect_problem(answer, "malformed", f"of {writing.operation} by {value!r}")
        answer = writing.send_pieces(subject, b"", is_chunked=True)
        expect_problem(answer, "malformed", f"of {writing.operation} by no chunk at all")


@check("U32", "what is no JSON within an object is 400, in every operation")
def no_json_within(subject: Subject) -> None:
    for writing in WRITINGS:
        good = compact(writing.body())
        name = next(iter(writing.body())).encode()
        for value in _no_values():
            # In the place of a member's value, and in a member of its own.
            body = b'{"' + name + b'":' + value + b"}"
            answer = writing.send(subject, body)
            expect_problem(answer, "malformed", f"of {writing.operation} by {body[-40:]!r}")
            body = good[:-1] + b',"x":' + value + b"}"
            _expect_400(subject, writing, body)


@check("U32", "white space around and within JSON is accepted")
def white_space(subject: Subject) -> None:
    for writing in FREE:
        body = json.dumps(writing.body(), indent="\t").replace("\n", "\r\n ").encode()
        answer = writing.send(subject, b"\n\t " + body + b" \r\n")
        expect_status(answer, writing.status, f"{writing.operation} with white space")


@check("U32", "JSON that is 7,000 deep is 400 in every operation, and the process lives")
def deep(subject: Subject) -> None:
    whole = b"[" * DEPTH + b"]" * DEPTH
    bodies = (
        *(whole, b"[" * DEPTH, b"[" * (MOST_BODY_BYTES - 1), b'{"a":' * DEPTH, b"]" * DEPTH),
        b'{"a":' * DEPTH + b"1" + b"}" * DEPTH,
    )
    for writing in WRITINGS:
        for body in bodies:
            _expect_400(subject, writing, body)
        for name in (*writing.body(), "x"):
            body = compact({**writing.body(), name: "DEEP"}).replace(b'"DEEP"', whole)
            _expect_400(subject, writing, body)
        expect_status(get(subject, HEALTH), 200, "/health behind it")


@check("U32", "integers beyond 64 bits, and numbers beyond a double, are 400 or 422")
def long_numbers(subject: Subject) -> None:
    before = wallet(subject, 4)["coins"]
    for writing in WRITINGS:
        for name in NUMBERS.get(writing.operation, ()):
            for text in TOO_LONG:
                number = "[NUMBER]" if name == "userIds" else "NUMBER"
                body = compact({**writing.body(), name: number}).replace(
                    f'"{number}"'.encode(), number.replace("NUMBER", text).encode()
                )
                answer = writing.send(subject, body)
                what = f"of {writing.operation} with {name} {text[:40]}"
                if answer.status == 400:
                    expect_problem(answer, "malformed", what)
                else:
                    expect_status(answer, 422, f"what is asked {what}")
    # Those that have just 64 bits are nobody; a library that has them only as doubles may say range.
    for user in (10**17, (1 << 63) - 1):
        body = compact({**GRANT.body(), "userIds": [user]})
        status = GRANT.send(subject, body).status
        expect(status in (404, 422), f"the status of a grant to {user} is {status}")
    expect(wallet(subject, 4)["coins"] == before, "somebody was granted by a number that was cut")


def _expect_400(subject: Subject, writing: Writing, body: bytes) -> None:
    """Expect either code of 400: of what is no JSON and has a member too many both are right."""
    answer = writing.send(subject, body)
    what = f"of {writing.operation} by {body[:40]!r}"
    expect_status(answer, 400, f"what is asked {what}")
    is_unknown = b"unknown-member" in answer.body
    expect_problem(answer, "unknown-member" if is_unknown else "malformed", what)


def _no_values() -> tuple[bytes, ...]:
    """What is no value of JSON."""
    return (
        *(b"01", b"+1", b".5", b"1.", b"-", b"1e", b"0x1", b"NaN", b"Infinity", b"-Infinity"),
        *(b"None", b"undefined", b"True", b"'a'", b'"a', b'"\n"', b'"\t"', b'"\\q"', b'"\\u12"'),
        *(b'"\\x41"', b"[1,]", b"[,1]", b"{,}", b'{"a"}', b'{"a":}', b"{a:1}", b"{1:1}", b'"\xff"'),
        *(
            b'"\xc3"',
            b"//",
            b"1/**/",
            b"1 2",
            b"[1 2]",
            b'"a""b"',
            b"nul",
            b"truefalse",
            b"[",
            b"]",
        ),
        *(b"{", b"1;", b""),
    )


def _broken(text: bytes) -> tuple[bytes, ...]:
    """What is no JSON, or more than one value, around a good body."""
    cut = text[:-1]
    return (
        *(b"", b" ", b"{", b"}", b"nothing", b"{}{}", b"\x00", b"\xff", b'"', cut, text * 2),
        *(text + b" x", text + b",", text + b"]", text + b"}", text + b"\x00", b"\x0b" + text),
        *(text + b"\x0c", b"\xc2\xa0" + text, b"/**/" + text, text + b"//", cut + b",}"),
        *(b"," + text, text.replace(b'"', b"'"), b"[" + text + b"]", text + b"\n{}"),
        *(text.decode().encode(f"utf-{name}") for name in ("16-le", "16-be", "32-le", "32-be")),
    )
