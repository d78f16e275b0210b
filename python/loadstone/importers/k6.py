"""Reads k6's CSV: its requests, its users over time, its iterations and checks.

What it lacks is named in `ABSENT`. Samples of other metrics, also those that a script defines, are
passed over. Requests of k6's setup and teardown are no load, and left out.
"""

from collections.abc import Callable
from pathlib import Path

from loadstone.errors import InputError
from loadstone.importers import k6_times
from loadstone.importers.interface import Arrivals, FileFacts
from loadstone.importers.k6_requests import FIRST, PARTS, K6Request
from loadstone.importers.k6_rows import Rows
from loadstone.importers.k6_spoken import spoken_facts
from loadstone.importers.k6_tallies import Tallies
from loadstone.importers.recorder import Recorded, Recorder
from loadstone.importers.source_file import SourceFile

TOOL = "k6"
MOST_OPERATIONS = 1_000
"""Each has a histogram in each second: more are URLs with an id in them, which nobody compares."""
MOST_USERS = 10_000_000
_SECOND_NS = 1_000_000_000

ABSENT = {
    "version": "k6's CSV does not tell the version of k6",
    "plan": "k6's CSV does not tell what its script asked for: executor, rate, length, pauses",
    "due": "k6's CSV does not tell when a request was due: response time runs from when a user asked",
    "unanswered": "k6 writes nothing of a request that had no answer when it stopped",
    "not_sent": "k6 writes nothing of a request that it did not send",
    "connections": "k6's CSV does not tell which requests opened a connection, or how many there were",
    "bytes": "k6 counts bytes by iteration, not by request",
    "generator": "k6's CSV does not tell what k6 itself cost, or whether it was the limit",
    "service": "k6's CSV does not tell of the service's process",
}


class K6Reader:
    """One pass over one file."""

    def __init__(self, path: Path, source: SourceFile, begin: Callable[[int], Recorder]) -> None:
        self._rows = Rows(path, source)
        self._begin = begin
        self._times: k6_times.TimeReader | None = None
        self._recorder: Recorder | None = None
        self._pending: K6Request | None = None
        self._tallies = Tallies(self._rows)

    def read(self, arrivals: Arrivals | None) -> tuple[Recorded, FileFacts]:
        """Everything. `arrivals` is what the scenario asked for, where somebody knows."""
        metric_at = self._rows.at("metric_name") or 0
        for row in self._rows:
            self._take(row[metric_at], row)
        self._end_request()
        if self._recorder is None or not self._recorder.operations:
            raise InputError(
                "there is no HTTP request in it",
                path=self._rows.path,
                key=FIRST,
                remedy="give the CSV of a k6 script that sends HTTP requests",
            )
        recorded = self._recorder.finish()
        return recorded, self._file_facts(recorded, arrivals)

    def _take(self, metric: str, row: list[str]) -> None:
        if metric in PARTS:
            if self._pending is None:
                raise self._rows.error(
                    f"no {FIRST} comes before it",
                    key=metric,
                    remedy="give the file as k6 wrote it: the samples of a request follow each other",
                )
            self._pending.add(metric, row)
            return
        self._end_request()
        if metric == FIRST:
            self._pending = K6Request(self._rows, row, self._time_ns(row))
        elif metric == "vus":
            self._take_users(row)
        else:
            self._tallies.take(metric, row, self._time_ns)

    def _take_users(self, row: list[str]) -> None:
        text = row[self._rows.at("metric_value") or 0]
        users = k6_times.number(text, self._rows.path, self._rows.line, "vus")
        if users > MOST_USERS:
            raise self._rows.error(
                f"{text} users are more than any load has",
                key="vus",
                remedy="see what is wrong there",
            )
        time_ns = self._time_ns(row)
        self._recorder_of().users(time_ns, round(users))

    def _end_request(self) -> None:
        pending, self._pending = self._pending, None
        if pending is None:
            return
        request = pending.request()
        if pending.is_of_setup:
            self._tallies.setup_requests += 1
            return
        self._tallies.request(pending)
        recorder = self._recorder_of()
        recorder.request(request)
        if recorder.operations > MOST_OPERATIONS:
            raise self._rows.error(
                f"there are more than {MOST_OPERATIONS:,} names of requests",
                key="name",
                remedy="give requests that differ by an id one name: "
                "http.get(url, {tags: {name: 'facility'}})",
            )

    def _time_ns(self, row: list[str]) -> int:
        text = row[self._rows.at("timestamp") or 0]
        if self._times is None:
            self._times = k6_times.TimeReader(self._rows.path, text, self._rows.line)
        return self._times.read(text, self._rows.line)

    def _recorder_of(self) -> Recorder:
        if self._recorder is None:
            self._recorder = self._begin(self.resolution_ns)
        return self._recorder

    @property
    def resolution_ns(self) -> int:
        """How finely the times of the file are told; a second before the first was read."""
        return _SECOND_NS if self._times is None else self._times.resolution_ns

    def _file_facts(self, recorded: Recorded, arrivals: Arrivals | None) -> FileFacts:
        tallies = self._tallies
        stopped_ns = recorded.started_unix_ns + recorded.load_ns
        found = arrivals or ("rate" if tallies.dropped_before(stopped_ns) else "users")
        iterations, why_no_pause = tallies.iterations(recorded)
        spoken, why_not_spoken = spoken_facts(self._rows, tallies.first_spoken)
        untold = {
            "pause": why_no_pause,
            "spoken": why_not_spoken,
            "users": "" if recorded.users is not None else "there is no sample of vus in the file",
            "checks": "k6's CSV does not tell of which request a check was"
            if tallies.checks
            else "",
            "setup": f"{tallies.setup_requests:,} requests of k6's setup and teardown are no load"
            if tallies.setup_requests
            else "",
        }
        return FileFacts(
            arrivals=found,
            iterations=iterations,
            spoken=spoken,
            checks=tallies.checks,
            contradicting_times=tallies.contradicting_times,
            absent=ABSENT | {what: reason for what, reason in untold.items() if reason},
        )


def read(
    path: Path, source: SourceFile, begin: Callable[[int], Recorder], arrivals: Arrivals | None
) -> tuple[Recorded, FileFacts, int]:
    """Read one file: its load, what else it tells, and how finely its times are told."""
    reader = K6Reader(path, source, begin)
    recorded, file_facts = reader.read(arrivals)
    return recorded, file_facts, reader.resolution_ns
