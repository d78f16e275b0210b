"""Every operation that needs the database, asked in turn or at once."""

import time
from collections.abc import Callable
from functools import partial
from typing import Final

from loadstone.contract.client import Answer
from loadstone.contract.expect import expect_equal
from loadstone.contract.faults import ServiceFault
from loadstone.contract.subject import Subject

from .at_once import at_once, timed
from .clock import expect_speed
from .problems import expect_failure
from .service import (
    LIST,
    LIVE,
    READY,
    WITH_COUNTRY,
    conference,
    get,
    insert,
    path_of,
    remove,
    replace,
)

AWAY_SECONDS: Final = 2.5
"""Within which the absence of the database is told."""

_ID: Final = "not-kept"
_POLL_SECONDS = 0.05


def operations(subject: Subject) -> dict[str, Callable[[], Answer]]:
    """One call of each; the row of the insert is `forget`'s to remove."""
    return {
        "list": partial(get, subject, LIST),
        "insert": partial(insert, subject, conference(_ID, "QCon")),
        "with-country": partial(get, subject, WITH_COUNTRY),
        "get": partial(get, subject, path_of(_ID)),
        "replace": partial(replace, subject, _ID, {"name": "Strata"}),
        "remove": partial(remove, subject, _ID),
        "ready": partial(get, subject, READY),
    }


def forget(subject: Subject) -> None:
    """Remove what `operations` may have left: after a 503 an insert may be there."""
    remove(subject, _ID)


def expect_unavailable(subject: Subject, when: str) -> None:
    """Expect that each operation is 503 in time, and that the process lives."""
    calls = operations(subject)
    told = at_once([partial(timed, call) for call in calls.values()])
    for operation, (answer, seconds) in zip(calls, told, strict=True):
        expect_failure(answer, "unavailable", operation, f"of {operation} {when}")
        expect_speed(seconds <= AWAY_SECONDS, f"{operation} took {seconds:.1f} s {when}")
    expect_equal(get(subject, LIVE).status, 200, f"the status of /healthz {when}")


def expect_all_unavailable(subject: Subject, count: int, seconds_each: float, when: str) -> None:
    """Expect that each of so many lists at once is 503 in time."""
    calls = [partial(timed, partial(get, subject, LIST))] * count
    for answer, seconds in at_once(calls):
        expect_failure(answer, "unavailable", "list", f"of a list {when}")
        expect_speed(seconds <= seconds_each, f"one of {count} lists took {seconds:.2f} s {when}")
    expect_equal(get(subject, LIVE).status, 200, f"the status of /healthz {when}")


def expect_well(subject: Subject, count: int, when: str) -> None:
    """Expect that so many lists at once are served, and an insert."""
    for answer in at_once([partial(get, subject, LIST)] * count):
        expect_equal(answer.status, 200, f"the status of a list {when}")
    expect_equal(get(subject, READY).status, 200, f"the status of /readyz {when}")


def wait_until_well(subject: Subject, within_seconds: float, when: str) -> None:
    """Expect a list and a good /readyz within so many seconds."""
    began = time.monotonic()
    while True:
        statuses = [_status(subject, READY), _status(subject, LIST)]
        if statuses == [200, 200]:
            return
        spent = time.monotonic() - began
        shown = f"{when}, /readyz and list are {statuses} after {spent:.1f} s"
        expect_speed(spent <= within_seconds, shown)
        time.sleep(_POLL_SECONDS)


def settle(subject: Subject) -> None:
    """Wait, behind a check, until the service has its database again: the next check needs it."""
    for _ in range(int(5 / _POLL_SECONDS)):
        if _status(subject, LIST) == 200:
            return
        time.sleep(_POLL_SECONDS)


def warm(subject: Subject, count: int = 50) -> None:
    """Let the service meet so many callers at once before that counts; what they get is not held."""
    for _ in range(2):
        at_once([partial(_status, subject, LIST)] * count)
    settle(subject)


def _status(subject: Subject, path: str) -> int | None:
    """What an answer says; none where there was none."""
    try:
        return get(subject, path).status
    except (OSError, ServiceFault):
        return None
