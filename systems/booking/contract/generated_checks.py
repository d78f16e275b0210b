"""H7 and H8: requests of all kinds, and what their errors do not say."""

import random
import socket
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from typing import Any
from urllib.parse import quote

from loadstone.contract import declare
from loadstone.contract.client import Answer
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.subject import Subject

from .lib.problems import KINDS, body_of
from .lib.scenes import KEY, Scene, new_scene
from .lib.service import (
    ACCOUNTS,
    CLUBS,
    FACILITIES,
    JSON,
    LIVE,
    LOG_IN,
    MANY_SECONDS,
    ME,
    READY,
    RESERVATIONS,
    ask,
    compact,
    expect_status,
    get,
    post,
)
from .lib.tokens import Caller

check = partial(declare.check, seconds=MANY_SECONDS)

GENERATED = 600
LISTS_AMONG_ALL = 0.4
SILENT_SECONDS = 1.0
TELLING = (
    *("select ", "insert into", "update ", "delete from", "sql", "postgres", "pgx", "psycopg"),
    *("jdbc", "hibernate", "relation", "constraint", "violates", "syntax error", "exception"),
    *(
        "traceback",
        "stack",
        "panic",
        "goroutine",
        "java.",
        "at org.",
        ".go:",
        ".rs:",
        ".py",
        ".js:",
    ),
    *(
        ".ts:",
        "node_modules",
        "undefined",
        "null pointer",
        "nullpointer",
        "password_hash",
        "bcrypt",
    ),
    *(
        "reservation_no_overlap",
        "idempotency_pkey",
        "account_email_key",
        "pool",
        "econn",
        "127.0.0.1",
    ),
)
"""What the texts of the errors do not have."""
VALUES: tuple[object, ...] = (
    *(
        None,
        0,
        -1,
        1,
        5,
        1e308,
        1.5,
        True,
        [],
        {},
        "",
        "\0",
        "é",
        "x" * 300,
        [[]],
        "player",
        "owner",
    ),
    *(
        "2042-03-01T10:00:00Z",
        "2042-03-01T10:30:00+01:00",
        "tennis",
        60,
        1440,
        "a@b.cd",
        {"a": None},
    ),
)
PARAMETERS: dict[str, tuple[str, ...]] = {
    CLUBS: ("mine", "city", "q", "limit", "cursor"),
    FACILITIES: ("available", "at", "sport", "city", "club_id", "limit", "cursor"),
    RESERVATIONS: ("facility_id", "status", "limit", "cursor"),
    f"{FACILITIES}/1/slots": ("date",),
    f"{FACILITIES}/1/ratings": ("limit", "cursor"),
}
WORDS = (
    *(
        "",
        "x",
        "0",
        "1",
        "7",
        "101",
        "1e3",
        "-1",
        "true",
        "false",
        "TRUE",
        "tennis",
        "pending",
        "a",
    ),
    *("%", "%4", "%00", "%FF", "%C3%A9", "%25", "%5C", "%27", "+", "MQ", "MA", "MTI%3D", "NaN"),
    *("2042-03-01", "2042-02-30", "2042-03-01T10:00:00Z", "0000-01-01", "9999-12-31T23:59:59Z"),
    *("0001-01-01T00:00:00%2B23:59", "-2042-03-01", "9" * 20, "&", "=", "?", "%23", "a%20b"),
)
"""Values of parameters, most of which are right for none."""
MEMBERS = (
    *("email", "name", "password", "role", "city", "description", "sport", "slot_minutes", "opens"),
    *("closes", "price_cents", "facility_id", "starts_at", "slots", "stars", "comment", "x", ""),
)


@check("H7", "no request is answered by 500, or not at all")
def generated(subject: Subject) -> None:
    scene = new_scene(subject)
    for method, target, caller, fields, body in _requests(random.Random(7), scene):
        answer = ask(subject, method, target, caller, *fields, body=body)
        what = f"{answer.status} for {method} {target} with {body[:60]!r}"
        expect(200 <= answer.status < 500, what)
        if answer.status >= 400:
            _expect_discreet(answer, what)
    expect_status(get(subject, READY), 200, "/readyz behind them")


