"""H5, H6 and H9: JSON that is deep, numbers that are long, and requests that do not end."""

import socket
from contextlib import ExitStack
from functools import partial

from loadstone.contract import declare
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.subject import Subject

from .lib.at_once import timed
from .lib.clubs import create_club, facility_path, get_facility
from .lib.database import expect_at_rest
from .lib.problems import expect_problem
from .lib.scenes import new_scene
from .lib.service import (
    CLUBS,
    JSON,
    LIVE,
    MANY_SECONDS,
    MOST_BODY_BYTES,
    RESERVATIONS,
    STARTS_SECONDS,
    bearer,
    compact,
    expect_status,
    get,
    post,
)
from .lib.shapes import CLUB, page_of
from .lib.tokens import Caller
from .lib.writings import Writing, writings

check = partial(declare.check, seconds=MANY_SECONDS)
with_stand = partial(declare.check, needs_stand=True, seconds=STARTS_SECONDS)

DEPTH = 7_000
HALF_SENT = 50
UNREAD, LONG_ROWS, FEW_BYTES = 4, 90, 4096
"""Some 430 KiB each, which no buffer of a connection holds whose other end is so narrow."""
BEYOND = "\N{MUSICAL SYMBOL G CLEF}"
SERVED_SECONDS = 5.0
"""For a request beside those that are half sent; one that waited for them would be 503, or wait without
end.
"""
MEMBERS = {
    "create-club": ("name", "description"),
    "add-facility": ("name", "opens"),
    "reserve": ("facility_id", "starts_at", "slots"),
    "rate": ("stars", "comment"),
    "sign-up": ("email", "role"),
    "log-in": ("password",),
    "replace-club": ("city",),
    "replace-facility": ("price_cents",),
}
NUMBERS = {
    "add-facility": ("slot_minutes", "opens", "closes", "price_cents"),
    "replace-facility": ("slot_minutes", "opens", "closes", "price_cents"),
    "reserve": ("facility_id", "slots"),
    "rate": ("stars",),
}
TOO_LONG = (
    *(
        "9223372036854775808",
        "-9223372036854775809",
        "1e400",
        "-1e400",
        "1E+999",
        "18446744073709551617",
    ),
    *("18446744073709551676", "36893488147419103233", "1" * 400, "-" + "9" * 1000),
    *("340282366920938463463374607431768211457", "1" + "0" * 30 + "1"),
)
"""2^63 and beyond; 2^64 + 1 and + 60, 2^65 + 1 and 2^128 + 1 would be 1 and 60 if they were cut."""


