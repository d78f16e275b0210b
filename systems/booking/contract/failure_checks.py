"""F1 to F4, F6 and F9: the database away, frozen, locked, and back."""

import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial

from loadstone.contract import declare
from loadstone.contract.client import Answer
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.subject import Subject

from .lib.at_once import at_once, timed
from .lib.clock import expect_speed, undisturbed
from .lib.clubs import facility_path
from .lib.database import locked, sessions, wait_for_sessions, wait_for_statements
from .lib.operations import (
    AWAY_SECONDS,
    CALLERS,
    RETURN_SECONDS,
    SETTLE_SECONDS,
    expect_full_pool,
    expect_unavailable,
    expect_well,
    operations,
    settle,
    wait_until_well,
    warm,
)
from .lib.pages import all_pages, ids
from .lib.problems import expect_problem
from .lib.scenes import new_scene
from .lib.service import (
    CLUBS,
    DATABASE,
    JSON,
    POOL_SIZE,
    RESERVATIONS,
    STARTS_SECONDS,
    bearer,
    compact,
    expect_status,
    get,
)
from .lib.shapes import CLUB, RESERVATION, object_of, page_of, value_of
from .lib.tokens import OWNER, caller

check = partial(declare.check, needs_stand=True, seconds=120.0)

READER = caller(1, OWNER)
STOPPED_SECONDS = 5.0
FROZEN_SECONDS = 5.0
LOCKED_SECONDS = 3.0
REFILLED_SECONDS = 5.0
"""Each connection is tried again every 500 ms, and the machine may be busy."""
ROWS = 20
IN_A_ROW = 4 * POOL_SIZE
WAIT_MS = 300
LONG_WAIT_MS = 10_000
LEAST_SECONDS, MOST_SECONDS = 0.25, 0.9
NEEDING = ("list-facilities", "get-facility", "list-slots", "reserve", "list-ratings", "accept")

Calls = Mapping[str, Callable[[], Answer]]


@check("F1", "while the database is stopped each operation is 503 in time")
def stopped(subject: Subject) -> None:
    undisturbed(partial(_expect_told_while_stopped, subject, operations(new_scene(subject))))


@check("F1", "what needs no database is answered as ever while it is stopped")
def without_database(subject: Subject) -> None:
    with _stopped(subject):
        when = "while the database is stopped"
        expect_problem(get(subject, CLUBS), "unauthenticated", when)
        expect_problem(get(subject, "/nothing"), "not-found", when)
        expect_problem(get(subject, f"{CLUBS}?limit=0", READER), "malformed", when)
        answer = subject.ask(CLUBS, [bearer(READER.token), JSON], b"{")
        expect_problem(answer, "malformed", when)
        answer = subject.ask(RESERVATIONS, [bearer(READER.token), JSON], b"{}")
        expect_problem(answer, "forbidden", when)


@check("F2", "when the database returns all is well in time, with a full pool and no restart")
def returns(subject: Subject) -> None:
    scene = new_scene(subject)
    undisturbed(partial(_expect_return, subject))
    scene.rated(scene.reserved()["id"], 5)


@check("F3", "while the database is frozen each operation is 503 in time, and then all is well")
def frozen(subject: Subject) -> None:
    undisturbed(partial(_expect_told_while_frozen, subject, operations(new_scene(subject))))
    when = "behind a frozen database"
    _expect_right_answers(subject, when)
    expect_well(subject, f"{when}, later")


@check("F3", "what was asked of a frozen database is not answered to somebody else")
def answers_of_others(subject: Subject) -> None:
    scene, hand = new_scene(subject), subject.stand.dependency(DATABASE)
    facility = facility_path(scene.facility)
    expect_well(subject, "before it")
    with ThreadPoolExecutor(CALLERS) as pool:
        hand.freeze()
        try:
            asked = [pool.submit(get, subject, facility, scene.owner) for _ in range(CALLERS)]
            for each in asked:
                expect_problem(each.result(), "unavailable", "of a frozen database")
        finally:
            hand.thaw()
    settle(subject)
    _expect_right_answers(subject, "behind a frozen database")