@check("H8", "no error shows SQL, the name of a table or class, or a stack trace")
def discreet(subject: Subject) -> None:
    scene = new_scene(subject)
    owner, player = scene.owner, scene.player
    taken = scene.reserved()
    answers = {
        "an unknown path": get(subject, "/clubs/x/../../etc/passwd", owner),
        "a long path": get(subject, f"/{'a' * 4000}", owner),
        "a long query": get(subject, f"{CLUBS}?q={'a' * 4000}", owner),
        "a broken token": get(subject, CLUBS, Caller(1, "owner", "a.b.c")),
        "no JSON": ask(subject, "POST", CLUBS, owner, JSON, body=b"{nothing"),
        "a wrong type": post(subject, CLUBS, owner, {"name": {"a": 1}, "city": []}),
        "no object": post(subject, RESERVATIONS, player, [1, 2, 3]),
        "a number too long": ask(
            subject, "POST", RESERVATIONS, player, JSON, body=b'{"facility_id":1e400}'
        ),
        "a slot that is taken": scene.reserve(taken["starts_at"]),
        "an address that is taken": post(
            subject,
            ACCOUNTS,
            None,
            {"email": "owner-1@booking.example", "name": "a", "password": "12345678"},
        ),
        "no credentials": post(subject, LOG_IN, None, {"email": "x", "password": "y"}),
        "another method": ask(subject, "PATCH", LIVE),
        "a cursor": get(subject, f"{CLUBS}?cursor=x", owner),
    }
    for what, answer in answers.items():
        expect(400 <= answer.status < 500, f"the status of {what} is {answer.status}")
        _expect_discreet(answer, what)
        codes = [code for code in KINDS if answer.body.startswith(body_of(code)[:-1])]
        expect_equal(len(codes), 1, f"the problems that {what} is, by {answer.body[:80]!r},")
        echoes = (b"nothing", b"aaaa", b"etc", b"1e400", b"a.b.c", b"owner-1", b"Unexpected")
        told = [each for each in echoes if each in answer.body]
        expect_equal(told, [], f"what the error of {what} shows of the request")


@check("H8", "what is no HTTP is refused without a word of the service's inside")
def no_http(subject: Subject) -> None:
    requests = (
        *(b"nothing\r\n\r\n", b"GET /clubs\r\n\r\n", b"GET /clubs HTTP/9.9\r\nHost: a\r\n\r\n"),
        *(
            b"GET /clubs HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n",
            b"\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\r\n\r\n",
        ),
        *(b"POST /clubs HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n",),
        b"POST /clubs HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    )
    for request in requests:
        seen = _answer_to(subject, request).lower()
        shown = [each for each in TELLING if each.encode() in seen]
        expect_equal(shown, [], f"what {request[:30]!r} is told of the inside")
        expect_status(get(subject, LIVE), 200, f"/healthz behind {request[:30]!r}")


def _answer_to(subject: Subject, request: bytes) -> bytes:
    """Whatever comes back until the other side ends, or is silent."""
    seen = b""
    with (
        suppress(OSError),
        socket.create_connection(subject.address, subject.deadline.remaining_seconds()) as raw,
    ):
        raw.settimeout(SILENT_SECONDS)
        raw.sendall(request)
        while piece := raw.recv(4096):
            seen += piece
    return seen


_Request = tuple[str, str, Caller | None, list[tuple[str, str]], bytes]


def _requests(chance: random.Random, scene: Scene) -> Iterator[_Request]:
    """Requests to the paths of the OpenAPI document: the same each time, most of them odd."""
    made = scene.reserved()["id"]
    numbers = (1, scene.club, scene.facility, made, 999_999_999, "x", "0", "%00", "%FF", quote("é"))
    callers = (scene.owner, scene.owner, scene.player, scene.player, scene.player, None)
    for _ in range(GENERATED):
        number = chance.choice(numbers)
        paths = (
            *(ACCOUNTS, ME, LOG_IN, CLUBS, FACILITIES, RESERVATIONS, LIVE, READY),
            *(f"{CLUBS}/{number}", f"{CLUBS}/{number}/facilities", f"{FACILITIES}/{number}"),
            *(f"{FACILITIES}/{number}/slots", f"{FACILITIES}/{number}/ratings"),
            f"{RESERVATIONS}/{number}",
            *(
                f"{RESERVATIONS}/{number}/{each}"
                for each in ("accept", "reject", "cancel", "rating")
            ),
        )
        target, query = chance.choice(paths), ""
        method = chance.choice(["GET", "GET", "POST", "POST", "PUT", "DELETE", "PATCH"])
        if chance.random() < LISTS_AMONG_ALL:
            target, method = chance.choice(list(PARAMETERS)), "GET"
            names = chance.sample(PARAMETERS[target], chance.randint(1, len(PARAMETERS[target])))
            query = "&".join(f"{name}={chance.choice(WORDS)}" for name in names)
        target = f"{target}?{query}" if query else target
        fields = [
            ("Content-Type", chance.choice(["application/json"] * 6 + ["text/plain", "", "a/b"]))
        ]
        if chance.random() < 0.2:
            fields.append((KEY, chance.choice(["k", "", "x" * 70, "a b", "$1"])))
        yield method, target, chance.choice(callers), fields, _body(chance, scene)


def _body(chance: random.Random, scene: Scene) -> bytes:
    values = (*VALUES, scene.facility, scene.club)
    names = chance.sample(MEMBERS, chance.randrange(len(MEMBERS)))
    value: Any = {name: chance.choice(values) for name in names}
    if chance.random() < 0.2:
        value = chance.choice(values)
    if isinstance(value, dict) and isinstance(value.get("facility_id"), int):
        value["facility_id"] = scene.facility  # nothing is reserved in the facilities of the seed
    body = compact(value)
    return body[: chance.randrange(len(body) + 1)] if chance.random() < 0.2 else body


def _expect_discreet(answer: Answer, what: str) -> None:
    body = answer.body.decode("utf-8", "replace").lower()
    shown = [each for each in TELLING if each in body]
    expect_equal(shown, [], f"what the error of {what} shows")
