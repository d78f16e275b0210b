"""U25 and U41: how many connections there are, and many callers at once."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from loadstone.contract import declare
from loadstone.contract.client import Answer
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.subject import Subject

from .lib.at_once import at_once
from .lib.clock import wait_until
from .lib.database import new_sessions, sessions
from .lib.objects import list_of
from .lib.problems import expect_problem
from .lib.shapes import USER
from .lib.users_accounts import SEED_EMAILS, create, log_in, new_plate
from .lib.users_coins import debit, grant
from .lib.users_operations import expect_full_pool, expect_well, settle, warm
from .lib.users_rows import put_customer
from .lib.users_service import (
    MANY_SECONDS,
    SERVICE,
    STARTS_SECONDS,
    get_user,
    list_users,
    set_payment_method,
)
from .lib.users_vehicles import put_vehicle, vehicles

check = partial(declare.check, service=SERVICE, needs_stand=True, seconds=STARTS_SECONDS)

ALL = 200
HASHES = 20
"""So many of all need a hash, which a slow core computes in a third of a second."""
FULL_SECONDS = 15.0
"""A pool fills in the background, that of a cold JVM slowly."""
REST_SECONDS = 1.2
"""Two attempts to connect and more: what is opened too much is there then."""
CALLERS = 40
SIZES = (1, 5, 20)


@check("U25", "200 at once on a pool of 10 are all answered, and then all is well")
def many_at_once(subject: Subject) -> None:
    owner = put_customer(subject, vehicles=1, coins=3)
    plates = [new_plate() for _ in range(8)]
    kinds: tuple[Callable[[], Answer], ...] = (
        partial(list_users, subject),
        partial(grant, subject, [owner.id]),
        partial(get_user, subject, owner.id),
        partial(debit, subject, owner.id),
        partial(list_users, subject),
        partial(set_payment_method, subject, owner, "CREDIT"),
        partial(grant, subject, [owner.id], -1_000_000),
    )
    calls = [kinds[number % len(kinds)] for number in range(ALL - HASHES - len(plates))]
    calls += [partial(put_vehicle, subject, owner, plate) for plate in plates]
    calls += [partial(create, subject), partial(log_in, subject, SEED_EMAILS[4])] * (HASHES // 2)
    warm(subject)
    answers = at_once(calls)
    expect_equal(len(answers), ALL, "the number of answers")
    for answer in answers:
        if answer.status == 503:
            expect_problem(answer, "unavailable", "beside 199 others")
        else:
            expect(answer.status in (200, 201, 409), f"a status is {answer.status}")
    settle(subject)  # a connection that was too slow among so many is opened anew
    expect_full_pool(subject, "behind 200 at once")
    for _ in range(10):
        list_of(list_users(subject), USER, "a list behind them")
    expect(len(vehicles(subject, owner)) <= 3, "there are more than three vehicles")
    expect_well(subject, "behind 200 at once")


@check("U41", "there are as many connections as POOL_SIZE says, at rest and under load")
def pool_sizes(subject: Subject) -> None:
    for size in SIZES:
        expect_full_pool(subject, "before another process comes")  # it may still return
        before = {each.id for each in sessions(subject)}
        with subject.stand.restarted({"POOL_SIZE": str(size)}) as other:
            what = f"connections with {size}"
            wait_until(_is_size(subject, before, size), FULL_SECONDS, f"{size} connections")
            time.sleep(REST_SECONDS)
            expect_equal(new_sessions(subject, before), size, f"{what}, at rest")
            with ThreadPoolExecutor(CALLERS) as pool:
                loads = [pool.submit(_ask_often, other, number) for number in range(CALLERS)]
                while not all(load.done() for load in loads):
                    expect_equal(new_sessions(subject, before), size, f"{what}, under load")
            for load in loads:
                load.result()
            expect_equal(new_sessions(subject, before), size, f"{what}, behind a load")


@check("U41", "by default there are ten, of the user of DATABASE_URL", seconds=MANY_SECONDS)
def by_default(subject: Subject) -> None:
    expect_full_pool(subject, "by default")
    found = {each.user for each in sessions(subject)}
    expect_equal(found, {"park"}, "the users of the connections")


def _is_size(subject: Subject, before: set[int], size: int) -> Callable[[], bool]:
    return lambda: new_sessions(subject, before) == size


def _ask_often(subject: Subject, number: int) -> None:
    for turn in range(5):
        if number % 8 or turn:
            answer = list_users(subject)
            allowed: tuple[int, ...] = (200, 503)
        else:
            answer = log_in(subject, SEED_EMAILS[4], "no")
            allowed = (401, 503)
        expect(answer.status in allowed, f"a status under load is {answer.status}")
