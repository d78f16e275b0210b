"""U28, U30 and U35: the fields and the bytes of every answer, and what errors do not say."""

import json
import re
import socket
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

from loadstone.contract import declare
from loadstone.contract.client import Answer
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.subject import Subject

from .lib.database import hand_of
from .lib.instants import expect_now, is_shown
from .lib.objects import JSON, compact, expect_status, object_of, value_of
from .lib.problems import KINDS, body_of, expect_invalid, expect_problem
from .lib.shapes import HEALTH as UP
from .lib.shapes import is_id
from .lib.users_accounts import SEED_EMAILS, create, created, log_in, new_email, new_plate
from .lib.users_coins import debit, grant, new_key, wallet
from .lib.users_members import BEYOND
from .lib.users_operations import operations, settle
from .lib.users_rows import put_customer
from .lib.users_service import (
    BRAM,
    DEBITS,
    HEALTH,
    ILO,
    LOGIN,
    MANY_SECONDS,
    MOST_BODY_BYTES,
    NOBODY,
    SEFA,
    SERVICE,
    STARTS_SECONDS,
    SUPERVISOR,
    USERS,
    Caller,
    ask,
    get,
    get_user,
    list_users,
    post,
    set_status,
)
from .lib.users_vehicles import put_vehicle
from .lib.users_writings import GRANT

check = partial(declare.check, service=SERVICE, seconds=MANY_SECONDS)
with_stand = partial(check, needs_stand=True, seconds=STARTS_SECONDS)

MAKING = ("create-user", "grant-coins")
"""What is answered by 201."""
FORBIDDEN_FIELDS = ("content-encoding", "etag", "last-modified", "expires", "age")
"""Of what is neither compressed nor given from memory."""
TEXTS = (
    *(
        "مرحبا بالعالم",
        "東京スタジアム",
        "👩‍👩‍👧‍👦🏳️‍🌈",
        "é vs e\u0301",
        "Z\u0351\u036b\u0343a\u0323lgo",
    ),
    *("\u202eleft", "I ı İ i ß ẞ", "\ufeffmark", "/</script>&'", BEYOND, "a\u2028b\u2029"),
    *("\u00a0 \u3000 \u200b", "\uffff\U0010ffff", '"\\/', "한글 हिन्दी ไทย", "  blanks  "),
)
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
    *(".ts:", "node_modules", "undefined", "null pointer", "nullpointer", "password_hash"),
    *("bcrypt", "app_user", "coin_event", "vehicle_pkey", "idempotency_pkey", "_key", "pool"),
    *("econn", "127.0.0.1", "unexpected", "deseriali", "unmarshal", "serde", "jackson", "fastify"),
)
"""What the texts of the errors do not have."""
ECHOES = ("nothing", "aaaa", "etc/", "1e400", "bram@", "qwert", "<b>", "zz-top", "7*7")
"""What the requests of these checks have."""


@check("U28", "every answer of success has Cache-Control and X-Instance-Id, once")
def fields_of_success(subject: Subject) -> None:
    owner = ILO
    for operation, call in operations(subject, owner, "LA-00018").items():
        answer = call()
        expect(200 <= answer.status < 300, f"the status of {operation} is {answer.status}")
        _expect_fields(subject, answer, operation)


@check("U28", "every error of a caller is the problem of its status, with the same fields")
def fields_of_errors(subject: Subject) -> None:
    for code, answer in _errors(subject).items():
        if code == "invalid":
            expect_invalid(answer, ("/paymentMethod", "unknown-value"))
        else:
            expect_problem(answer, code, f"of {code}")
        _expect_fields(subject, answer, code)


