"""Every operation that needs the database, asked in turn or at once."""

import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from loadstone.contract.client import Answer
from loadstone.contract.expect import expect_equal
from loadstone.contract.faults import ServiceFault
from loadstone.contract.subject import Subject

from .at_once import at_once, timed
from .clock import expect_speed
from .database import LEVEL, hand_of, sessions, wait_for_sessions
from .objects import expect_status
from .problems import expect_problem
from .users_accounts import SEED_EMAILS, create, log_in
from .users_coins import debit, grant
from .users_service import (
    BRAM,
    HEALTH,
    POOL_SIZE,
    SUPERVISOR,
    TOP,
    Caller,
    get,
    get_user,
    list_users,
    set_payment_method,
    set_status,
    user_path,
)
from .users_vehicles import put_vehicle

CALLERS: Final = 12
"""More than the pool has connections: some wait for one that does not come."""
RETURN_SECONDS: Final = 5.0
SETTLE_SECONDS: Final = 15.0

_LIVE_SECONDS = 1.0
_POLL_SECONDS = 0.05

Calls = Mapping[str, Callable[[], Answer]]


def operations(subject: Subject, owner: Caller, plate: str) -> dict[str, Callable[[], Answer]]:
    """One call of each, on rows of a customer who has a vehicle of this plate."""
    own = owner.id
    return {
        "create-user": partial(create, subject),
        "login": partial(log_in, subject, SEED_EMAILS[BRAM.id]),
        "list-users": partial(list_users, subject),
        "top-coins": partial(get, subject, TOP, SUPERVISOR),
        "grant-coins": partial(grant, subject, [own]),
        "get-user": partial(get_user, subject, own),
        "set-status": partial(set_status, subject, own, "ENABLED"),
        "vehicles": partial(get, subject, user_path(own, "/vehicles"), owner),
        "put-vehicle": partial(put_vehicle, subject, owner, plate),
        "payment-method": partial(get, subject, user_path(own, "/payment-method"), owner),
        "set-payment-method": partial(set_payment_method, subject, owner, "PAYPAL"),
        "wallet": partial(get, subject, user_path(own, "/coins"), owner),
        "debit": partial(debit, subject, own),
        "health": partial(get, subject, HEALTH),
    }


def expect_unavailable(subject: Subject, calls: Calls, seconds: float, when: str) -> None:
    """Expect that each of these is 503 in time, all asked at once, and that the process lives."""
    told = at_once([partial(timed, call) for call in calls.values()])
    for operation, (answer, spent) in zip(calls, told, strict=True):
        expect_problem(answer, "unavailable", f"of {operation} {when}")
        expect_speed(spent <= seconds, f"{operation} took {spent:.1f} s {when}")
    answer, spent = timed(partial(get, subject, "/nothing"))
    expect_problem(answer, "not-found", f"of an unknown path {when}")
    expect_speed(spent <= _LIVE_SECONDS, f"an unknown path took {spent:.1f} s {when}")


def expect_well(subject: Subject, when: str, count: int = CALLERS) -> None:
    """Expect that so many lists at once are served, that /health says so, and that rows are kept."""
    for answer in at_once([partial(list_users, subject)] * count):
        expect_status(answer, 200, f"a list {when}")
    expect_status(get(subject, HEALTH), 200, f"/health {when}")
    expect_status(grant(subject, [BRAM.id]), 201, f"a grant {when}")


def wait_until_well(subject: Subject, seconds: float, when: str) -> None:
    """Expect a list and a good /health within so many seconds."""
    began = time.monotonic()
    while True:
        statuses = [_status(partial(get, subject, HEALTH)), _list_status(subject)]
        if statuses == [200, 200]:
            return
        spent = time.monotonic() - began
        seen = f"{when}, /health and list-users are {statuses} after {spent:.1f} s"
        expect_speed(spent <= seconds, seen)
        time.sleep(_POLL_SECONDS)


def expect_full_pool(subject: Subject, when: str) -> None:
    """Expect every connection of the pool within the time of a return, and no more."""
    wait_for_sessions(subject, POOL_SIZE, RETURN_SECONDS, when)


def settle(subject: Subject) -> None:
    """Wait, behind a check, until the service has its database again: the next check needs it."""
    for _ in range(int(SETTLE_SECONDS / _POLL_SECONDS)):
        if _list_status(subject) == 200:
            return
        time.sleep(_POLL_SECONDS)


def warm(subject: Subject, count: int = 50) -> None:
    """Let the service meet so many callers at once before that counts; what they get is not held."""
    for _ in range(2):
        at_once([partial(_list_status, subject)] * count)
    settle(subject)


def renew(subject: Subject) -> None:
    """Bring the rows back to those of the seed, and wait until every connection of the pool is new.

    A connection that nobody uses may be noticed to be dead when it is used, so all are.
    """
    old = {each.id for each in sessions(subject)}
    hand_of(subject).to_level(LEVEL)
    end = time.monotonic() + SETTLE_SECONDS
    while True:
        statuses = set(at_once([partial(_list_status, subject)] * CALLERS))
        there = {each.id for each in sessions(subject)}
        if statuses == {200} and len(there) == POOL_SIZE and not old & there:
            return
        if time.monotonic() > end:
            break
        time.sleep(_POLL_SECONDS)
    expect_equal((statuses, len(there)), ({200}, POOL_SIZE), "lists and pool behind new data")


def _list_status(subject: Subject) -> int | None:
    return _status(partial(list_users, subject))


def _status(call: Callable[[], Answer]) -> int | None:
    """What an answer says; none where there was none."""
    try:
        return call().status
    except (OSError, ServiceFault):
        return None
