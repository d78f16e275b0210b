"""G17, G30 and G42: how requests are spread over instances, how these are called, and what becomes of
attempts that fail.
"""

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from functools import partial
from secrets import token_hex

from loadstone.contract import declare
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.scripts import (
    Script,
    break_unanswered,
    close_unanswered,
    fixed,
    refuse_unanswered,
    reset_unanswered,
)
from loadstone.contract.subject import Subject
from loadstone.contract.upstream import RecordingUpstream

from .lib.at_once import at_once, timed
from .lib.clock import expect_speed, undisturbed
from .lib.gateway_answers import expect_refused
from .lib.gateway_instances import (
    answer_all,
    arrived,
    deaf,
    forget,
    gateway_before,
    recorders,
    refusing,
    static,
    unreachable,
    warm,
)
from .lib.gateway_service import (
    COINS,
    HEALTH,
    LEFT_OUT_SECONDS,
    STARTS_SECONDS,
    USERS,
    ask,
    ask_on,
    get,
    settle,
)
from .lib.objects import expect_status, value_of

check = partial(declare.check, needs_upstream=True, needs_stand=True, seconds=STARTS_SECONDS)

CALLERS, GETS = 6, 300
FEWEST, MOST = 90, 110
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
AGAIN = ("GET", "HEAD", "PUT", "DELETE")
"""Without a body they go to another instance where the connection ended before an answer."""
ONCE = ("POST", "PATCH", "OPTIONS")
ATTEMPTS = 3
"""The first one, and to two others."""
CONNECT_SECONDS, MARGIN_SECONDS = 1.0, 0.8
UNEVEN = 2
"""At most between two instances, where one request comes after the other."""
BACK_SECONDS = 2.0
"""From the end of the time for which an instance is left out to traffic on it."""

Instances = Sequence[RecordingUpstream]
Beside = Callable[[], AbstractContextManager[str]]