@with_stand("U28", "every failure of the service is told as a problem, and leaves nothing behind")
def failures(subject: Subject) -> None:
    # A table that is away is an error that no other clause is about.
    owner = put_customer(subject)
    plate = new_plate()
    expect_status(put_vehicle(subject, owner, plate), 201, "a vehicle")
    calls = operations(subject, owner, plate)
    needing = ("list-users", "get-user", "set-status", "vehicles", "put-vehicle", "create-user")
    hand = hand_of(subject)
    hand.execute("ALTER TABLE vehicle RENAME TO away")
    try:
        answers = {operation: calls[operation]() for operation in needing}
        well = {each: calls[each]() for each in ("payment-method", "wallet", "login", "health")}
    finally:
        hand.execute("ALTER TABLE away RENAME TO vehicle")
    for operation, answer in answers.items():
        expect_problem(answer, "internal", f"of {operation} without a table")
        _expect_fields(subject, answer, f"{operation} without a table")
    for operation, answer in well.items():
        expect_status(answer, 200, f"{operation} without another's table")
    settle(subject)
    # Every connection serves as before, and nothing is half done.
    for _ in range(2):
        for operation, call in calls.items():
            status = call().status
            expect(200 <= status < 300, f"{operation} is {status} once the table is back")


@with_stand("U28", "what is 503 has the same fields, and /health says so, too")
def unavailable(subject: Subject) -> None:
    hand = hand_of(subject)
    hand.stop()
    try:
        answers = {"list-users": list_users(subject), "health": get(subject, HEALTH)}
    finally:
        hand.start()
        settle(subject)
    for operation, answer in answers.items():
        expect_problem(answer, "unavailable", f"of {operation} without the database")
        _expect_fields(subject, answer, operation)
    object_of(get(subject, HEALTH), 200, UP, "/health behind it")


@check("U30", "members are in order, ids are integers, and instants have 24 characters")
def shapes(subject: Subject) -> None:
    for operation, call in operations(subject, ILO, "LA-00018").items():
        value = value_of(call(), 201 if operation in MAKING else 200, operation)
        for name, each in _members(value):
            if name == "id" or (name.endswith("Id") and each is not None):
                expect(is_id(each), f"{name} of {operation} is {each!r}")
            if name in ("at", "expiresAt"):
                expect(is_shown(each), f"{name} of {operation} is {each!r}")
        if operation == "wallet":
            expect_now(value["events"][0]["at"], "at of a grant")


@with_stand("U30", "what is finer than a millisecond is cut off an instant, not rounded")
def instants(subject: Subject) -> None:
    user = put_customer(subject).id
    stored = {
        "2026-01-31 08:05:09.120999+00": "2026-01-31T08:05:09.120Z",
        "2025-12-31 23:59:59.999999+00": "2025-12-31T23:59:59.999Z",
        "2024-02-29 00:00:00+00": "2024-02-29T00:00:00.000Z",
        "2026-07-01 02:03:04.5+02": "2026-07-01T00:03:04.500Z",
        "1999-03-28 02:30:00.000001+00": "1999-03-28T02:30:00.000Z",
    }
    hand = hand_of(subject)
    for text in stored:
        hand.execute(
            "INSERT INTO coin_event (user_id, amount, reason, at) VALUES (%s, 1, %s, %s)",
            (user, text, text),
        )
    for event in wallet(subject, user)["events"]:
        expect_equal(event["at"], stored[event["reason"]], f"at of {event['reason']}")


@check("U30", "every script comes back as it was, unescaped, from escapes and from bytes")
def scripts(subject: Subject) -> None:
    # Two texts for each user, since each costs a hash.
    for first, last in zip(TEXTS[::2], TEXTS[1::2], strict=True):
        made = created(subject, firstName=first, lastName=last)
        user = value_of(get_user(subject, made["id"]), 200, "a user")
        seen = user["firstName"], user["lastName"]
        expect_equal(seen, (first, last), "the names of a user, read back")
    all_users = value_of(list_users(subject), 200, "list-users")
    names = {(each["firstName"], each["lastName"]) for each in all_users}
    expect((TEXTS[0], TEXTS[1]) in names, "names are not in list-users as they were")
    for text in TEXTS:
        body = {"userIds": [SEFA.id], "amount": 1, "reason": text}
        for written in (compact(body), json.dumps(body).encode()):
            answer = GRANT.send(subject, written)
            expect_status(answer, 201, f"a grant for {text!r}")
            newest = wallet(subject, SEFA.id)["events"][0]
            expect_equal(newest["reason"], text, "the reason of a grant, read back")


