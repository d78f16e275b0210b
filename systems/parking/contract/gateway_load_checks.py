"""G19, G20 and G27: what callers see under load, while instances are killed and without that."""

import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from statistics import fmean
from typing import NamedTuple

from loadstone.contract import declare
from loadstone.contract.exchange import Exchange, Reply
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.faults import ServiceFault
from loadstone.contract.scripts import echo, fixed
from loadstone.contract.subject import Subject

from .lib.clock import expect_speed, undisturbed, wait_until
from .lib.gateway_instances import (
    Registered,
    answer_all,
    arrived,
    forget,
    gateway_before,
    recorders,
    warm,
)
from .lib.gateway_load import failures, offered
from .lib.gateway_service import (
    COINS,
    REGISTRY,
    SEED,
    STARTS_SECONDS,
    USERS,
    ask,
    ask_on,
    get,
    settle,
)
from .lib.objects import JSON
from .lib.registry_requests import registry_at

check = partial(declare.check, needs_upstream=True, needs_stand=True, seconds=STARTS_SECONDS)

RATE = 50.0
BEFORE_SECONDS = 2.0
GONE_SECONDS = 10.0
WATCHED_SECONDS = 3.0
KILLED_SECONDS = 3.0
NUMBER = "X-Number"
LEAST_SERVED = 0.8

USERS_AT_ONCE = 100
WINDOW_SECONDS = 30.0
RAMP_SECONDS = 1.0
PAUSE_SECONDS = 1.0
MOST_OFF = 0.05
MOST_MEMORY_BYTES = 512 << 20


class _Turn(NamedTuple):
    """One request of a user, and the pause behind it."""

    ended_seconds: float
    response_seconds: float
    pause_seconds: float
    status: int | None


@check("G19", "one of three is killed under 50 GETs a second: none fails, and it is left alone")
def gets_through_a_kill(subject: Subject) -> None:
    undisturbed(partial(_expect_none_fails, subject), 2)


@check("G20", "POSTs through that arrive at most once each, and fail by 502 or 503 alone")
def posts_through_a_kill(subject: Subject) -> None:
    with recorders(subject, 3) as instances, gateway_before(subject, instances) as other:
        answer_all(instances, _slow)
        with offered(
            RATE, lambda number: ask(other, "POST", COINS, (NUMBER, str(number)), body=b"{}")
        ) as found:
            for each in instances[:2]:
                time.sleep(BEFORE_SECONDS)
                with each.killed():
                    time.sleep(KILLED_SECONDS)
            time.sleep(BEFORE_SECONDS)
        failed = failures(found, 200, 502, 503)
        expect(not failed, f"{len(failed)} of {len(found)} fail otherwise, such as {failed[:2]}")
        numbers = [
            value
            for each in instances
            for exchange in each.exchanges
            for value in exchange.head.values(NUMBER)
        ]
        twice = sorted({value for value in numbers if numbers.count(value) > 1})
        expect_equal(twice, [], "the POSTs that arrived more than once")
        served = [str(each.number) for each in found if each.status == 200]
        expect(set(served) <= set(numbers), "a POST was served that did not arrive")
        expect(
            len(served) >= LEAST_SERVED * len(found), f"{len(served)} of {len(found)} are served"
        )


@check("G27", "100 users with pauses of 1 s: none stays unanswered, by Little's law")
def many_users(subject: Subject) -> None:
    try:
        undisturbed(partial(_expect_every_user_served, subject), 2)
        used = subject.process.rss_bytes()
        expect(used <= MOST_MEMORY_BYTES, f"it uses {used / (1 << 20):.0f} MB behind 100 users")
    finally:
        settle(subject)


def _slow(exchange: Exchange, reply: Reply) -> None:
    """Echo, a moment later: so there are requests in flight at any time."""
    time.sleep(0.1)
    echo(exchange, reply)


def _expect_none_fails(subject: Subject) -> None:
    registry = registry_at(subject.stand.url_of(REGISTRY))
    with recorders(subject, 3) as instances, ExitStack() as there:
        registered = [there.enter_context(Registered(registry, each)) for each in instances]
        with subject.stand.restarted({"REGISTRY": "eureka"}, unready=True) as other:
            warm(other, "with three instances at the registry")

            def have_all_traffic() -> bool:
                forget(instances)
                for _ in range(6):
                    get(other)
                return min(arrived(instances)) > 0

            wait_until(have_all_traffic, 10.0, "traffic on three instances")
            answer_all(instances, _slow)
            first = instances[0]
            with offered(RATE, lambda _: get(other)) as found:
                time.sleep(BEFORE_SECONDS)
                registered[0].fall_silent()
                with first.killed():
                    time.sleep(GONE_SECONDS)
                    before = first.connections_opened
                # It listens again, so that an attempt would be seen; the registry does not know it.
                time.sleep(WATCHED_SECONDS)
                attempts = first.connections_opened - before
            failed = failures(found, 200)
            expect(not failed, f"{len(failed)} of {len(found)} GETs fail, such as {failed[:2]}")
            shown = f"{attempts} attempts on an instance that was killed 10 s before"
            expect_speed(attempts == 0, shown)
            late = [each for each in found if each.seconds > PAUSE_SECONDS]
            expect_speed(
                len(late) <= len(found) // 50, f"{len(late)} of {len(found)} took over 1 s"
            )


def _expect_every_user_served(subject: Subject) -> None:
    subject.upstream.answer_with(fixed(200, [JSON], SEED.read_bytes()))
    began = time.monotonic()
    ends = began + RAMP_SECONDS + WINDOW_SECONDS
    with ThreadPoolExecutor(USERS_AT_ONCE) as pool:
        users = [
            pool.submit(_use, subject, began + RAMP_SECONDS * number / USERS_AT_ONCE, ends)
            for number in range(USERS_AT_ONCE)
        ]
        turns = [turn for each in users for turn in each.result()]
    failed = [each for each in turns if each.status != 200]
    expect(not failed, f"{len(failed)} of {len(turns)} are not 200, such as {failed[:1]}")
    counted = [each for each in turns if began + RAMP_SECONDS <= each.ended_seconds < ends]
    expect(bool(counted), "no request ended in 30 s")
    throughput = len(counted) / WINDOW_SECONDS
    response = fmean(each.response_seconds for each in counted)
    pause = fmean(each.pause_seconds for each in counted)
    by_law = throughput * (pause + response)
    shown = f"X (Z + R) is {by_law:.1f} of {USERS_AT_ONCE} users, R {response * 1000:.0f} ms"
    expect_speed(abs(USERS_AT_ONCE - by_law) <= MOST_OFF * USERS_AT_ONCE, shown)


def _use(subject: Subject, begins_seconds: float, ends_seconds: float) -> list[_Turn]:
    """Ask and pause again and again on one connection, until the end."""
    time.sleep(max(0.0, begins_seconds - time.monotonic()))
    turns: list[_Turn] = []
    try:
        with subject.connect() as connection:
            while (asked := time.monotonic()) < ends_seconds:
                status = ask_on(connection, "GET", USERS).status
                answered = time.monotonic()
                time.sleep(PAUSE_SECONDS)
                pause = time.monotonic() - answered
                turns.append(_Turn(answered, answered - asked, pause, status))
    except (OSError, ServiceFault):
        turns.append(_Turn(time.monotonic(), 0.0, 0.0, None))
    return turns
