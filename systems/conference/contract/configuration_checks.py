"""P1 to P3: connections, transactions and statements, as the database sees them."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial

from loadstone.contract import declare
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.stand import Session
from loadstone.contract.subject import Subject

from .lib.bodies import DATABASE
from .lib.countries import Country
from .lib.rows import rows
from .lib.service import (
    LIST,
    LIVE,
    READY,
    STARTS_SECONDS,
    WITH_COUNTRY,
    conference,
    get,
    insert,
    path_of,
    remove,
    replace,
)

check = partial(declare.check, operation="list", needs_stand=True, seconds=STARTS_SECONDS)

FULL_SECONDS = 15.0
"""A pool fills in the background, that of a cold JVM slowly."""
REST_SECONDS = 1.2
"""Two attempts to connect and more: what is opened too much is there then."""
TRANSACTION_SECONDS = 0.1
TIMES = 10
CALLERS = 40


@check("P1", "there are as many connections as POOL_SIZE says, at rest and under load")
def pool_sizes(subject: Subject) -> None:
    for size in (1, 5, 20):
        before = {each.id for each in _sessions(subject)}
        # With a long limit none is closed because it was waited for in vain.
        variables = {"POOL_SIZE": str(size), "DB_TIMEOUT_MS": "60000"}
        with subject.stand.restarted(variables) as other:
            _wait_for(subject, before, size)
            time.sleep(REST_SECONDS)
            expect_equal(_new(subject, before), size, f"connections at rest with {size}")
            with ThreadPoolExecutor(CALLERS) as pool:
                loads = [pool.submit(_list_often, other) for _ in range(CALLERS)]
                while not all(load.done() for load in loads):
                    there = _new(subject, before)
                    expect_equal(there, size, f"connections under load with {size}")
            for load in loads:
                load.result()
            expect_equal(_new(subject, before), size, f"connections behind a load with {size}")


@check("P2", "no transaction is open behind an answer", needs_upstream=True)
def no_transaction(subject: Subject) -> None:
    subject.upstream.answer_with(Country())
    with rows(subject) as made:
        identifier = made.insert()
        insert(subject, conference(identifier, "QCon"))  # 409
        replace(subject, identifier, {"name": "Strata"})
        replace(subject, made.new_id(), {"name": "Strata"})  # 404
        for target in (LIST, WITH_COUNTRY, path_of(identifier), READY, f"{LIST}?limit=3"):
            get(subject, target)
        remove(subject, identifier)
        time.sleep(TRANSACTION_SECONDS)
        opened = [each.statement for each in _sessions(subject) if each.in_transaction]
        expect(not opened, f"{len(opened)} transactions are open behind the last answer")


@check("P3", "each read is one SELECT", needs_upstream=True)
def statements_of_reads(subject: Subject) -> None:
    subject.upstream.answer_with(Country())
    with rows(subject) as made:
        targets = (LIST, WITH_COUNTRY, path_of(made.insert()), READY, f"{LIST}?limit=3")
        for target in targets:
            with _counted(subject, f"GET {target}", select=TIMES):
                for _ in range(TIMES):
                    expect_equal(get(subject, target).status, 200, f"the status of {target}")
        with _counted(subject, f"GET {LIVE} and of paths with no id"):
            for target in (LIVE, path_of("-a"), f"{LIST}?limit=0"):
                get(subject, target)


@check("P3", "each write is one statement, and a refused one none")
def statements_of_writes(subject: Subject) -> None:
    with rows(subject) as made:
        identifiers = [made.new_id() for _ in range(TIMES)]
        with _counted(subject, "insert", insert=TIMES):
            for each in identifiers:
                insert(subject, conference(each, "QCon"))
        with _counted(subject, "insert of an id that exists", insert=TIMES):
            for each in identifiers:
                insert(subject, conference(each, "Strata"))
        with _counted(subject, "replace", update=TIMES):
            for each in identifiers:
                replace(subject, each, {"name": "Strata"})
        with _counted(subject, "remove", delete=TIMES):
            for each in identifiers:
                remove(subject, each)
        with _counted(subject, "what is refused"):
            insert(subject, conference("-a", ""))
            replace(subject, identifiers[0], {"name": ""})
            remove(subject, "-a")


def _sessions(subject: Subject) -> tuple[Session, ...]:
    return subject.stand.dependency(DATABASE).sessions()


def _new(subject: Subject, before: set[int]) -> int:
    """How many connections there are that were not there before: those of another process."""
    return sum(each.id not in before for each in _sessions(subject))


def _wait_for(subject: Subject, before: set[int], size: int) -> None:
    began = time.monotonic()
    while (there := _new(subject, before)) != size:
        waited = time.monotonic() - began
        expect(waited <= FULL_SECONDS, f"there are {there} connections, not {size}")
        time.sleep(0.05)


def _list_often(subject: Subject) -> None:
    for _ in range(5):
        answer = get(subject, LIST)
        expect(answer.status in (200, 503), f"a status under load is {answer.status}")


@contextmanager
def _counted(subject: Subject, what: str, **wanted: int) -> Iterator[None]:
    """Expect that so many statements of each kind are made in the block, and none of another."""
    hand = subject.stand.dependency(DATABASE)
    before = hand.work()
    yield
    work = hand.work().minus(before)
    kinds = ("select", "insert", "update", "delete")
    seen = {kind: getattr(work, kind) for kind in kinds}
    expect_equal(seen, dict.fromkeys(kinds, 0) | wanted, f"the statements of {TIMES} times {what}")