@check("U30", "login shows a name as it was")
def name_of_login(subject: Subject) -> None:
    email, first, last = new_email(), "東京 👩‍👩‍👧‍👦", 'e\u0301 "\\/'
    created(subject, email=email, firstName=first, lastName=last)
    found = value_of(log_in(subject, email), 200, "logging in")
    expect_equal(found["name"], f"{first} {last}", "the name of login")


@check("U35", "no error shows SQL, a name of the inside, a stack trace, or a text of the caller")
def discreet(subject: Subject) -> None:
    answers = {
        "an unknown path": get(subject, "/users/x/../../etc/passwd", SUPERVISOR),
        "a long path": get(subject, f"/{'a' * 4000}", SUPERVISOR),
        "a long query": get(subject, f"/nothing?q={'a' * 4000}", SUPERVISOR),
        "an id": get(subject, USERS, None, ("X-User-Id", "qwert"), ("X-User-Role", "zz-top")),
        "no JSON": ask(subject, "POST", USERS, None, JSON, body=b"{nothing"),
        "a wrong type": post(subject, USERS, None, {"firstName": {"qwert": 1}, "nif": []}),
        "a member too many": create(subject, **{"<b>qwert": "zz-top"}),
        "wrong members": create(subject, firstName="\0qwert", nif=-7, email="bram@qwert@x"),
        "no object": post(subject, LOGIN, None, ["qwert"]),
        "a number too long": ask(subject, "POST", LOGIN, None, JSON, body=b'{"email":1e400}'),
        "an address that is taken": create(subject, email=SEED_EMAILS[BRAM.id]),
        "a tax number that is taken": create(subject, nif=700_000_004),
        "a plate that is taken": create(subject, licensePlateNumber="LA-00020"),
        "no credentials": log_in(subject, "bram@qwert", "zz-top"),
        "another method": ask(subject, "PATCH", HEALTH),
        "another type": ask(subject, "POST", LOGIN, None, ("Content-Type", "qwert/zz-top")),
        "a key": grant(subject, [BRAM.id], key="qwert zz-top ${7*7}"),
        "a grant to nobody": grant(subject, [NOBODY], reason="qwert"),
        "too many coins": grant(subject, [BRAM.id], -1_000_000, "qwert"),
        "a word": set_status(subject, BRAM.id, "qwert"),
        "a debit of nobody": debit(subject, NOBODY, 1, "qwert/zz-top/${7*7}"),
    }
    for what, answer in answers.items():
        expect(400 <= answer.status < 500, f"the status of {what} is {answer.status}")
        _expect_discreet(answer, what)
        codes = [code for code in KINDS if answer.body.startswith(body_of(code)[:-1])]
        expect_equal(len(codes), 1, f"the problems that {what} is, by {answer.body[:80]!r},")
        body = answer.body.decode("utf-8", "replace")
        told = [each for each in ECHOES if each in body]
        expect_equal(told, [], f"what the error of {what} shows of the request")


@with_stand("U35", "nor does a failure of the service")
def discreet_failures(subject: Subject) -> None:
    owner = put_customer(subject)
    calls = operations(subject, owner, new_plate())
    hand = hand_of(subject)
    for table in ("coin_event", "idempotency"):
        hand.execute(f"ALTER TABLE {table} RENAME TO away")
        try:
            answers = {each: calls[each]() for each in ("grant-coins", "debit", "wallet")}
        finally:
            hand.execute(f"ALTER TABLE away RENAME TO {table}")
        failed = {each: answer for each, answer in answers.items() if answer.status >= 500}
        expect(bool(failed), f"nothing failed without the table {table}")
        for operation, answer in failed.items():
            expect_problem(answer, "internal", f"of {operation} without {table}")
            _expect_discreet(answer, operation)
    expect_equal(wallet(subject, owner.id)["coins"], 0, "the coins behind grants that failed")


