"""Instants as the services show them."""

import re
from datetime import UTC, datetime

from loadstone.contract.expect import expect

_SHOWN = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", re.ASCII)
_FORMAT = "%Y-%m-%dT%H:%M:%S.%fZ"
_NOW_SECONDS = 120.0
"""A request may wait on a busy machine; an hour is what a wrong zone would make of it."""


def shown(moment: datetime) -> str:
    """The 24 characters of a moment in UTC, what is finer than a millisecond cut off."""
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03}Z"


def of_seconds(seconds: int) -> str:
    """The 24 characters of a moment in seconds of Unix time."""
    return shown(datetime.fromtimestamp(seconds, UTC))


def read(instant: str) -> datetime:
    """The moment that is shown. Raises ValueError."""
    return datetime.strptime(instant, _FORMAT).replace(tzinfo=UTC)


def is_shown(value: object) -> bool:
    """Whether it is an instant of 24 characters."""
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
