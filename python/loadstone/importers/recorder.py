"""Turns the requests of another tool into the files that the engine writes for a run.

Requests come in the order in which they ended, or nearly so. An interval is a second of the calendar;
it is written and let go as soon as no request can end in it any more, so that the memory does not grow
with the file. The load ends with the interval in which its last request began: what ended after that
is in one interval of grace, as the engine has it.
"""

from collections import Counter
from pathlib import Path
from typing import NamedTuple

from loadstone.importers.interface import OnRequest, Request
from loadstone.importers.interval import SEEN, Interval, OperationTimes
from loadstone.metrics.outcomes import Clock, Outcome
from loadstone.results import folder
from loadstone.results.load_facts import OperationFacts, Outcomes

SECOND_NS = 1_000_000_000
SLACK_SECONDS = 10
"""A tool writes what its users tell it: one that was kept from running may tell it late."""
TEXTS_PER_OUTCOME = 3
"""Of errors, as the engine keeps them."""
TEXT_CHARACTERS = 500
"""Of one: whatever a server wrote into it must not fill the record."""
_MICROSECOND_NS = 1_000
"""The histogram log is no finer: every edge lies on it, so that log and timeline agree."""
_HEAD = "#[Histogram log format version 1.3]\n"
_LEGEND = '"StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"\n'


class Recorded(NamedTuple):
    """A whole load."""

    started_unix_ns: int
    load_ns: int
    grace_ns: int
    """From then to the end of the last request."""
    users: int | None
    """At most; none where it was not told."""
    outcomes: Outcomes
    operations: dict[str, OperationFacts]
    response_sum_ns: int
    """All response times together."""
    error_samples: dict[Outcome, tuple[str, ...]]