@check("G17", "300 GETs, 6 at a time, are spread evenly over 3 instances, on few connections")
def spreads(subject: Subject) -> None:
    with recorders(subject, 3) as instances, gateway_before(subject, instances) as other:
        at_once([partial(_get_often, other, GETS // CALLERS)] * CALLERS)
        counts = arrived(instances)
        expect_equal(sum(counts), GETS, "the requests at the instances")
        is_even = all(FEWEST <= count <= MOST for count in counts)
        expect(is_even, f"the instances received {counts} of {GETS} requests")
        opened = [each.connections_opened for each in instances]
        expect(max(opened) <= CALLERS, f"{opened} connections were opened to the instances")


@check("G17", "every instance is asked in turn, also by one caller after the other")
def in_turn(subject: Subject) -> None:
    with recorders(subject, 4) as instances, gateway_before(subject, instances) as other:
        with other.connect() as connection:
            for _ in range(40):
                expect_status(ask_on(connection, "GET", USERS), 200, "a GET")
        _expect_even(instances, "40 GETs of one caller")
        forget(instances)
        for number in range(40):
            method = "GET" if number % 3 else "POST"
            expect_status(ask(other, method, USERS), 200, f"a {method}")
        _expect_even(instances, "40 requests of 40 callers")


@check("G42", "each of 3 instances is called by its own address")
def own_authority(subject: Subject) -> None:
    with recorders(subject, 3) as instances, gateway_before(subject, instances) as other:
        for _ in range(12):
            expect_status(get(other), 200, "a GET")
        for each in instances:
            expect(
                bool(each.exchanges), f"the instance {each.authority} received none of 12 requests"
            )
            for exchange in each.exchanges:
                expect_equal(exchange.authority, each.authority, "the authority at an instance")


@check("G30", "a request that is refused a connection goes to another instance, with any method")
def refused(subject: Subject) -> None:
    _hold_beside(subject, refusing, METHODS)


@check("G30", "one that no connection is made to within 1 s is a failed attempt, with any method")
def no_connection(subject: Subject) -> None:
    _hold_beside(subject, unreachable, ("GET", "POST", "PUT"))


@check("G30", "nor is one that does not shake hands over TLS within 1 s", upstream="tls")
def no_handshake(subject: Subject) -> None:
    _hold_beside(subject, deaf, ("GET", "POST"))


@check("G30", "it goes to two others at most, and is 502 then; where all are left out it is 503")
def two_others(subject: Subject) -> None:
    with recorders(subject, 5) as instances, gateway_before(subject, instances) as other:
        undisturbed(partial(_expect_two_others, other, instances))


@check("G30", "GET, HEAD, PUT and DELETE go to another where the connection ends before an answer")
def ended_unanswered(subject: Subject) -> None:
    with recorders(subject, 3) as instances, gateway_before(subject, instances) as other:
        for script in (close_unanswered, break_unanswered):
            for method in AGAIN:
                _expect_asked_again(other, instances, script, method)


@check("G30", "a POST whose connection ended before an answer is sent once, and 502")
def once(subject: Subject) -> None:
    with recorders(subject, 3) as instances, gateway_before(subject, instances) as other:
        for script in (close_unanswered, break_unanswered):
            for method in ONCE:
                for body in (b"", b"{}") if method == "POST" else (b"",):
                    answer_all(instances, script)
                    answer = ask(other, method, COINS, body=body)
                    expect_refused(other, answer, "upstream", f"of a {method} that is not answered")
                    counts = arrived(instances)
                    expect_equal(sum(counts), 1, f"how often a {method} was sent ({counts})")
                    _settle(other, instances)


@check("G30", "the service's own 502 and 503 are no failed attempts")
def answers_of_the_service(subject: Subject) -> None:
    with recorders(subject, 2) as instances, gateway_before(subject, instances) as other:
        answer_all(instances, fixed(503, [("Retry-After", "9")], b"later"))
        for number in range(6):
            method = ("GET", "POST")[number % 2]
            answer = ask(other, method, USERS)
            expect_equal((answer.status, answer.body), (503, b"later"), f"the answer to a {method}")
        _expect_even(instances, "6 requests that the instances answer with 503")


@check("G30", "an instance is left out for 2 s behind a failed attempt, and then asked again")
def left_out(subject: Subject) -> None:
    with recorders(subject, 3) as instances, gateway_before(subject, instances) as other:
        undisturbed(partial(_expect_left_out, other, instances))


@check(
    "G30",
    "a stream that was not processed goes to another instance, with any method",
    upstream="http/2",
)
def not_processed(subject: Subject) -> None:
    with recorders(subject, 3) as instances, gateway_before(subject, instances) as other:
        for method in METHODS:
            _settle(other, instances)
            instances[0].answer_with(refuse_unanswered)
            for _ in range(3):
                answer = ask(other, method, COINS)
                expect_status(answer, 200, f"a {method} that an instance did not process")
            expect(bool(instances[0].exchanges), "the instance that refuses was not asked")
            others = sum(arrived(instances[1:]))
            expect_equal(others, 3, f"the {method} requests at the others")


@check("G30", "a stream that is reset otherwise is sent again only of these", upstream="http/2")
def reset_unprocessed(subject: Subject) -> None:
    with recorders(subject, 3) as instances, gateway_before(subject, instances) as other:
        for method in AGAIN:
            _expect_asked_again(other, instances, reset_unanswered, method)
        answer_all(instances, reset_unanswered)
        answer = ask(other, "POST", COINS, body=b"{}")
        expect_refused(other, answer, "upstream", "of a POST whose stream is reset")
        expect_equal(sum(arrived(instances)), 1, "how often a POST was sent")


@check("G30", "a single instance that fails is 502, then 503, and served again soon")
def single_instance(subject: Subject) -> None:
    try:
        with subject.upstream.away(subject.deadline):
            answer = get(subject)
            expect_refused(subject, answer, "upstream", "of an instance that refuses")
            answer, seconds = timed(partial(get, subject))
            code = "upstream" if answer.status == 502 else "unavailable"
            expect_refused(subject, answer, code, "of an instance that is left out")
            expect(seconds <= 1.0, f"it took {seconds:.1f} s to tell that it is left out")
        _, seconds = timed(partial(settle, subject))
        shown = f"an instance that is back is asked after {seconds:.1f} s"
        expect(seconds <= LEFT_OUT_SECONDS + BACK_SECONDS, shown)
    finally:
        settle(subject)


def _get_often(subject: Subject, times: int) -> None:
    with subject.connect() as connection:
        for _ in range(times):
            expect_status(ask_on(connection, "GET", USERS), 200, "a GET")


def _hold_beside(subject: Subject, beside: Beside, methods: Sequence[str]) -> None:
    """Expect that requests are served by two instances beside a third one that has no connection."""
    with recorders(subject, 2) as instances, beside() as nowhere:
        authorities = [nowhere, *(each.authority for each in instances)]
        told = static(*authorities, scheme=subject.upstream_protocol.scheme)
        with subject.stand.restarted(told, unready=True) as other:
            warm(other, "beside an instance without a connection")
            for method in methods:
                undisturbed(partial(_expect_another_in_time, other, instances, method))
            _expect_at_most_once(other, instances)


def _expect_another_in_time(subject: Subject, instances: Instances, method: str) -> None:
    """Expect that among as many requests as there are instances all are served in time."""
    time.sleep(LEFT_OUT_SECONDS + 0.1)  # now the one that is not reached is tried again
    forget(instances)
    for _ in range(3):
        answer, seconds = timed(partial(ask, subject, method, COINS))
        expect_status(answer, 200, f"a {method} beside an instance without a connection")
        most = CONNECT_SECONDS + MARGIN_SECONDS
        expect_speed(seconds <= most, f"a {method} took {seconds:.2f} s")
    expect_equal(sum(arrived(instances)), 3, f"how often 3 of {method} were sent")


def _expect_at_most_once(subject: Subject, instances: Instances) -> None:
    """Expect that a body which may have been read is sent once, or not at all."""
    for _ in range(3):
        time.sleep(LEFT_OUT_SECONDS + 0.1)
        forget(instances)
        for _ in range(3):
            status = ask(subject, "POST", COINS, body=token_hex(8).encode()).status
            expect(status in (200, 502), f"the status of a POST with a body is {status}")
        bodies = [each.body for instance in instances for each in instance.exchanges]
        expect_equal(len(set(bodies)), len(bodies), "how many of the bodies that arrived differ")


def _expect_two_others(subject: Subject, instances: Instances) -> None:
    _settle(subject, instances)
    answer_all(instances, close_unanswered)
    answer, seconds = timed(partial(get, subject))
    expect_refused(subject, answer, "upstream", "of instances that end the connection")
    counts = arrived(instances)
    asked = sum(count > 0 for count in counts)
    expect_equal(asked, ATTEMPTS, f"the instances that were asked ({counts})")
    # A library may send it anew where the connection had been in use before.
    expect(max(counts) <= 2, f"the instances received it {counts} times")
    answer, more = timed(partial(get, subject))
    in_time = seconds + more < LEFT_OUT_SECONDS / 2
    expect_speed(in_time, f"two requests that fail took {seconds + more:.1f} s")
    expect_refused(subject, answer, "upstream", "of the two that are left")
    asked = sum(count > 0 for count in arrived(instances))
    expect_equal(asked, len(instances), "the instances that were asked so far")
    answer, seconds = timed(partial(get, subject))
    expect_speed(answer.status != 502, "the first ones are asked again already")
    expect_refused(subject, answer, "unavailable", "while all are left out")
    expect_speed(seconds <= 1.0, f"it took {seconds:.1f} s to tell that all are left out")
    value_of(get(subject, HEALTH, token=None), 200, "/health while all are left out")


def _expect_even(instances: Instances, what: str) -> None:
    counts = arrived(instances)
    is_even = max(counts) - min(counts) <= UNEVEN
    expect(is_even, f"{what} are spread as {counts}")


def _expect_asked_again(
    subject: Subject, instances: Instances, script: Script, method: str
) -> None:
    """Expect that a request which one instance does not answer is answered by another."""
    _settle(subject, instances)
    instances[0].answer_with(script)
    for _ in range(3):
        expect_status(ask(subject, method, COINS), 200, f"a {method} that one does not answer")
    counts = arrived(instances)
    # A library may send it anew to the same one first, where the connection had been in use before.
    expect(counts[0] in (1, 2), f"the instance that does not answer received it {counts[0]} times")
    expect_equal(sum(counts[1:]), 3, f"the {method} requests at the others")


def _settle(subject: Subject, instances: Instances) -> None:
    """Let all answer again, and wait until none of them is left out any more."""
    forget(instances)
    time.sleep(LEFT_OUT_SECONDS + 0.1)
    for _ in range(2 * len(instances)):
        expect_status(get(subject), 200, "a GET once all instances answer")
    forget(instances)


def _expect_left_out(subject: Subject, instances: Instances) -> None:
    _settle(subject, instances)
    first = instances[0]
    with first.killed():
        failed_at = time.monotonic()  # at the earliest
        for _ in range(3):
            expect_status(get(subject), 200, "a GET beside an instance that is killed")
        ended = time.monotonic()
    # It listens again, and is left out nevertheless.
    while time.monotonic() < failed_at + LEFT_OUT_SECONDS - 0.1:
        expect_status(get(subject), 200, "a GET while an instance is left out")
        time.sleep(0.02)
    too_early = [
        each
        for each in first.exchanges
        if each.arrived_seconds < failed_at + LEFT_OUT_SECONDS - 0.05
    ]
    expect_equal(len(too_early), 0, "requests at an instance that is left out")
    end = ended + LEFT_OUT_SECONDS + BACK_SECONDS
    while not first.exchanges:
        expect_speed(time.monotonic() < end, "an instance that is back has no traffic for 4 s")
        expect_status(get(subject), 200, "a GET once an instance is back")
        time.sleep(0.02)
