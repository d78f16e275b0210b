"""Instants and days: read in every offset of RFC 3339, counted and shown in UTC."""

import re
from datetime import UTC, date, datetime, time, timedelta

_INSTANT = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]+))?"
    r"(?:Z|([+-])([01][0-9]|2[0-3]):([0-5][0-9]))"
)
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_YEARS = range(2020, 2100)
_SHOWN_CHARACTERS = 19

NO_MINUTE = -1
"""Before every minute of a day."""


def parse_instant(text: str) -> datetime | None:
    """Return the instant in UTC, or none where the text is no instant."""
    match = _INSTANT.fullmatch(text)
    if match is None:
        return None
    year, month, day, hour, minute, second = map(int, match.groups()[:6])
    microsecond = _microsecond(match[7])
    try:
        instant = datetime(year, month, day, hour, minute, second, microsecond, UTC)
    except ValueError:
        return None
    try:
        return instant - _offset(match)
    except OverflowError:
        return instant  # at an end of the calendar, and out of range in every offset


def parse_day(text: str) -> date | None:
    """Return the day, or none where the text is no day of the years in question."""
    if not _DAY.fullmatch(text):
        return None
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return day if day.year in _YEARS else None


def is_in_range(instant: datetime) -> bool:
    """Return whether an instant is of the years in question."""
    return instant.year in _YEARS


def shown(instant: datetime) -> str:
    """Return an instant of UTC in its 20 characters."""
    return instant.isoformat()[:_SHOWN_CHARACTERS] + "Z"


def midnight(day: date) -> datetime:
    """Return the beginning of a day."""
    return datetime.combine(day, time(), UTC)


def since_midnight(instant: datetime) -> timedelta:
    """Return how much of its day is over at an instant."""
    return instant - midnight(instant.date())


def minute_of_day(instant: datetime) -> int:
    """Return the minute of the day that begins at an instant, or NO_MINUTE where none does."""
    minute, rest = divmod(since_midnight(instant), timedelta(minutes=1))
    return NO_MINUTE if rest else minute


def _microsecond(fraction: str | None) -> int:
    """Return a fraction that is cut, but not to nothing: it stays off every grid."""
    if fraction is None or not fraction.strip("0"):
        return 0
    return int(fraction[:6].ljust(6, "0")) or 1


def _offset(match: re.Match[str]) -> timedelta:
    if match[8] is None:
        return timedelta()
    offset = timedelta(hours=int(match[9]), minutes=int(match[10]))
    return -offset if match[8] == "-" else offset
