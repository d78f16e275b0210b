"""G22, G23, G31 and G33: what is between the legs: parts, limits, breaks, and connections."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from secrets import token_bytes, token_hex
from threading import Event

from loadstone.contract import declare
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.http2_client import Http2Connection
from loadstone.contract.scripts import (
    Script,
    fixed,
    gated,
    half,
    half_reset,
    never,
    together,
)
from loadstone.contract.subject import Subject
from loadstone.contract.wire import BrokenMessage

from .lib.at_once import timed
from .lib.clock import expect_speed, undisturbed
from .lib.gateway_answers import expect_refused
from .lib.gateway_instances import warm
from .lib.gateway_service import (
    AS_SUPERVISOR,
    COINS,
    HEALTH,
    MANY_SECONDS,
    STARTS_SECONDS,
    USERS,
    ask,
    ask_on,
    expect_echo,
    get,
    post,
)
from .lib.objects import JSON, expect_status

check = partial(declare.check, needs_upstream=True, seconds=MANY_SECONDS)
with_stand = partial(declare.check, needs_upstream=True, needs_stand=True, seconds=STARTS_SECONDS)

FIELDS = [AS_SUPERVISOR, JSON]
DEFAULT_TIMEOUT_SECONDS = 5.0
SHORT_TIMEOUT_SECONDS = 0.8
BEYOND_SECONDS = 0.5
GONE_SECONDS = 1.0

IDLE_AT_ONCE = 20
IDLE_SECONDS = 25.0
GONE_BY_SECONDS = 35.0
"""30 s, and five more for a pool that is looked through now and then."""
CALLERS_IDLE_SECONDS = 60.0


@check("G31", "a part of an answer arrives before the next one exists")
def streams_the_answer(subject: Subject) -> None:
    pieces = [token_hex(8).encode() for _ in range(3)]
    gate = Event()
    subject.upstream.answer_with(gated(pieces, gate, subject.deadline.remaining_seconds()))
    try:
        with subject.connect() as connection:
            call = connection.send_request(USERS, [AS_SUPERVISOR], method="GET")
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


@check("G31", "a part of a request arrives before the next one is sent")
def streams_the_request(subject: Subject) -> None:
    parts = [token_hex(8).encode() for _ in range(3)]
    for length in (None, sum(len(part) for part in parts)):
        subject.upstream.forget()
        with subject.connect() as connection:
            call = connection.begin(COINS, FIELDS, length=length)
            sent = b""
            for part in parts:
                call.send_piece(part)
                sent += part
                exchange = subject.upstream.wait_for_exchange(subject.deadline)
                arrived = exchange.wait_for_body(len(sent), subject.deadline)
                expect_equal(arrived, sent, "what is at the service before the rest is sent")
            call.end()
            answer = call.receive_answer()
        expect_equal((answer.status, answer.body), (200, sent), "the echo")


@with_stand("G22", "an instance that never answers is 504 in time, and its request is given up")
def never_answers(subject: Subject) -> None:
    variables = {"UPSTREAM_TIMEOUT_MS": f"{SHORT_TIMEOUT_SECONDS * 1000:.0f}"}
    with subject.stand.restarted(variables, unready=True) as other:
        warm(other, "with a short limit")
        for method in ("GET", "POST", "PUT"):
            undisturbed(partial(_expect_timeout, other, method, SHORT_TIMEOUT_SECONDS))
        subject.upstream.forget()
        # It is no failed attempt: the instance is asked again at once.
        expect_echo(other, "right behind a 504")
        undisturbed(partial(_expect_slow_upload, other))


@check("G22", "the limit is 5 s where nothing is said")
def default_limit(subject: Subject) -> None:
    undisturbed(partial(_expect_timeout, subject, "GET", DEFAULT_TIMEOUT_SECONDS))
    subject.upstream.forget()
    expect_echo(subject, "right behind a 504")


@check("G23", "an answer that ends before its length never looks complete")
def cut_by_length(subject: Subject) -> None:
    for body in (token_hex(8).encode(), token_bytes(100_000)):
        _expect_broken(subject, half(body, chunked=False))


@check("G23", "an answer without a length that ends early never looks complete")
def cut_by_chunks(subject: Subject) -> None:
    for body in (token_hex(8).encode(), token_bytes(100_000)):
        _expect_broken(subject, half(body, chunked=True))


@check("G23", "an answer that is reset in its body never looks complete", upstream="http/2")
def cut_by_reset(subject: Subject) -> None:
    for body in (token_hex(8).encode(), token_bytes(100_000)):
        _expect_broken(subject, half_reset(body))


@declare.check("G33", "a caller's connection carries one request after the other", quick=True)
def keeps_the_callers_connection(subject: Subject) -> None:
    with subject.connect() as connection:
        for target, status in ((USERS, 200), ("/nothing", 404), (HEALTH, 200), (USERS, 200)):
            answer = ask_on(connection, "GET", target)
            expect_status(answer, status, target)
            expect("close" not in answer.values("connection"), "the gateway ends the connection")


@check("G33", "what the gateway refuses does not end the caller's connection")
def keeps_it_behind_refusals(subject: Subject) -> None:
    with subject.connect() as connection:
        for method, target, token, status in (
            *(("POST", COINS, None, 401), ("PUT", "/usersx", "a.b.c", 404)),
            *(("POST", "/users/../x", None, 400), ("PUT", HEALTH, None, 405)),
        ):
            answer = ask_on(connection, method, target, JSON, body=b'{"a":1}', token=token)
            expect_status(answer, status, f"{method} {target} with a body")
            body = token_hex(8).encode()
            answer = ask_on(connection, "POST", COINS, JSON, body=body)
            expect_equal((answer.status, answer.body), (200, body), f"the echo behind {status}")


@check("G33", "requests in turn need at most one new connection to the service")
def keeps_the_connection_to_the_service(subject: Subject) -> None:
    before = subject.upstream.connections_opened
    with subject.connect() as connection:
        for number in range(12):
            method = ("GET", "POST", "PUT")[number % 3]
            expect_status(ask_on(connection, method, COINS), 200, f"a {method}")
    for _ in range(3):
        expect_status(get(subject), 200, "a GET on a connection of its own")
    opened = subject.upstream.connections_opened - before
    expect(opened <= 1, f"15 requests opened {opened} connections to the service")


@check("G33", "an answer of any status leaves the connection to the service in use")
def keeps_it_behind_any_answer(subject: Subject) -> None:
    expect_status(get(subject), 200, "a first request")
    before = subject.upstream.connections_opened
    for method in ("GET", "POST", "HEAD", "DELETE"):
        for target in (USERS, COINS):
            expect_status(ask(subject, method, target), 200, f"{method} {target}")
    for status in (204, 304, 404, 500):
        subject.upstream.answer_with(fixed(status))
        expect_status(get(subject), status, "a GET")
    opened = subject.upstream.connections_opened - before
    expect(opened <= 1, f"12 requests opened {opened} further connections to the service")


@check(
    "G33",
    "connections that nothing is on are kept: a caller's 60 s, one to the service 30 s",
    seconds=STARTS_SECONDS,
)
def idle_connections(subject: Subject) -> None:
    with ExitStack() as opened:
        used, unused = (opened.enter_context(subject.connect()) for _ in range(2))
        expect_status(ask_on(used, "GET", USERS), 200, "a request on a connection")
        callers_began = time.monotonic()
        undisturbed(partial(_expect_kept_for_30_seconds, subject), 2)
        subject.upstream.forget()
        time.sleep(max(0.0, callers_began + CALLERS_IDLE_SECONDS - time.monotonic()))
        for what, connection in (("was used", used), ("was never used", unused)):
            if isinstance(connection, Http2Connection):
                connection.flush()
            when = f"on a connection that {what} and idle for 60 s"
            expect_status(ask_on(connection, "GET", USERS), 200, f"a request {when}")


def _next_part(received: Iterator[bytes]) -> bytes:
    part = next(received, None)
    if part is None:
        raise AssertionError("the answer ended before its first part was there")
    return part


def _expect_timeout(subject: Subject, method: str, limit_seconds: float) -> None:
    subject.upstream.forget()
    subject.upstream.answer_with(never)
    body = b"" if method == "GET" else b"{}"
    answer, seconds = timed(partial(ask, subject, method, COINS, body=body))
    expect_refused(subject, answer, "upstream-timeout", f"of {method} to one that never answers")
    shown = f"{method} to one that never answers took {seconds:.2f} s"
    expect(seconds >= limit_seconds - 0.05, shown)
    expect_speed(seconds <= limit_seconds + BEYOND_SECONDS, shown)
    exchange = subject.upstream.only_exchange()
    is_given_up = exchange.closed.wait(GONE_SECONDS)
    expect_speed(is_given_up, "its request goes on at the service")


def _expect_slow_upload(subject: Subject) -> None:
    """The limit is that of the wait behind the whole request."""
    subject.upstream.forget()
    with subject.connect() as connection:
        call = connection.begin(COINS, FIELDS)
        for _ in range(6):
            call.send_piece(b"a")
            time.sleep(SHORT_TIMEOUT_SECONDS / 4)
        call.end()
        answer = call.receive_answer()
    expect_equal((answer.status, answer.body), (200, b"aaaaaa"), "the echo of a slow request")


def _expect_broken(subject: Subject, script: Script) -> None:
    for method in ("GET", "POST"):
        subject.upstream.forget()
        subject.upstream.answer_with(script)
        try:
            answer = ask(subject, method, COINS)
        except (BrokenMessage, ConnectionError):
            pass
        else:
            expect_equal(answer.status, 502, f"the status of a {method} that looks complete")
        expect_equal(len(subject.upstream.exchanges), 1, "requests at the service")
        subject.upstream.forget()
        # It had begun, so the instance is not left out.
        expect_echo(subject, "right behind an answer that was cut")


def _expect_kept_for_30_seconds(subject: Subject) -> None:
    """Expect that all connections to the service are kept, and then closed."""
    subject.upstream.forget()
    subject.upstream.answer_with(together(IDLE_AT_ONCE, subject.deadline.remaining_seconds()))
    with ThreadPoolExecutor(IDLE_AT_ONCE) as pool:
        asked = [pool.submit(post, subject, COINS, b"{}", JSON) for _ in range(IDLE_AT_ONCE)]
        for each in asked:
            expect_status(each.result(), 200, "a request beside others")
    began = time.monotonic()
    there = subject.upstream.connections_open
    least = 1 if subject.upstream_protocol.is_http2 else IDLE_AT_ONCE
    expect(there >= least, f"{there} connections to the service are open behind 20 requests")
    time.sleep(max(0.0, began + IDLE_SECONDS - time.monotonic()))
    kept, late = subject.upstream.connections_open, time.monotonic() - began
    expect_speed(late <= IDLE_SECONDS + 2.0, f"the machine slept for {late:.1f} s")
    expect(kept >= least, f"{kept} of {there} connections to the service are kept for 25 s")
    time.sleep(max(0.0, began + GONE_BY_SECONDS - time.monotonic()))
    left = subject.upstream.connections_open
    expect_equal(left, 0, "the connections to the service that nothing was on for 35 s")
