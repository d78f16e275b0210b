"""Instants as the service shows them."""

import re
from datetime import UTC, datetime, timedelta
from typing import Final

from loadstone.contract.expect import expect

DAY: Final = "2042-03-01"
"""For reservations of a given hour; those of the next free slot are a year later and more."""
NEXT_DAY: Final = "2042-03-02"

_SHOWN = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", re.ASCII)
_FORMAT = "%Y-%m-%dT%H:%M:%SZ"
_NOW_SECONDS = 120.0
"""A request may wait on a busy machine; an hour is what a wrong zone would make of it."""


def shown(moment: datetime) -> str:
    """The 20 characters of a moment in UTC."""
    return moment.strftime(_FORMAT)


def at(hour: int, minute: int = 0, day: str = DAY) -> str:
    """This time of a day."""
    return f"{day}T{hour:02}:{minute:02}:00Z"


def read(instant: str) -> datetime:
    """The moment that is shown. Raises ValueError."""
    return datetime.strptime(instant, _FORMAT).replace(tzinfo=UTC)


def later(instant: str, minutes: int) -> str:
    """An instant so many minutes later."""
    return shown(read(instant) + timedelta(minutes=minutes))


def is_shown(value: object) -> bool:
    """Whether it is an instant of 20 characters."""
    if not (isinstance(value, str) and _SHOWN.fullmatch(value)):
        return False
    try:
        read(value)
    except ValueError:
        return False
    return True


def expect_now(instant: object, what: str) -> None:
    """Expect that it has just been."""
    if not (isinstance(instant, str) and is_shown(instant)):
        raise AssertionError(f"{what} is {instant!r}, which is no instant")
    ago = abs((datetime.now(UTC) - read(instant)).total_seconds())
    expect(ago <= _NOW_SECONDS, f"{what} is {instant}, which is {ago:.0f} s from now")
