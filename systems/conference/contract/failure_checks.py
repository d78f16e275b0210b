"""F1 to F6, and P5: the database away, frozen, locked, and back."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from loadstone.contract import declare
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.stand import Hand
from loadstone.contract.subject import Subject

from .lib.bodies import DATABASE, LISTS, SIX, expect_body, level
from .lib.clock import undisturbed
from .lib.operations import (
    AWAY_SECONDS,
    expect_all_unavailable,
    expect_unavailable,
    expect_well,
    forget,
    settle,
    wait_until_well,
    warm,
)
from .lib.problems import expect_failure
from .lib.rows import rows
from .lib.service import JSON, LIST, STARTS_SECONDS, compact, conference, get, listed

check = partial(declare.check, operation="list", needs_stand=True, seconds=120.0)

POOL_SIZE = 10
CALLERS = 12
"""More than the pool has connections: some wait for one that does not come."""
STOPPED_SECONDS = 5.0
FROZEN_SECONDS = 5.0
LOCKED_SECONDS = 3.0
RETURN_SECONDS = 3.0
BACK_SECONDS = 10.0
"""The same where it is not what a check is about."""
WELL_SECONDS = 2.0


@check("F1", "while the database is stopped each operation is 503 in time")
def stopped(subject: Subject) -> None:
    undisturbed(partial(_expect_told_while_stopped, subject))


@check("F2", "when the database returns, all is well without a restart")
def returns(subject: Subject) -> None:
    undisturbed(partial(_expect_return, subject))
    time.sleep(1.0)  # every connection is tried again each half second
    expect_well(subject, CALLERS, "a second behind it")


@check("F3", "while the database is frozen each list is 503 in time, and all is well behind it")
def frozen(subject: Subject) -> None:
    undisturbed(partial(_expect_told_while_frozen, subject, AWAY_SECONDS))


@check("F4", "while the table is locked each list is 503 in time, and all is well behind it")
def locked(subject: Subject) -> None:
    undisturbed(partial(_expect_told_while_locked, subject))


@check("F5", "when its connections are killed, no more requests fail than it has")
def killed_connections(subject: Subject) -> None:
    hand = subject.stand.dependency(DATABASE)
    with level(subject, SIX):
        expect_well(subject, CALLERS, "before it")
        for each in hand.sessions():
            hand.execute(f"KILL CONNECTION {each.id}")
        failed = 0
        for _ in range(4 * POOL_SIZE):
            answer = get(subject, LIST)
            if answer.status == 503:
                failed += 1
                expect_failure(answer, "unavailable", "list", "once its connections are killed")
            else:
                expect_body(answer.body, LISTS[SIX], "a list once its connections are killed")
        expect(failed <= POOL_SIZE, f"{failed} lists failed, with {POOL_SIZE} connections")
        time.sleep(1.0)
        expect_well(subject, CALLERS, "a second behind it")


@check("F6", "after a restart of the database every row that had its 202 is there")
def restarted_database(subject: Subject) -> None:
    hand = subject.stand.dependency(DATABASE)
    with rows(subject) as made:
        # On one connection of the caller, and the last of them just before the end.
        with subject.connect() as connection:
            for _ in range(20):
                identifier = made.new_id()
                body = compact(conference(identifier, "QCon"))
                connection.send_request(LIST, [JSON], body)
                expect_equal(connection.receive_answer().status, 202, "the status of an insert")
        hand.stop()
        hand.start()
        wait_until_well(subject, BACK_SECONDS, "on the return of the database")
        there = {row["id"] for row in listed(subject)}
        missing = set(made.made) - there
        expect(not missing, f"{len(missing)} rows that had their 202 are gone")


@check(
    "P5",
    "with a limit of 300 ms a frozen database is told of within 1 s",
    seconds=STARTS_SECONDS,
)
def short_limit(subject: Subject) -> None:
    with subject.stand.restarted({"DB_TIMEOUT_MS": "300"}) as other:
        undisturbed(partial(_expect_told_while_frozen, other, 1.0))
    settle(subject)


@contextmanager
def _stopped(subject: Subject) -> Iterator[None]:
    hand = subject.stand.dependency(DATABASE)
    hand.stop()
    try:
        yield
    finally:
        hand.start()
        settle(subject)
        forget(subject)


def _well_before(subject: Subject) -> Hand:
    """The hand on a database that the service has, and with which it is warm."""
    warm(subject, CALLERS)
    expect_well(subject, CALLERS, "before it")
    return subject.stand.dependency(DATABASE)


def _expect_told_while_stopped(subject: Subject) -> None:
    _well_before(subject)
    with _stopped(subject):
        expect_unavailable(subject, "while the database is stopped")
        expect_all_unavailable(subject, CALLERS, AWAY_SECONDS, "while the database is stopped")


def _expect_return(subject: Subject) -> None:
    hand = _well_before(subject)
    hand.stop()
    try:
        time.sleep(STOPPED_SECONDS)
        get(subject, LIST)
    finally:
        hand.start()
    wait_until_well(subject, RETURN_SECONDS, "on the return of the database")


def _expect_told_while_frozen(subject: Subject, seconds_each: float) -> None:
    hand = _well_before(subject)
    hand.freeze()
    began = time.monotonic()
    try:
        expect_all_unavailable(subject, CALLERS, seconds_each, "while the database is frozen")
        time.sleep(max(0.0, began + FROZEN_SECONDS - time.monotonic()))
    finally:
        hand.thaw()
    time.sleep(WELL_SECONDS)
    expect_well(subject, CALLERS, "2 s after the database was frozen")


def _expect_told_while_locked(subject: Subject) -> None:
    hand = _well_before(subject)
    hand.execute("LOCK TABLES conferencedb.conferences WRITE")
    began = time.monotonic()
    try:
        expect_all_unavailable(subject, CALLERS, AWAY_SECONDS, "while the table is locked")
        time.sleep(max(0.0, began + LOCKED_SECONDS - time.monotonic()))
    finally:
        hand.execute("UNLOCK TABLES")
    time.sleep(WELL_SECONDS)
    expect_well(subject, CALLERS, "2 s after the table was locked")