@check("F4", "when all its connections are killed, no more requests fail than it has")
def killed_connections(subject: Subject) -> None:
    scene = new_scene(subject)
    expect_well(subject, "before it")
    expect_full_pool(subject, "before it")
    facility = facility_path(scene.facility)
    whole = get(subject, facility, scene.owner).body
    _kill_connections(subject)
    failed = 0
    for _ in range(IN_A_ROW):
        answer = get(subject, facility, scene.owner)
        if answer.status == 503:
            failed += 1
            expect_problem(answer, "unavailable", "once its connections are killed")
        else:
            expect_equal(
                (answer.status, answer.body), (200, whole), "once its connections are killed"
            )
    expect(failed <= POOL_SIZE, f"{failed} requests failed, with {POOL_SIZE} connections")
    wait_for_sessions(subject, POOL_SIZE, REFILLED_SECONDS, "behind it")
    expect_well(subject, "behind it")


@check("F4", "a pool whose connections are killed is full again, of new ones")
def refilled(subject: Subject) -> None:
    expect_well(subject, "before it")
    before = {each.id for each in sessions(subject)}
    _kill_connections(subject)
    # One that nobody uses may be noticed when it is used, and no later.
    at_once([partial(get, subject, CLUBS, READER)] * CALLERS)
    wait_for_sessions(subject, POOL_SIZE, REFILLED_SECONDS, "once all were killed")
    kept = before & {each.id for each in sessions(subject)}
    expect_equal(len(kept), 0, "the connections that were killed and are there")
    expect_well(subject, "behind it")


@check("F4", "a request whose connection is killed under it is 503, and others are not")
def killed_in_use(subject: Subject) -> None:
    hand = subject.stand.dependency(DATABASE)
    kills = {"killed": "pg_terminate_backend", "cancelled": "pg_cancel_backend"}
    for what, function in kills.items():
        with ThreadPoolExecutor(1) as pool:
            with locked(subject, "club"):
                asked = pool.submit(timed, partial(get, subject, CLUBS, READER))
                (waiting, *_) = wait_for_statements(subject, 1)
                hand.execute(f"SELECT {function}({waiting.id})")
                answer, seconds = asked.result()
            expect_problem(answer, "unavailable", f"of a request whose statement is {what}")
            expect(seconds <= AWAY_SECONDS, f"it took {seconds:.1f} s")
        page_of(get(subject, CLUBS, READER), CLUB, "a list behind it")
        wait_for_sessions(subject, POOL_SIZE, REFILLED_SECONDS, f"once one was {what}")


@check("F6", "after a restart of the database every row that had its 201 is there")
def restarted_database(subject: Subject) -> None:
    scene = new_scene(subject)
    hand = subject.stand.dependency(DATABASE)
    kept: list[int] = []
    # On one connection of the caller, and the last of them just before the end.
    with subject.connect() as connection:
        for _ in range(ROWS):
            body = compact({"facility_id": scene.facility, "starts_at": scene.slot()})
            connection.send_request(RESERVATIONS, [bearer(scene.player.token), JSON], body)
            answer = connection.receive_answer()
            kept.append(object_of(answer, 201, RESERVATION, "a reservation")["id"])
    hand.stop()
    hand.start()
    wait_until_well(subject, SETTLE_SECONDS, "on the return of the database")
    there = ids(all_pages(subject, RESERVATIONS, scene.owner, RESERVATION), RESERVATION)
    expect_equal(there, kept[::-1], "the rows that had their 201")


@check("F9", "while a table is locked, what needs it is 503 in time, and all is well then")
def locked_table(subject: Subject) -> None:
    calls = operations(new_scene(subject))
    undisturbed(partial(_expect_told_while_locked, subject, calls))
    expect_well(subject, "once it is not locked")
    for operation in NEEDING:
        expect(calls[operation]().status < 300, f"{operation} fails once it is not locked")
    wait_for_sessions(subject, POOL_SIZE, REFILLED_SECONDS, "once it is not locked")


@check(
    "F9",
    "the wait for a connection of the pool has the limit that POOL_WAIT_MS says",
    seconds=STARTS_SECONDS,
)
def waits_for_the_pool(subject: Subject) -> None:
    facility = facility_path(1)
    with subject.stand.restarted({"POOL_SIZE": "1", "POOL_WAIT_MS": str(WAIT_MS)}) as other:
        value_of(get(other, facility, READER), 200, "a facility")
        undisturbed(partial(_expect_limited_wait, other, facility))
        expect_status(get(other, CLUBS, READER), 200, "a list behind it")
    with subject.stand.restarted({"POOL_SIZE": "1", "POOL_WAIT_MS": str(LONG_WAIT_MS)}) as other:
        value_of(get(other, facility, READER), 200, "a facility")
        with ThreadPoolExecutor(2) as pool, locked(subject, "facility"):
            asked = [pool.submit(get, other, facility, READER) for _ in range(2)]
            # The first has the connection for a second, until its wait for the table is over.
            wait_for_statements(subject, 1, within="facility")
            answer = get(other, CLUBS, READER)
            page_of(answer, CLUB, "a list that waited for its connection")
            for each in asked:
                expect_problem(each.result(), "unavailable", "of one that has the connection")