@check("H5", "JSON that is 7,000 deep is 400 or 422 in every operation, and the process lives")
def deep(subject: Subject) -> None:
    whole = b"[" * DEPTH + b"]" * DEPTH
    bodies = (
        *(whole, b"[" * DEPTH, b"[" * (MOST_BODY_BYTES - 1), b'{"a":' * (DEPTH // 3), b"]" * DEPTH),
        b'{"a":' * (DEPTH // 3) + b"1" + b"}" * (DEPTH // 3),
    )
    for writing in writings(subject):
        for body in bodies:
            _expect_refused(subject, writing, body)
        for name in MEMBERS[writing.operation]:
            body = compact({**writing.body(), name: "DEEP"}).replace(b'"DEEP"', whole)
            _expect_refused(subject, writing, body)
        # In a member that is ignored it may be accepted, where a library reads what it does not need.
        body = compact({**writing.body(), "x": "DEEP"}).replace(b'"DEEP"', whole)
        status = writing.send(subject, body).status
        what = f"the status of {writing.operation} with a deep member that is not named is {status}"
        expect(status in (writing.status, 400, 422), what)
        expect_equal(get(subject, LIVE).status, 200, "the status of /healthz behind it")


@check("H6", "integers beyond 64 bits, and numbers beyond a double, are 400 or 422")
def long_numbers(subject: Subject) -> None:
    scene = new_scene(subject)
    for writing in writings(subject):
        for name in NUMBERS.get(writing.operation, ()):
            for text in TOO_LONG:
                body = {**writing.body(), name: "NUMBER"}
                _expect_refused(subject, writing, _with_number(body, text))
    # What is cut to 64, 53 or 32 bits would be a facility that is there.
    for bits in (64, 32):
        number = (1 << bits) + scene.facility
        body = {"facility_id": "NUMBER", "starts_at": scene.slot()}
        answer = subject.ask(
            RESERVATIONS, [bearer(scene.player.token), JSON], _with_number(body, str(number))
        )
        allowed = (400, 422) if bits == 64 else (404,)
        expect(answer.status in allowed, f"the status of facility {number} is {answer.status}")
    for number in (10**17, (1 << 63) - 1):
        body = {"facility_id": number, "starts_at": scene.slot()}
        status = post(subject, RESERVATIONS, scene.player, body).status
        expect(status in (404, 422), f"the status of facility {number} is {status}")


@with_stand("H9", "requests that are half sent hold no connection of the pool")
def half_sent(subject: Subject) -> None:
    scene = new_scene(subject)
    with ExitStack() as opened:
        for number in range(HALF_SENT):
            connection = opened.enter_context(subject.connect_http1())
            if number % 5 == 0:
                connection.send(b"POST /clubs HTTP/1.1\r\nHost: a\r\nContent-Ty")
                continue
            target, caller, value = _begun(scene.club, scene.owner, scene.player, number)
            body = compact(value)
            fields = [bearer(caller.token), JSON]
            length = None if number % 2 else len(body)
            connection.begin(target, fields, length=length).send_piece(body[:-5])
        for _ in range(20):
            answer, seconds = timed(partial(get, subject, CLUBS, scene.owner))
            page_of(answer, CLUB, "a list beside them")
            expect(seconds <= SERVED_SECONDS, f"a list beside them took {seconds:.1f} s")
            get_facility(subject, scene.player, scene.facility)
            scene.reserved()
        expect_at_rest(subject)


@check("H9", "a request whose rest comes late is served then")
def late_rest(subject: Subject) -> None:
    scene = new_scene(subject)
    body = compact({"name": "Late", "city": "Checkham"})
    with ExitStack() as opened:
        calls = []
        for _ in range(HALF_SENT):
            connection = opened.enter_context(subject.connect())
            call = connection.begin(CLUBS, [bearer(scene.owner.token), JSON], length=len(body))
            call.send_piece(body[:10])
            calls.append(call)
        page_of(get(subject, CLUBS, scene.owner), CLUB, "a list beside them")
        for call in calls[:10]:
            call.send_piece(body[10:])
            expect_status(call.receive_answer(), 201, "one whose rest came")


@with_stand("H9", "a caller that does not read its answer holds no connection of the pool")
def unread_answers(subject: Subject) -> None:
    scene = new_scene(subject)
    longest = {"name": BEYOND * 100, "city": BEYOND * 100, "description": BEYOND * 1000}
    for _ in range(LONG_ROWS):
        expect_status(create_club(subject, scene.owner, **longest), 201, "a club of long texts")
    target = f"{CLUBS}?mine=true&limit=100"
    request = f"GET {target} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer "
    with subject.stand.restarted({"POOL_SIZE": "1"}) as other, ExitStack() as opened:
        for _ in range(UNREAD):  # a cold service would need the connection for long
            expect_status(get(other, target, scene.owner), 200, "a list that is read")
        for _ in range(UNREAD):
            caller = opened.enter_context(socket.socket())
            caller.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, FEW_BYTES)
            caller.settimeout(SERVED_SECONDS)
            caller.connect(other.address)
            caller.sendall(f"{request}{scene.owner.token}\r\n\r\n".encode())
        for _ in range(5):
            answer, seconds = timed(partial(get, other, facility_path(scene.facility), scene.owner))
            expect_status(answer, 200, "a facility beside answers that nobody reads")
            expect(seconds <= SERVED_SECONDS, f"it took {seconds:.1f} s")


def _expect_refused(subject: Subject, writing: Writing, body: bytes) -> None:
    answer = writing.send(subject, body)
    what = f"of {writing.operation} by {body[:60]!r}"
    if answer.status == 400:
        expect_problem(answer, "malformed", what)
    else:
        expect_status(answer, 422, f"what is asked {what}")


def _with_number(body: dict[str, object], text: str) -> bytes:
    return compact(body).replace(b'"NUMBER"', text.encode())


def _begun(
    club: int, owner: Caller, player: Caller, number: int
) -> tuple[str, Caller, dict[str, object]]:
    """What is half sent: a club, a facility, or a reservation."""
    if number % 5 == 1:
        return f"{CLUBS}/{club}/facilities", owner, {"name": "Half", "sport": "tennis"}
    if number % 5 in (2, 3):
        return RESERVATIONS, player, {"facility_id": 1, "starts_at": "2042-03-01T10:00:00Z"}
    return CLUBS, owner, {"name": "Half", "city": "Checkham"}