@check("U35", "what is no HTTP is refused without a word of the service's inside")
def no_http(subject: Subject) -> None:
    requests = (
        *(b"nothing\r\n\r\n", b"GET /users\r\n\r\n", b"GET /users HTTP/9.9\r\nHost: a\r\n\r\n"),
        b"GET /users HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n",
        b"\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\r\n\r\n",
        b"POST /users HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n",
        b"POST /users HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    )
    for request in requests:
        seen = _answer_to(subject, request).lower()
        shown = [each for each in TELLING if each.encode() in seen]
        expect_equal(shown, [], f"what {request[:30]!r} is told of the inside")
        expect_status(get(subject, HEALTH), 200, f"/health behind {request[:30]!r}")


def _errors(subject: Subject) -> dict[str, Answer]:
    """One answer for each code that a caller can cause."""
    email = SEED_EMAILS[BRAM.id]
    used = new_key()
    expect_status(grant(subject, [SEFA.id], 1, "a", key=used), 201, "a grant")
    blocked = new_email()
    user = created(subject, email=blocked)["id"]
    expect_status(set_status(subject, user, "BLOCKED"), 200, "blocking a user")
    large, text = b" " * (MOST_BODY_BYTES + 1), ("Content-Type", "text/plain")
    calls: dict[str, Callable[[], Answer]] = {
        "malformed": partial(ask, subject, "POST", LOGIN, None, JSON, body=b"{"),
        "unknown-member": partial(create, subject, role="SUPERVISOR"),
        "token-missing": partial(get, subject, USERS),
        "token-invalid": partial(get, subject, USERS, Caller(0, "SUPERVISOR")),
        "credentials": partial(log_in, subject, email, "x"),
        "forbidden": partial(post, subject, DEBITS, None, {}),
        "account-blocked": partial(log_in, subject, blocked),
        "not-found": partial(get_user, subject, NOBODY),
        "method-not-allowed": partial(ask, subject, "PATCH", USERS),
        "duplicate-email": partial(create, subject, email=email),
        "duplicate-nif": partial(create, subject, nif=700_000_004),
        "duplicate-plate": partial(put_vehicle, subject, SEFA, "LA-00018"),
        "vehicle-limit": partial(put_vehicle, subject, ILO, new_plate()),
        "coins": partial(grant, subject, [user], -1),
        "too-large": partial(ask, subject, "POST", LOGIN, None, JSON, body=large),
        "unsupported-media-type": partial(ask, subject, "POST", LOGIN, None, text, body=b"{}"),
        "invalid": partial(create, subject, paymentMethod="x"),
        "idempotency-mismatch": partial(grant, subject, [SEFA.id], 2, "a", key=used),
    }
    return {code: call() for code, call in calls.items()}


def _expect_fields(subject: Subject, answer: Answer, what: str) -> None:
    expect_equal(answer.values("cache-control"), ("no-store",), f"Cache-Control of {what}")
    wanted = (f"users-{subject.address[1]}",)
    expect_equal(answer.values("x-instance-id"), wanted, f"X-Instance-Id of {what}")
    found = [name for name in FORBIDDEN_FIELDS if answer.values(name)]
    expect_equal(found, [], f"the fields of memory and codings of {what}")


def _expect_discreet(answer: Answer, what: str) -> None:
    body = answer.body.decode("utf-8", "replace").lower()
    # The type of every problem is a name of this system, and of nothing within it.
    body = re.sub(r"urn:park:[a-z-]+", "", body)
    shown = [each for each in TELLING if each in body]
    expect_equal(shown, [], f"what the error of {what} shows")


def _answer_to(subject: Subject, request: bytes) -> bytes:
    """Whatever comes back until the other side ends, or is silent."""
    seen = b""
    with (
        suppress(OSError),
        socket.create_connection(subject.address, subject.deadline.remaining_seconds()) as raw,
    ):
        raw.settimeout(1.0)
        raw.sendall(request)
        while piece := raw.recv(4096):
            seen += piece
    return seen


def _members(value: Any) -> list[tuple[str, Any]]:
    """Every member at any depth."""
    if isinstance(value, list):
        return [member for each in value for member in _members(each)]
    if isinstance(value, dict):
        within = [member for each in value.values() for member in _members(each)]
        return [*value.items(), *within]
    return []
