"""U24, U43, U44 and U46: the database away, frozen, its connections killed, its tables locked."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial

from loadstone.contract import declare
from loadstone.contract.client import Answer
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.subject import Subject

from .lib.at_once import at_once, timed
from .lib.clock import expect_speed, undisturbed
from .lib.database import (
    hand_of,
    locked,
    sessions,
    wait_for_sessions,
    wait_for_statements,
)
from .lib.objects import JSON, expect_status, object_of
from .lib.problems import expect_problem
from .lib.shapes import USER
from .lib.users_accounts import new_plate
from .lib.users_operations import (
    CALLERS,
    RETURN_SECONDS,
    Calls,
    expect_full_pool,
    expect_unavailable,
    expect_well,
    operations,
    settle,
    wait_until_well,
    warm,
)
from .lib.users_rows import put_customer, put_customers
from .lib.users_service import (
    BRAM,
    LOGIN,
    POOL_SIZE,
    SERVICE,
    STARTS_SECONDS,
    SUPERVISOR,
    USERS,
    ask,
    get,
    get_user,
    list_users,
)
from .lib.users_vehicles import put_vehicle

check = partial(declare.check, service=SERVICE, needs_stand=True, seconds=STARTS_SECONDS)

AWAY_SECONDS = 3.0
"""2 s, and one more for a machine that is busy with some twenty callers."""
FROZEN_SECONDS = 5.0
"""4 s, and one more, for what is frozen or locked; for so long it stays so."""
STOPPED_SECONDS = 4.0
LOCKED_SECONDS = 3.0
IN_A_ROW = 4 * POOL_SIZE
NEEDING = ("list-users", "get-user", "vehicles", "put-vehicle", "set-status")
"""What needs the table of vehicles."""


@check("U24", "while the database is stopped each operation is 503 in time")
def stopped(subject: Subject) -> None:
    undisturbed(partial(_expect_told_while_stopped, subject, _calls(subject)))


@check("U24", "what needs no database is answered as ever while it is stopped")
def without_database(subject: Subject) -> None:
    with _stopped(subject):
        when = "while the database is stopped"
        expect_problem(get(subject, USERS), "token-missing", when)
        expect_problem(get(subject, "/nothing"), "not-found", when)
        expect_problem(list_users(subject, BRAM), "forbidden", when)
        expect_problem(ask(subject, "PATCH", USERS), "method-not-allowed", when)
        answer = ask(subject, "POST", LOGIN, None, JSON, body=b"{")
        expect_problem(answer, "malformed", when)


@check("U24", "when the database returns all is well in time, with a full pool and no restart")
def returns(subject: Subject) -> None:
    calls = _calls(subject)
    undisturbed(partial(_expect_return, subject))
    for operation, call in calls.items():
        expect(call().status < 300, f"{operation} fails behind the return of the database")


@check("U24", "every row that had its 2xx is there behind the return of the database")
def kept_rows(subject: Subject) -> None:
    owner = put_customer(subject)
    plates = [new_plate() for _ in range(3)]
    for plate in plates:
        expect_status(put_vehicle(subject, owner, plate), 201, "a vehicle")
    with _stopped(subject):
        pass
    user = object_of(get_user(subject, owner.id), 200, USER, "the user behind it")
    there = [each["licensePlateNumber"] for each in user["vehicles"]]
    expect_equal(there, sorted(plates), "the plates behind it")


@check("U43", "while the database is frozen each operation is 503 in time, and then all is well")
def frozen(subject: Subject) -> None:
    undisturbed(partial(_expect_told_while_frozen, subject, _calls(subject)))
    _expect_right_answers(subject, "behind a frozen database")
    expect_well(subject, "behind a frozen database, later")


@check("U43", "what was asked of a frozen database is not answered to somebody else")
def answers_of_others(subject: Subject) -> None:
    _expect_whole(subject)
    hand = hand_of(subject)
    with ThreadPoolExecutor(CALLERS) as pool:
        hand.freeze()
        try:
            asked = [pool.submit(get_user, subject, 1 + number % 6) for number in range(CALLERS)]
            for each in asked:
                expect_problem(each.result(), "unavailable", "of a frozen database")
        finally:
            hand.thaw()
    settle(subject)
    _expect_right_answers(subject, "behind a frozen database")


@check("U44", "when all its connections are killed, no more requests fail than it has")
def killed_connections(subject: Subject) -> None:
    _expect_whole(subject)
    whole = get_user(subject, BRAM.id).body
    _kill_connections(subject)
    failed = 0
    for _ in range(IN_A_ROW):
        answer = get_user(subject, BRAM.id)
        if answer.status == 503:
            failed += 1
            expect_problem(answer, "unavailable", "once its connections are killed")
        else:
            seen = answer.status, answer.body
            expect_equal(seen, (200, whole), "a user once its connections are killed")
    expect(failed <= POOL_SIZE, f"{failed} requests failed, with {POOL_SIZE} connections")
    wait_for_sessions(subject, POOL_SIZE, RETURN_SECONDS, "once all were killed")
    expect_well(subject, "once all were killed")


@check("U44", "a pool whose connections are killed is full again, of new ones")
def refilled(subject: Subject) -> None:
    _expect_whole(subject)
    before = {each.id for each in sessions(subject)}
    _kill_connections(subject)
    # One that nobody uses may be noticed when it is used, and no later.
    at_once([partial(list_users, subject)] * CALLERS)
    wait_for_sessions(subject, POOL_SIZE, RETURN_SECONDS, "once all were killed")
    kept = before & {each.id for each in sessions(subject)}
    expect_equal(len(kept), 0, "the connections that were killed and are there")
    expect_well(subject, "once all were killed")


@check("U44", "a request whose connection is killed under it is 503, and others are not")
def killed_in_use(subject: Subject) -> None:
    undisturbed(partial(_expect_killed_in_use, subject))


@check("U46", "while a table is locked, what needs it is 503 in time, and all is well then")
def locked_table(subject: Subject) -> None:
    calls = _calls(subject)
    undisturbed(partial(_expect_told_while_locked, subject, calls))
    expect_well(subject, "once it is not locked")
    for operation in NEEDING:
        expect(calls[operation]().status < 300, f"{operation} fails once it is not locked")
    expect_full_pool(subject, "once it is not locked")


@check("U46", "a row that another holds makes those wait that need it, and nobody else")
def locked_row(subject: Subject) -> None:
    undisturbed(partial(_expect_told_while_a_row_is_locked, subject))


def _calls(subject: Subject) -> dict[str, Callable[[], Answer]]:
    """One of each operation, on a customer of its own."""
    owner, plate = put_customer(subject, coins=5), new_plate()
    expect_status(put_vehicle(subject, owner, plate), 201, "a vehicle")
    return operations(subject, owner, plate)


@contextmanager
def _stopped(subject: Subject) -> Iterator[None]:
    hand = hand_of(subject)
    hand.stop()
    try:
        yield
    finally:
        hand.start()
        settle(subject)
        warm(subject, CALLERS)


def _expect_whole(subject: Subject) -> None:
    """Expect that the service is warm, has all of its connections, and is well."""
    warm(subject, CALLERS)
    expect_full_pool(subject, "before it")
    expect_well(subject, "before it")


def _lists(subject: Subject) -> dict[str, Callable[[], Answer]]:
    """Lists of more callers than the pool has connections."""
    return {f"list {number}": partial(list_users, subject) for number in range(CALLERS)}


def _expect_told_while_stopped(subject: Subject, calls: Calls) -> None:
    _expect_whole(subject)
    when = "while the database is stopped"
    with _stopped(subject):
        expect_unavailable(subject, calls, AWAY_SECONDS, when)
        # What has seen it go is no wiser than what comes later.
        expect_unavailable(subject, _lists(subject), AWAY_SECONDS, f"{when}, later")


def _expect_return(subject: Subject) -> None:
    _expect_whole(subject)
    hand, when = hand_of(subject), "on the return of the database"
    hand.stop()
    try:
        time.sleep(STOPPED_SECONDS)
        at_once(list(_lists(subject).values()))
    finally:
        hand.start()
    wait_until_well(subject, RETURN_SECONDS, when)
    expect_full_pool(subject, when)
    expect_well(subject, when)


def _expect_told_while_frozen(subject: Subject, calls: Calls) -> None:
    _expect_whole(subject)
    hand, when = hand_of(subject), "while the database is frozen"
    hand.freeze()
    began = time.monotonic()
    try:
        expect_unavailable(subject, calls, FROZEN_SECONDS, when)
        expect_unavailable(subject, _lists(subject), FROZEN_SECONDS, f"{when}, later")
        time.sleep(max(0.0, began + FROZEN_SECONDS - time.monotonic()))
    finally:
        hand.thaw()
    when = "behind a frozen database"
    wait_until_well(subject, RETURN_SECONDS, when)
    # Connections whose state was not known are gone, also those that the server still had.
    expect_full_pool(subject, when)
    expect_well(subject, when)


def _expect_killed_in_use(subject: Subject) -> None:
    _expect_whole(subject)
    hand = hand_of(subject)
    for what, function in (("killed", "pg_terminate_backend"), ("cancelled", "pg_cancel_backend")):
        with ThreadPoolExecutor(1) as pool:
            with locked(subject, "vehicle"):
                asked = pool.submit(timed, partial(list_users, subject))
                (waiting, *_) = wait_for_statements(subject, 1, within="vehicle")
                hand.execute(f"SELECT {function}({waiting.id})")
                answer, seconds = asked.result()
            expect_problem(answer, "unavailable", f"of a request whose statement is {what}")
            expect_speed(seconds <= AWAY_SECONDS, f"it took {seconds:.1f} s")
        expect_status(list_users(subject), 200, "a list behind it")
        wait_for_sessions(subject, POOL_SIZE, RETURN_SECONDS, f"once one was {what}")


def _expect_told_while_locked(subject: Subject, calls: Calls) -> None:
    _expect_whole(subject)
    began, when = time.monotonic(), "while a table is locked"
    with locked(subject, "vehicle"):
        needs = {operation: calls[operation] for operation in NEEDING}
        expect_unavailable(subject, needs, FROZEN_SECONDS, when)
        answer = calls["payment-method"]()
        expect_speed(answer.status == 200, f"what needs another table is {answer.status} {when}")
        expect_unavailable(
            subject, _lists(subject), FROZEN_SECONDS, f"{when}, of more than the pool has"
        )
        time.sleep(max(0.0, began + LOCKED_SECONDS - time.monotonic()))
    wait_until_well(subject, RETURN_SECONDS, "once it is not locked")


def _expect_told_while_a_row_is_locked(subject: Subject) -> None:
    _expect_whole(subject)
    one, other = (row.caller for row in put_customers(subject, 2))
    hand, when = hand_of(subject), "while a row is locked"
    calls = operations(subject, one, new_plate())
    waiting = ("grant-coins", "put-vehicle", "debit", "set-status", "set-payment-method")
    hand.execute("BEGIN")
    try:
        hand.execute("SELECT id FROM app_user WHERE id = %s FOR UPDATE", (one.id,))
        expect_unavailable(subject, {each: calls[each] for each in waiting}, FROZEN_SECONDS, when)
        for call in (calls["list-users"], calls["wallet"], calls["login"]):
            expect_speed(call().status == 200, f"what only reads is not served {when}")
        answer = put_vehicle(subject, other, new_plate())
        expect_speed(answer.status == 201, f"a vehicle of another is {answer.status} {when}")
    finally:
        hand.execute("ROLLBACK")
    for operation in waiting:
        expect(calls[operation]().status < 300, f"{operation} fails once it is not locked")


def _kill_connections(subject: Subject) -> None:
    hand = hand_of(subject)
    for each in sessions(subject):
        hand.execute(f"SELECT pg_terminate_backend({each.id})")


def _expect_right_answers(subject: Subject, when: str) -> None:
    """Expect of each connection the answer to what it is asked now."""
    for number in range(4 * POOL_SIZE):
        user = 1 + number % 6
        answer = get_user(subject, user, SUPERVISOR)
        object_of(answer, 200, USER, f"user {user} {when}", id=user)
