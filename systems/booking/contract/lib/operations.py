"""Every operation that needs the database, asked in turn or at once."""

import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from loadstone.contract.client import Answer
from loadstone.contract.expect import expect_equal
from loadstone.contract.faults import ServiceFault
from loadstone.contract.subject import Subject

from .accounts import PASSWORD, log_in, sign_up
from .at_once import at_once, timed
from .clock import expect_speed
from .clubs import (
    add_facility,
    club_path,
    create_club,
    facility_path,
    replace_club,
    replace_facility,
    retire_facility,
)
from .database import wait_for_sessions
from .instants import DAY
from .problems import expect_problem
from .scenes import Scene, decide, rate, reservation_path
from .seed import email_of
from .service import (
    CLUBS,
    FACILITIES,
    LIVE,
    ME,
    POOL_SIZE,
    READY,
    RESERVATIONS,
    expect_status,
    get,
)
from .tokens import OWNER, caller

AWAY_SECONDS: Final = 4.0
"""Within which the absence of the database is told: 3 s, and one more for a machine that is busy with
some twenty callers.
"""
CALLERS: Final = 12
"""More than the pool has connections: some wait for one that does not come."""
RETURN_SECONDS: Final = 5.0
SETTLE_SECONDS: Final = 10.0

_LIVE_SECONDS = 1.0
_POLL_SECONDS = 0.05
_READER = caller(1, OWNER)


def operations(scene: Scene) -> dict[str, Callable[[], Answer]]:
    """One call of each, on rows of a scene; `scene` must have been made before the database is away."""
    subject, owner, player = scene.subject, scene.owner, scene.player
    facility, first = facility_path(scene.facility), scene.reserved()["id"]
    return {
        "sign-up": partial(sign_up, subject),
        "log-in": partial(log_in, subject, email_of(1), PASSWORD),
        "me": partial(get, subject, ME, owner),
        "list-clubs": partial(get, subject, CLUBS, owner),
        "create-club": partial(create_club, subject, owner),
        "get-club": partial(get, subject, club_path(scene.club), owner),
        "replace-club": partial(replace_club, subject, owner, scene.club),
        "list-facilities": partial(get, subject, FACILITIES, owner),
        "add-facility": partial(add_facility, subject, owner, scene.club),
        "get-facility": partial(get, subject, facility, owner),
        "replace-facility": partial(replace_facility, subject, owner, scene.facility),
        "retire-facility": partial(retire_facility, subject, owner, scene.facility),
        "list-slots": partial(get, subject, f"{facility}/slots?date={DAY}", owner),
        "reserve": partial(scene.reserve, scene.slot()),
        "get-reservation": partial(get, subject, reservation_path(first), owner),
        "list-reservations": partial(get, subject, RESERVATIONS, player),
        "accept": partial(decide, subject, owner, first, "accept"),
        "reject": partial(decide, subject, owner, first, "reject"),
        "cancel": partial(decide, subject, player, first, "cancel"),
        "rate": partial(rate, subject, player, first, 5),
        "list-ratings": partial(get, subject, f"{facility}/ratings", owner),
        "ready": partial(get, subject, READY),
    }


def expect_unavailable(
    subject: Subject, calls: Mapping[str, Callable[[], Answer]], seconds: float, when: str
) -> None:
    """Expect that each of these is 503 in time, all asked at once, and that the process lives."""
    told = at_once([partial(timed, call) for call in calls.values()])
    for operation, (answer, spent) in zip(calls, told, strict=True):
        expect_problem(answer, "unavailable", f"of {operation} {when}")
        expect_speed(spent <= seconds, f"{operation} took {spent:.1f} s {when}")
    answer, spent = timed(partial(get, subject, LIVE))
    expect_equal(answer.status, 200, f"the status of /healthz {when}")
    expect_speed(spent <= _LIVE_SECONDS, f"/healthz took {spent:.1f} s {when}")


def expect_well(subject: Subject, when: str, count: int = CALLERS) -> None:
    """Expect that so many lists at once are served, that /readyz says so, and that rows are kept."""
    for answer in at_once([partial(get, subject, CLUBS, _READER)] * count):
        expect_status(answer, 200, f"a list {when}")
    expect_status(get(subject, READY), 200, f"/readyz {when}")
    expect_status(sign_up(subject), 201, f"signing up {when}")


def wait_until_well(subject: Subject, seconds: float, when: str) -> None:
    """Expect a list and a good /readyz within so many seconds."""
    began = time.monotonic()
    while True:
        statuses = [_status(subject, READY), _status(subject, CLUBS)]
        if statuses == [200, 200]:
            return
        spent = time.monotonic() - began
        shown = f"{when}, /readyz and list-clubs are {statuses} after {spent:.1f} s"
        expect_speed(spent <= seconds, shown)
        time.sleep(_POLL_SECONDS)


def expect_full_pool(subject: Subject, when: str) -> None:
    """Expect every connection of the pool within the time of a return, and no more."""
    wait_for_sessions(subject, POOL_SIZE, RETURN_SECONDS, when)


def settle(subject: Subject) -> None:
    """Wait, behind a check, until the service has its database again: the next check needs it."""
    for _ in range(int(SETTLE_SECONDS / _POLL_SECONDS)):
        if _status(subject, CLUBS) == 200:
            return
        time.sleep(_POLL_SECONDS)


def warm(subject: Subject, count: int = 50) -> None:
    """Let the service meet so many callers at once before that counts; what they get is not held."""
    for _ in range(2):
        at_once([partial(_status, subject, CLUBS)] * count)
    settle(subject)


def _status(subject: Subject, path: str) -> int | None:
    """What an answer says; none where there was none."""
    try:
        return get(subject, path, _READER).status
    except (OSError, ServiceFault):
        return None
