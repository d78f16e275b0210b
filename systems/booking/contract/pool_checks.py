"""P2: how many connections there are."""

import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from loadstone.contract import declare
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.subject import Subject

from .lib.accounts import log_in
from .lib.database import new_sessions, sessions
from .lib.operations import expect_full_pool
from .lib.service import CLUBS, STARTS_SECONDS, get
from .lib.tokens import OWNER, caller

check = partial(declare.check, needs_stand=True, seconds=STARTS_SECONDS)

READER = caller(1, OWNER)
FULL_SECONDS = 15.0
"""A pool fills in the background, that of a cold JVM slowly."""
REST_SECONDS = 1.2
"""Two attempts to connect and more: what is opened too much is there then."""
CALLERS = 40


@check("P2", "there are as many connections as POOL_SIZE says, at rest and under load")
def pool_sizes(subject: Subject) -> None:
    for size in (1, 5, 20):
        expect_full_pool(subject, "before another process comes")  # it may still return
        before = {each.id for each in sessions(subject)}
        with subject.stand.restarted({"POOL_SIZE": str(size)}) as other:
            _wait_for(subject, before, size)
            time.sleep(REST_SECONDS)
            at_rest = new_sessions(subject, before)
            expect_equal(at_rest, size, f"connections at rest with {size}")
            with ThreadPoolExecutor(CALLERS) as pool:
                loads = [pool.submit(_ask_often, other, number) for number in range(CALLERS)]
                while not all(load.done() for load in loads):
                    there = new_sessions(subject, before)
                    expect_equal(there, size, f"connections under load with {size}")
            for load in loads:
                load.result()
            behind = new_sessions(subject, before)
            expect_equal(behind, size, f"connections behind a load with {size}")


@check("P2", "by default there are ten")
def by_default(subject: Subject) -> None:
    expect_full_pool(subject, "by default")


@check("P2", "they are the user's of DATABASE_URL, and it has no other")
def of_whom(subject: Subject) -> None:
    found = {each.user for each in sessions(subject)}
    expect_equal(found, {"booking"}, "the users of the connections")


def _wait_for(subject: Subject, before: set[int], size: int) -> None:
    began = time.monotonic()
    while (there := new_sessions(subject, before)) != size:
        waited = time.monotonic() - began
        expect(waited <= FULL_SECONDS, f"there are {there} connections, not {size}")
        time.sleep(0.05)


def _ask_often(subject: Subject, number: int) -> None:
    for _ in range(5):
        if number % 8:
            answer = get(subject, CLUBS, READER)
            allowed: tuple[int, ...] = (200, 503)
        else:
            answer = log_in(subject, "owner-1@booking.example", "no")
            allowed = (401, 503)
        expect(answer.status in allowed, f"a status under load is {answer.status}")