class Recorder:
    """Writes timeline and histogram log into a folder while requests come in."""

    def __init__(
        self, directory: Path, resolution_ns: int, on_request: OnRequest | None = None
    ) -> None:
        self._on_request = on_request
        self._timeline = (directory / folder.TIMELINE).open("w", encoding="utf-8")
        self._histograms = (directory / folder.HISTOGRAMS).open("w", encoding="ascii")
        self._histograms.write(_HEAD + _LEGEND)
        self._is_coarse = resolution_ns >= SECOND_NS
        self._late_ns = resolution_ns if self._is_coarse else 0
        """What is told as this second may have been as late as its end."""
        self._open: dict[int, Interval] = {}
        self._first_begin_ns: int | None = None
        self._last_begin_ns = 0
        self._newest_second = 0
        self._next: int | None = None
        """The second to be written next; none before the first."""
        self._users_told: dict[int, int] = {}
        """By second, as long as that is not written."""
        self._first_users: int | None = None
        self._users: int | None = None
        self._most_users: int | None = None
        self._operations: dict[str, OperationTimes] = {}
        self._errors: dict[Outcome, list[str]] = {}

    def close(self) -> None:
        """Close the files."""
        self._timeline.close()
        self._histograms.close()

    @property
    def operations(self) -> int:
        """How many there are so far."""
        return len(self._operations)

    def users(self, time_ns: int, users: int) -> None:
        """Take down how many users were active at a time."""
        if self._first_users is None:
            self._first_users = users
        self._users_told[time_ns // SECOND_NS] = users
        self._advance(time_ns)

    def request(self, request: Request) -> None:
        """Count one request where it ended. It may have ended `SLACK_SECONDS` before the newest."""
        if self._on_request is not None:
            self._on_request(request)
        begin_ns = max(0, request.done_ns + self._late_ns - max(request.response_ns or 0, 1))
        first = self._first_begin_ns
        if self._next is None:
            self._first_begin_ns = begin_ns if first is None else min(first, begin_ns)
        self._last_begin_ns = max(self._last_begin_ns, begin_ns)
        self._open.setdefault(request.done_ns // SECOND_NS, Interval()).add(request)
        self._operations.setdefault(request.operation, OperationTimes()).add(request)
        if request.error:
            texts = self._errors.setdefault(request.outcome, [])
            text = request.error[:TEXT_CHARACTERS]
            if text not in texts and len(texts) < TEXTS_PER_OUTCOME:
                texts.append(text)
        self._advance(request.done_ns)

    def finish(self) -> Recorded:
        """Write what is left and return the whole. There must have been a request."""
        last = self._last_begin_ns // SECOND_NS
        self._write_until(last)
        last_interval = self._open.get(last, Interval())
        end_ns = (last + 1) * SECOND_NS
        if not self._is_coarse:
            ended_ns = max(self._last_begin_ns, last_interval.latest_ns)
            end_ns = -(-(ended_ns + 1) // _MICROSECOND_NS) * _MICROSECOND_NS
        self._write(last, end_ns - self._origin_ns)
        load_ns = end_ns - self._origin_ns
        grace_ns = self._write_grace(load_ns)
        operations = {name: each.facts() for name, each in self._operations.items()}
        outcomes = Counter[Outcome]()
        for each in self._operations.values():
            outcomes.update(each.outcomes)
        return Recorded(
            started_unix_ns=self._origin_ns,
            load_ns=load_ns,
            grace_ns=grace_ns,
            users=self._most_users,
            outcomes={outcome: outcomes[outcome] for outcome in SEEN},
            operations=operations,
            response_sum_ns=sum(
                times.sum_ns
                for each in self._operations.values()
                for (clock, _), times in each.times.items()
                if clock is Clock.RESPONSE_TIME
            ),
            error_samples={outcome: tuple(texts) for outcome, texts in self._errors.items()},
        )

    @property
    def _origin_ns(self) -> int:
        """When the load began, since 1970."""
        first_ns = self._first_begin_ns or 0
        step_ns = SECOND_NS if self._is_coarse else _MICROSECOND_NS
        return first_ns // step_ns * step_ns

    def _advance(self, time_ns: int) -> None:
        second = time_ns // SECOND_NS
        if second <= self._newest_second:
            return
        self._newest_second = second
        if self._first_begin_ns is not None:
            # The interval of the last beginning is kept: the load may end in it.
            self._write_until(min(second - SLACK_SECONDS, self._last_begin_ns // SECOND_NS))

    def _write_until(self, end: int) -> None:
        """Write every second before `end` that is not written yet."""
        first = (self._first_begin_ns or 0) // SECOND_NS if self._next is None else self._next
        for second in range(first, end):
            self._write(second, (second + 1) * SECOND_NS - self._origin_ns)

    def _write(self, second: int, end_ns: int) -> None:
        self._next = second + 1
        users = self._users_at(second)
        if users is not None:
            self._most_users = max(self._most_users or 0, users)
        start_ns = max(0, second * SECOND_NS - self._origin_ns)
        self._write_interval(self._open.pop(second, Interval()), start_ns, end_ns, users)

    def _users_at(self, second: int) -> int | None:
        """As told last; before a tool first looked, as it told then."""
        for told in sorted(each for each in self._users_told if each <= second):
            self._users = self._users_told.pop(told)
        return self._first_users if self._users is None else self._users

    def _write_grace(self, load_ns: int) -> int:
        rest = Interval()
        for interval in self._open.values():
            rest.merge(interval)
        if not rest.operations:
            return 0
        latest_ns = rest.latest_ns + max(self._late_ns, _MICROSECOND_NS)
        end_ns = latest_ns // _MICROSECOND_NS * _MICROSECOND_NS - self._origin_ns
        users = self._users_at(self._newest_second)
        self._write_interval(rest, load_ns, end_ns, users, grace=True)
        return end_ns - load_ns

    def _write_interval(
        self,
        interval: Interval,
        start_ns: int,
        end_ns: int,
        users: int | None,
        *,
        grace: bool = False,
    ) -> None:
        self._timeline.write(interval.timeline_line(start_ns, end_ns, users, grace=grace))
        self._histograms.write(interval.histogram_lines(start_ns, end_ns))
