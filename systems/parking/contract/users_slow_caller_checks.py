"""U36: callers that send slowly, or do not read, hold nothing that others need."""

import socket
from contextlib import ExitStack
from functools import partial

from loadstone.contract import declare
from loadstone.contract.expect import expect
from loadstone.contract.http1_client import Http1Connection
from loadstone.contract.subject import Subject
from loadstone.study.values.model import Protocol

from .lib.at_once import timed
from .lib.database import expect_at_rest, hand_of
from .lib.objects import JSON, compact, expect_status
from .lib.users_accounts import account
from .lib.users_coins import grant, wallet
from .lib.users_members import BEYOND
from .lib.users_operations import renew, warm
from .lib.users_rows import put_customers
from .lib.users_service import (
    BRAM,
    ILO,
    MANY_SECONDS,
    SERVICE,
    STARTS_SECONDS,
    USERS,
    get_user,
    list_users,
)
from .lib.users_writings import GRANT, PUT_VEHICLE, SET_PAYMENT

check = partial(declare.check, service=SERVICE, seconds=MANY_SECONDS)
with_stand = partial(check, needs_stand=True, seconds=STARTS_SECONDS)

HALF_SENT = 50
BESIDE = 20
SERVED_SECONDS = 5.0
"""For a request beside those that are half sent; one that waited for them would be 503, or wait without
end.
"""
UNREAD = 12
LONG_ROWS, LEAST_LIST_BYTES, FEW_BYTES = 1500, 400_000, 4096
"""What no buffers of a connection hold whose other end is so narrow."""


@with_stand("U36", "50 requests that are half sent hold no connection of the pool")
def half_sent(subject: Subject) -> None:
    warm(subject, BESIDE)
    writings = (GRANT, PUT_VEHICLE, SET_PAYMENT)
    with ExitStack() as opened:
        for number in range(HALF_SENT):
            connection = opened.enter_context(subject.connect())
            if number % 5 == 0 and isinstance(connection, Http1Connection):
                connection.send(b"POST /users HTTP/1.1\r\nHost: a\r\nContent-Ty")
                continue
            if number % 5 == 1:
                method, target, fields, value = "POST", USERS, [JSON], account()
            else:
                writing = writings[number % len(writings)]
                method, target, value = writing.method, writing.target, writing.body()
                fields = [*writing.own(), JSON]
            body = compact(value)
            length = None if number % 2 else len(body)
            connection.begin(target, fields, method=method, length=length).send_piece(body[:-5])
        for _ in range(BESIDE):
            answer, seconds = timed(partial(list_users, subject))
            expect_status(answer, 200, "a list beside them")
            expect(seconds <= SERVED_SECONDS, f"a list beside them took {seconds:.1f} s")
            expect_status(get_user(subject, ILO.id), 200, "a user beside them")
            expect_status(grant(subject, [BRAM.id]), 201, "a grant beside them")
        expect_at_rest(subject)


@check("U36", "a request whose rest comes late is served then")
def late_rest(subject: Subject) -> None:
    before = wallet(subject, ILO.id)["coins"]
    with ExitStack() as opened:
        calls = []
        for _ in range(HALF_SENT):
            body = compact(GRANT.body())
            connection = opened.enter_context(subject.connect())
            fields = [*GRANT.own(), JSON]
            call = connection.begin(GRANT.target, fields, method="POST", length=len(body))
            call.send_piece(body[:10])
            calls.append((call, body))
        expect_status(list_users(subject), 200, "a list beside them")
        for call, body in calls[:10]:
            call.send_piece(body[10:])
            call.end()
            expect_status(call.receive_answer(), 201, "one whose rest came")
    # Two coins each, and nothing of those whose rest never came.
    expect(wallet(subject, ILO.id)["coins"] == before + 20, "what was half sent was done, too")


@with_stand(
    "U36", "callers that do not read their answers hold no connection", client=(Protocol.H1C,)
)
def unread_answers(subject: Subject) -> None:
    put_customers(subject, LONG_ROWS)
    hand_of(subject).execute(
        "UPDATE app_user SET first_name = %s WHERE first_name = 'Put'", (BEYOND * 60,)
    )
    try:
        size = len(list_users(subject).body)
        expect(size >= LEAST_LIST_BYTES, f"a list of {LONG_ROWS} users has {size} bytes")
        request = (
            b"GET /users HTTP/1.1\r\nHost: a\r\nX-User-Id: 1\r\nX-User-Role: SUPERVISOR\r\n\r\n"
        )
        with ExitStack() as opened:
            for _ in range(UNREAD):
                caller = opened.enter_context(socket.socket())
                caller.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, FEW_BYTES)
                caller.settimeout(SERVED_SECONDS)
                caller.connect(subject.address)
                caller.sendall(request)
            for _ in range(5):
                answer, seconds = timed(partial(get_user, subject, ILO.id))
                expect_status(answer, 200, "a user beside answers that nobody reads")
                expect(seconds <= SERVED_SECONDS, f"it took {seconds:.1f} s")
            expect_at_rest(subject)
    finally:
        renew(subject)
