"""G25: callers that leave, alone and in crowds."""

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from secrets import token_hex
from threading import Event

from loadstone.contract import declare
from loadstone.contract.exchange import Exchange, Reply
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.scripts import never, stalled
from loadstone.contract.subject import Subject

from .lib.clock import expect_speed, undisturbed, wait_until
from .lib.gateway_service import (
    AS_SUPERVISOR,
    COINS,
    MANY_SECONDS,
    STARTS_SECONDS,
    USERS,
    ask_on,
    expect_echo,
    settle,
)
from .lib.gateway_sockets import connections_at
from .lib.objects import JSON

check = partial(declare.check, needs_upstream=True, seconds=MANY_SECONDS)

FIELDS = [AS_SUPERVISOR, JSON]
GONE_SECONDS = 1.0
LEAVING, LEAVERS = 1_000, 20
WAITS_EACH = 5
"""One caller of so many waits until its request has arrived. Odd: each second of those breaks off."""
ARRIVES_SECONDS = 30.0
"""Behind the requests of others, at a JVM that has just started, on a busy machine."""
LEFT_BEHIND = 10
"""Of 1,000."""
SHRINK_SECONDS = 5.0
KEPT_SECONDS = 35.0
"""For which a connection to the service may stay that nobody is on, as one does that was made for a
caller who has left before it was: 30 s, and five more for a pool that is looked through now and then.
"""


@check("G25", "a caller that leaves ends its request at the service within 1 s")
def leaves_before_the_answer(subject: Subject) -> None:
    for method in ("GET", "POST"):
        for breaks in (False, True):
            undisturbed(partial(_expect_given_up, subject, method, breaks=breaks))
    subject.upstream.forget()
    expect_echo(subject, "behind callers that left")


@check("G25", "a caller that leaves in the middle of an answer ends it at the service")
def leaves_in_the_answer(subject: Subject) -> None:
    undisturbed(partial(_expect_given_up_in_the_answer, subject))
    subject.upstream.forget()
    expect_echo(subject, "behind a caller that left")


@check("G25", "a request that breaks off in its body never looks complete")
def leaves_in_the_body(subject: Subject) -> None:
    for length in (None, 100):
        subject.upstream.forget()
        with subject.connect() as connection:
            connection.begin(COINS, FIELDS, length=length).send_piece(b"half")
            exchange = subject.upstream.wait_for_exchange(subject.deadline)
            exchange.wait_for_body(4, subject.deadline)
            connection.break_off()
        exchange.wait_for_close(subject.deadline)
        expect(not exchange.ended.is_set(), "the service saw the end of a body that has none")


@check("G25", "a stream that a caller resets ends its request within 1 s", client="http/2")
def resets_a_stream(subject: Subject) -> None:
    undisturbed(partial(_expect_reset_given_up, subject))


@check("G25", "1,000 callers that leave leave no connection behind", seconds=STARTS_SECONDS)
def many_leave(subject: Subject) -> None:
    settle(subject)  # the instance may be left out for what was done before
    before = connections_at(subject.address[1])
    arrived = [Event() for _ in range(LEAVING)]
    subject.upstream.answer_with(partial(_note_and_never_answer, arrived))
    with ThreadPoolExecutor(LEAVERS) as pool:
        leave = partial(_leave_often, subject, arrived)
        shares = [range(first, LEAVING, LEAVERS) for first in range(LEAVERS)]
        for each in [pool.submit(leave, share) for share in shares]:
            each.result()

    def is_given_up() -> bool:
        return all(each.closed.is_set() for each in subject.upstream.exchanges)

    wait_until(is_given_up, SHRINK_SECONDS, "the end of every request of callers that left")
    most = LEFT_BEHIND
    wait_until(
        lambda: subject.upstream.connections_open <= most,
        KEPT_SECONDS,
        f"an end to all but {most} connections to the service",
    )
    wait_until(
        lambda: connections_at(subject.address[1]) <= before + most,
        SHRINK_SECONDS,
        f"an end to all but {most} connections of callers that left",
    )
    subject.upstream.forget()
    expect_echo(subject, "behind 1,000 callers that left")


def _expect_given_up(subject: Subject, method: str, *, breaks: bool) -> None:
    subject.upstream.forget()
    subject.upstream.answer_with(never)
    body = b"" if method == "GET" else b"{}"
    with subject.connect() as connection:
        connection.send_request(COINS, FIELDS, body, method=method)
        exchange = subject.upstream.wait_for_exchange(subject.deadline)
        exchange.wait_for_body(len(body), subject.deadline)
        if breaks:
            connection.break_off()
    _expect_closed_soon(exchange, f"a caller that {'broke' if breaks else 'closed'} off {method}")


def _expect_given_up_in_the_answer(subject: Subject) -> None:
    piece = token_hex(8).encode()
    subject.upstream.forget()
    subject.upstream.answer_with(stalled(piece))
    with subject.connect() as connection:
        call = connection.send_request(USERS, [AS_SUPERVISOR], method="GET")
        call.receive_head()
        expect_equal(next(call.receive_pieces(), None), piece, "the first part")
        connection.break_off()
    _expect_closed_soon(subject.upstream.only_exchange(), "a caller that broke off an answer")


def _expect_reset_given_up(subject: Subject) -> None:
    subject.upstream.forget()
    subject.upstream.answer_with(never)
    with subject.connect_http2() as connection:
        call = connection.send_request(COINS, FIELDS, b"{}")
        exchange = subject.upstream.wait_for_exchange(subject.deadline)
        exchange.wait_for_body(2, subject.deadline)
        call.reset()
        _expect_closed_soon(exchange, "a caller that reset its stream")
        subject.upstream.forget()
        answer = ask_on(connection, "POST", COINS, JSON, body=b"next")
        expect_equal((answer.status, answer.body), (200, b"next"), "the next answer")


def _expect_closed_soon(exchange: Exchange, what: str) -> None:
    is_closed = exchange.closed.wait(GONE_SECONDS)
    expect_speed(is_closed, f"the request of {what} goes on at the service behind 1 s")


def _note_and_never_answer(arrived: Sequence[Event], exchange: Exchange, reply: Reply) -> None:
    """Note the caller of a request by the number in its query."""
    arrived[int(exchange.target.rpartition("=")[2])].set()
    never(exchange, reply)


def _leave_often(subject: Subject, arrived: Sequence[Event], callers: range) -> None:
    """Ask and leave, in order or not: at once, a moment later, or once the request has arrived.

    Whether a request arrives whose caller has left already, no rule says: a gateway may see the end
    before it has begun with the request. Those that wait make sure that some arrive, and that no more
    are ahead of the gateway than it can work off.
    """
    for turn, number in enumerate(callers):
        with subject.connect() as connection:
            connection.send_request(f"{USERS}?caller={number}", [AS_SUPERVISOR], method="GET")
            if turn % WAITS_EACH == 0:
                has_arrived = arrived[number].wait(ARRIVES_SECONDS)
                expect_speed(has_arrived, "the request of a caller that waits does not arrive")
            else:
                time.sleep(0.005 * (turn % WAITS_EACH - 1))
            if turn % 2:
                connection.break_off()
