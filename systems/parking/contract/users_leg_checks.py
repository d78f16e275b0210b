"""U52: what is spoken on the leg to `users`, and how its connections are kept."""

import time
from contextlib import ExitStack
from functools import partial

from loadstone.contract import declare
from loadstone.contract.client import Answer
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.http2_client import Http2Connection
from loadstone.contract.subject import Subject
from loadstone.study.values.model import Protocol

from .lib.clock import expect_speed, undisturbed
from .lib.objects import JSON, compact, expect_status, object_of
from .lib.shapes import GRANTED, HEALTH, USER
from .lib.users_operations import warm
from .lib.users_service import HEALTH as HEALTH_PATH
from .lib.users_service import (
    MANY_SECONDS,
    SERVICE,
    SUPERVISOR,
    USERS,
    identity,
    user_path,
)
from .lib.users_writings import GRANT

check = partial(declare.check, service=SERVICE, seconds=MANY_SECONDS)

MANY = 100
USERS_THERE = 6
IDLE_SECONDS = 60.5
HTTP_1, HTTP_2 = "http/1.1", "h2"


@check("U52", "the leg speaks its protocol, with an identity on every method")
def speaks(subject: Subject) -> None:
    with subject.connect() as connection:
        connection.send_request(USERS, identity(SUPERVISOR), method="GET")
        expect_status(connection.receive_answer(), 200, f"a list on {subject.client}")
        body = compact(GRANT.body())
        connection.send_request(GRANT.target, [*GRANT.own(), JSON], body)
        object_of(connection.receive_answer(), 201, GRANTED, f"a grant on {subject.client}")
        connection.send_request(HEALTH_PATH, method="GET")
        object_of(connection.receive_answer(), 200, HEALTH, f"/health on {subject.client}")


@check("U52", "over TLS 1.3 is spoken, with the chain of TLS_CERT", client="tls")
def tls(subject: Subject) -> None:
    # The caller has no older version, and verifies chain and address: both end the handshake.
    with subject.connect() as connection:
        handshake = connection.handshake
        expect(handshake is not None, "the leg is in cleartext")
        if handshake is not None:
            expect_equal(handshake.version, "TLSv1.3", "the version of TLS")


@check("U52", "a caller that offers both versions by ALPN gets the leg's", client="tls")
def offers(subject: Subject) -> None:
    # A server without ALPN agrees to nothing, and then speaks HTTP/1.1.
    wanted = (HTTP_1, None) if subject.client is Protocol.H1 else (HTTP_2,)
    for offered in ((HTTP_2, HTTP_1), (HTTP_1, HTTP_2)):
        with subject.connect_offering(offered) as connection:
            agreed = connection.handshake.agreed if connection.handshake else None
            expect(agreed in wanted, f"{agreed} is agreed on with who offers {offered}")
            connection.send_request(HEALTH_PATH, method="GET")
            expect_status(connection.receive_answer(), 200, f"/health in {agreed}")


@check("U52", "100 requests on one connection each get their own answer")
def one_connection(subject: Subject) -> None:
    with subject.connect() as connection:
        for number in range(MANY):
            user = 1 + number % USERS_THERE
            connection.send_request(user_path(user), identity(SUPERVISOR), method="GET")
            _expect_user(connection.receive_answer(), user)


@check("U52", "100 at the same time on one connection each get their own", client="http/2")
def at_the_same_time(subject: Subject) -> None:
    warm(subject, MANY)
    undisturbed(partial(_expect_own_answers, subject))


@check("U52", "errors and bodies that are too large leave the connection as it is", client="http/2")
def errors_between(subject: Subject) -> None:
    with subject.connect_http2() as connection:
        for target, method, status in (
            *((USERS, "GET", 401), ("/nothing", "GET", 404), (USERS, "PATCH", 405)),
            *((USERS, "POST", 415), (user_path(0), "GET", 404)),
        ):
            connection.send_request(target, method=method)
            expect_status(connection.receive_answer(), status, f"{method} {target}")
        given_up = connection.begin(USERS, [JSON], length=1000)
        given_up.send_piece(b"{")
        given_up.reset()
        connection.send_request(USERS, identity(SUPERVISOR), method="GET")
        expect_status(connection.receive_answer(), 200, "a list behind them")


@check("U52", "errors leave the connection as it is", client="http/1.1")
def errors_between_on_http1(subject: Subject) -> None:
    with subject.connect() as connection:
        for target, method, status in (
            *((USERS, "GET", 401), ("/nothing", "GET", 404), (USERS, "PATCH", 405)),
            *((USERS, "POST", 415), (user_path(0), "GET", 404)),
        ):
            connection.send_request(target, method=method)
            expect_status(connection.receive_answer(), status, f"{method} {target}")
        for body, status in ((b"{", 400), (b"{}", 422)):
            connection.send_request(USERS, [JSON], body)
            expect_status(connection.receive_answer(), status, f"a user by {body!r}")
        connection.send_request(USERS, identity(SUPERVISOR), method="GET")
        expect_status(connection.receive_answer(), 200, "a list behind them")


@check(
    "U52",
    "a connection that nothing is on, or was yet, is kept for a minute",
    client=(Protocol.H1C, Protocol.H2),
)
def kept(subject: Subject) -> None:
    with ExitStack() as opened:
        used, unused = (opened.enter_context(subject.connect()) for _ in range(2))
        if isinstance(unused, Http2Connection):
            unused.wait_for_settings()
            unused.flush()  # both sides have said how they begin
        used.send_request(HEALTH_PATH, method="GET")
        expect_status(used.receive_answer(), 200, "/health")
        time.sleep(IDLE_SECONDS)
        for what, connection in (("one that was used", used), ("a new one", unused)):
            connection.send_request(user_path(4), identity(SUPERVISOR), method="GET")
            answer = connection.receive_answer()
            expect_status(answer, 200, f"a user on {what}, a minute later")


def _expect_own_answers(subject: Subject) -> None:
    with subject.connect_http2() as connection:
        _expect_batch(connection, min(MANY, connection.wait_for_settings()))


def _expect_batch(connection: Http2Connection, size: int) -> None:
    """Send 100 requests, so many at once as the service allows, and read the last ones first."""
    for first in range(0, MANY, size):
        users = [1 + number % USERS_THERE for number in range(first, min(first + size, MANY))]
        calls = [
            connection.send_request(user_path(user), identity(SUPERVISOR), method="GET")
            for user in users
        ]
        for user, call in reversed(list(zip(users, calls, strict=True))):
            answer = call.receive_answer()
            expect_speed(answer.status != 503, "one of 100 at the same time is 503")
            _expect_user(answer, user)


def _expect_user(answer: Answer, user: int) -> None:
    object_of(answer, 200, USER, f"user {user}", id=user)
