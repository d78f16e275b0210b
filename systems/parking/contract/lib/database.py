"""The database behind `users`: its connections, its locks, and what it was asked."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from loadstone.contract.expect import expect_equal
from loadstone.contract.stand import Hand, Session
from loadstone.contract.subject import Subject
from loadstone.results.database_work import DatabaseWork

from .clock import expect_speed

DATABASE: Final = "database"
LEVEL: Final = "s"
"""The one level of the seed."""
KINDS: Final = ("select", "insert", "update", "delete", "other_commands")
TRANSACTION: Final = 2
"""BEGIN and COMMIT, or what else ends it."""

_POLL_SECONDS = 0.005
_WAIT_SECONDS = 5.0
_AT_REST_SECONDS = 1.0
"""Until a connection whose result has come is seen to be at rest; one that is held stays as it is."""


def hand_of(subject: Subject) -> Hand:
    """The check's hand on the database."""
    return subject.stand.dependency(DATABASE)


def sessions(subject: Subject) -> tuple[Session, ...]:
    """The connections of all services."""
    return hand_of(subject).sessions()


def new_sessions(subject: Subject, before: set[int]) -> int:
    """How many connections there are that were not there before: those of another process."""
    return sum(each.id not in before for each in sessions(subject))


def wait_for_sessions(subject: Subject, count: int, seconds: float, when: str) -> None:
    """Expect exactly so many connections within a time."""
    began = time.monotonic()
    while (there := len(sessions(subject))) != count:
        waited = time.monotonic() - began
        expect_speed(waited <= seconds, f"there are {there} connections, not {count}, {when}")
        time.sleep(10 * _POLL_SECONDS)


def expect_at_rest(subject: Subject) -> None:
    """Expect that no connection is in use."""
    end = time.monotonic() + _AT_REST_SECONDS
    while (busy := _in_use(subject)) and time.monotonic() < end:
        time.sleep(_POLL_SECONDS)
    expect_equal(busy, 0, "the connections of the pool that are in use")


@contextmanager
def locked(subject: Subject, table: str) -> Iterator[None]:
    """Nobody else can use a table for the length of the block."""
    hand = hand_of(subject)
    hand.execute("BEGIN")
    try:
        hand.execute(f"LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE")
        yield
    finally:
        hand.execute("ROLLBACK")


def wait_for_statements(subject: Subject, count: int, *, within: str = "") -> list[Session]:
    """Wait until so many statements of services, with this in their text, are under way."""
    end = time.monotonic() + _WAIT_SECONDS
    while True:
        found = [
            each
            for each in sessions(subject)
            if each.statement is not None and within in each.statement.lower()
        ]
        if len(found) >= count:
            return found
        seen = f"{len(found)} statements are under way, not {count}"
        expect_speed(time.monotonic() < end, seen)
        time.sleep(_POLL_SECONDS)


@contextmanager
def counted(subject: Subject, what: str, times: int = 1, **wanted: int) -> Iterator[None]:
    """Expect so many statements of each kind in the block, `times` over, and none of another kind.

    No connection is made either: a pool that made one for each request would hide behind its own.
    """
    before = work_now(subject)
    yield
    work = work_now(subject).minus(before)
    all_wanted = {kind: times * wanted.get(kind, 0) for kind in KINDS}
    expect_equal(by_kind(work), all_wanted, f"the statements of {times} times {what}")
    expect_equal(work.connections, 0, f"the connections that were made for {times} times {what}")


def work_now(subject: Subject) -> DatabaseWork:
    """What was asked of the database since it was started."""
    return hand_of(subject).work()


def by_kind(work: DatabaseWork) -> dict[str, int]:
    """How many statements of each kind there were."""
    return {kind: getattr(work, kind) for kind in KINDS}


def _in_use(subject: Subject) -> int:
    return sum(each.command != "idle" or each.in_transaction for each in sessions(subject))
