"""Timestamps of k6's CSV, in each of its formats (`K6_CSV_TIME_FORMAT`), and values in milliseconds.

Formats: https://grafana.com/docs/k6/latest/results-output/real-time/csv/; whole seconds is the default.
Durations are milliseconds with six decimals: whole nanoseconds.
"""

import math
from datetime import datetime
from pathlib import Path

from loadstone.errors import InputError
from loadstone.importers.bucketed import HIGHEST_NS
from loadstone.importers.recorder import SLACK_SECONDS

SECOND_NS = 1_000_000_000
LONGEST_LOAD_SECONDS = 7 * 24 * 3600
"""Beyond a week a timestamp is wrong rather than a load so long, and each second takes a line."""
_UNITS_NS = (SECOND_NS, 1_000_000, 1_000, 1)
"""Of whole numbers since 1970: seconds, milliseconds, microseconds, nanoseconds."""
_MOST_SECONDS = 100_000_000_000
"""A number of seconds stays below this until the year 5138, one of milliseconds has been above it
since 1973; and so on for the finer units."""
_FRACTION_NS = 1_000
"""RFC 3339 with a fraction is read to the microsecond."""


class TimeReader:
    """Reads the timestamps of one file: one format throughout, and never far back."""

    def __init__(self, path: Path, first: str, line: int) -> None:
        self._path = path
        self.resolution_ns = self._resolution_ns(first, line)
        """How finely the times of the file are told."""
        self._is_number = first.isdecimal()
        self._first_ns = self._newest_ns = self.read(first, line, is_first=True)

    def read(self, text: str, line: int, *, is_first: bool = False) -> int:
        """The nanoseconds since 1970. `InputError` for what is no time, or out of order."""
        time_ns = self._parse(text, line)
        if is_first:
            return time_ns
        if time_ns < self._newest_ns - SLACK_SECONDS * SECOND_NS:
            raise self._error(
                f"goes back by {(self._newest_ns - time_ns) / 1e9:g} s (at most {SLACK_SECONDS} s)",
                line,
                "give each file of k6 on its own, in the order in which k6 wrote it",
            )
        if time_ns > self._first_ns + LONGEST_LOAD_SECONDS * SECOND_NS:
            raise self._error(
                f"{text} is more than a week after the first one", line, "see what is wrong there"
            )
        self._newest_ns = max(self._newest_ns, time_ns)
        return time_ns

    def _resolution_ns(self, first: str, line: int) -> int:
        if not first.isdecimal():
            return _FRACTION_NS if "." in first else SECOND_NS
        found = (
            next(
                (
                    unit
                    for unit in _UNITS_NS
                    if 0 < int(first) // (SECOND_NS // unit) < _MOST_SECONDS
                ),
                None,
            )
            if len(first) < 21
            else None
        )
        if found is None:
            raise self._error(f"{first} is no time since 1970", line, _REMEDY)
        return found

    def _parse(self, text: str, line: int) -> int:
        try:
            if self._is_number:
                if not text.isdecimal() or len(text) > 20:
                    raise ValueError
                return int(text) * self.resolution_ns
            moment = datetime.fromisoformat(text)
            if moment.tzinfo is None:
                raise ValueError
            since = moment - _EPOCH
        except (ValueError, OverflowError):
            raise self._error(f"{text!r} is no time as the first one is", line, _REMEDY) from None
        whole_seconds = since.days * 86_400 + since.seconds
        return whole_seconds * SECOND_NS + since.microseconds * 1_000

    def _error(self, message: str, line: int, remedy: str) -> InputError:
        return InputError(message, path=self._path, line=line, key="timestamp", remedy=remedy)


_EPOCH = datetime.fromisoformat("1970-01-01T00:00:00+00:00")
_REMEDY = "give the file as k6 wrote it, with one K6_CSV_TIME_FORMAT"


def number(text: str, path: Path, line: int, key: str) -> float:
    """A finite number that is not negative. `InputError` for every other."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value) or value < 0:
        raise InputError(
            f"{text!r} is no number of 0 or more",
            path=path,
            line=line,
            key=key,
            remedy="give the file as k6 wrote it",
        )
    return value


def duration_ns(text: str, path: Path, line: int, key: str) -> int:
    """Milliseconds as nanoseconds. `InputError` for what is no number, or longer than an hour."""
    value_ns = number(text, path, line, key) * 1e6
    if value_ns > HIGHEST_NS:
        raise InputError(
            f"{text} ms is longer than an hour, the most that a histogram holds",
            path=path,
            line=line,
            key=key,
            remedy="give the file as k6 wrote it",
        )
    return round(value_ns)