@contextmanager
def _stopped(subject: Subject) -> Iterator[None]:
    hand = subject.stand.dependency(DATABASE)
    hand.stop()
    try:
        yield
    finally:
        hand.start()
        settle(subject)


def _whole_before(subject: Subject) -> dict[str, Callable[[], Answer]]:
    """Lists of more callers than the pool has connections, once it has all of them and is warm."""
    warm(subject, CALLERS)
    expect_well(subject, "before it")
    expect_full_pool(subject, "before it")
    return {f"list {number}": partial(get, subject, CLUBS, READER) for number in range(CALLERS)}


def _expect_told_while_stopped(subject: Subject, calls: Calls) -> None:
    lists, when = _whole_before(subject), "while the database is stopped"
    with _stopped(subject):
        expect_unavailable(subject, calls, AWAY_SECONDS, when)
        # What has seen it go is no wiser than what comes later.
        expect_unavailable(subject, lists, AWAY_SECONDS, f"{when}, later")


def _expect_return(subject: Subject) -> None:
    lists, when = _whole_before(subject), "on the return of the database"
    hand = subject.stand.dependency(DATABASE)
    hand.stop()
    try:
        time.sleep(STOPPED_SECONDS)
        at_once(list(lists.values()))
    finally:
        hand.start()
    wait_until_well(subject, RETURN_SECONDS, when)
    expect_full_pool(subject, when)
    expect_well(subject, when)


def _expect_told_while_frozen(subject: Subject, calls: Calls) -> None:
    lists, when = _whole_before(subject), "behind a frozen database"
    hand = subject.stand.dependency(DATABASE)
    hand.freeze()
    began = time.monotonic()
    try:
        expect_unavailable(subject, calls, AWAY_SECONDS, "while the database is frozen")
        expect_unavailable(subject, lists, AWAY_SECONDS, "while the database is frozen, later")
        time.sleep(max(0.0, began + FROZEN_SECONDS - time.monotonic()))
    finally:
        hand.thaw()
    wait_until_well(subject, RETURN_SECONDS, when)
    # Connections whose state was not known are gone, also those that the server still had.
    expect_full_pool(subject, when)
    expect_well(subject, when)


def _expect_told_while_locked(subject: Subject, calls: Calls) -> None:
    _whole_before(subject)
    began, when = time.monotonic(), "while a table is locked"
    with locked(subject, "facility"):
        needs = {operation: calls[operation] for operation in NEEDING}
        expect_unavailable(subject, needs, AWAY_SECONDS, when)
        page_of(get(subject, CLUBS, READER), CLUB, f"a list of another table {when}")
        many = {f"get {number}": calls["get-facility"] for number in range(CALLERS)}
        expect_unavailable(subject, many, AWAY_SECONDS, f"{when}, of more than the pool has")
        time.sleep(max(0.0, began + LOCKED_SECONDS - time.monotonic()))
    wait_until_well(subject, RETURN_SECONDS, "once it is not locked")


def _expect_limited_wait(subject: Subject, facility: str) -> None:
    with ThreadPoolExecutor(1) as pool, locked(subject, "facility"):
        first = pool.submit(get, subject, facility, READER)
        wait_for_statements(subject, 1, within="facility")
        answer, seconds = timed(partial(get, subject, CLUBS, READER))
        # After a second the first one gives up the table, and its connection.
        expect_speed(answer.status != 200, "a request that had to wait too long was served")
        expect_problem(answer, "unavailable", "of a request that has no connection")
        expect(seconds >= LEAST_SECONDS, f"it waited for {seconds:.2f} s")
        expect_speed(seconds <= MOST_SECONDS, f"it waited for {seconds:.2f} s")
        expect_problem(first.result(), "unavailable", "of the one that has it")


def _kill_connections(subject: Subject) -> None:
    hand = subject.stand.dependency(DATABASE)
    for each in sessions(subject):
        hand.execute(f"SELECT pg_terminate_backend({each.id})")


def _expect_right_answers(subject: Subject, when: str) -> None:
    """Expect of each connection the answer to what it is asked now."""
    for number in range(1, 4 * POOL_SIZE + 1):
        club = 1 + number % 20
        answer = get(subject, f"{CLUBS}/{club}", READER)
        object_of(answer, 200, CLUB, f"club {club} {when}", id=club)
