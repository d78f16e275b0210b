"""Sums over a whole file of k6: iterations, checks, contradictions. None grows with the file."""

import math
from collections.abc import Callable

from loadstone.importers import k6_times
from loadstone.importers.k6_requests import SETUP_GROUPS, K6Request
from loadstone.importers.k6_rows import Rows
from loadstone.importers.recorder import Recorded
from loadstone.results.imported_from import IterationFacts, ToolCheckFacts

MOST_CHECKS = 1_000
"""Names of them: more are made of data."""
_ITERATION, _DROPPED, _CHECK = "iteration_duration", "dropped_iterations", "checks"
_END_NS = 2_000_000_000
"""Executors that count iterations tell at their end which were dropped; a rate tells it at once."""

TimeOf = Callable[[list[str]], int]


class Tallies:
    """What is counted beside requests."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self._iterations = self._iterations_ns = self._dropped = 0
        self._mean_ns = self._squares = 0.0
        """Of iterations so far: their mean, and the squared distances from it (Welford, 1962)."""
        self._first_dropped_ns: int | None = None
        self._checks: dict[str, list[int]] = {}
        self.setup_requests = self.contradicting_times = 0
        self.first_spoken: tuple[str, str] | None = None
        """HTTP and TLS of the first request that was answered."""

    @property
    def checks(self) -> dict[str, ToolCheckFacts]:
        """By name: how often each held."""
        return {
            name: ToolCheckFacts(held=held, failed=failed)
            for name, (failed, held) in self._checks.items()
        }

    def request(self, request: K6Request) -> None:
        """Take down what is counted of a request of the load."""
        self.contradicting_times += request.contradicts_itself()
        if self.first_spoken is None and request.spoken()[0]:
            self.first_spoken = request.spoken()

    def take(self, metric: str, row: list[str], time_ns: TimeOf) -> None:
        """Take a sample of any other metric. `InputError` where its value is none."""
        if metric not in (_ITERATION, _DROPPED, _CHECK):
            return
        group = self._rows.at("group")
        value = self._value(metric, row)
        if metric == _DROPPED:
            self._dropped += round(value)
            self._first_dropped_ns = self._first_dropped_ns or time_ns(row)
        elif metric == _CHECK:
            self._take_check(row, value)
        elif group is None or row[group] not in SETUP_GROUPS:
            self._take_iteration(round(value * 1e6))

    def dropped_before(self, stopped_ns: int) -> bool:
        """Whether iterations were dropped while the load went on, as only rates drop them."""
        dropped_ns = self._first_dropped_ns
        return dropped_ns is not None and dropped_ns < stopped_ns - _END_NS

    def iterations(self, recorded: Recorded) -> tuple[IterationFacts | None, str]:
        """What they tell, and why not of pauses."""
        if not self._iterations:
            facts = IterationFacts(
                count=0, dropped=self._dropped, mean_ns=None, deviation_ns=None, pause_mean_ns=None
            )
            return facts, "there is no sample of iteration_duration in the file"
        requests = sum(recorded.outcomes.values())
        outside_ns = self._iterations_ns - recorded.response_sum_ns
        # Iterations that were cut off at the end have requests, but no length: one a user at most.
        cut_off_ns = (recorded.users or 0) * self._iterations_ns / self._iterations
        is_overlap = outside_ns + cut_off_ns < 0
        facts = IterationFacts(
            count=self._iterations,
            dropped=self._dropped,
            mean_ns=self._iterations_ns / self._iterations,
            deviation_ns=math.sqrt(self._squares / (self._iterations - 1))
            if self._iterations > 1
            else None,
            pause_mean_ns=None if is_overlap else max(0, outside_ns) / requests,
        )
        overlap = "requests took longer than the iterations that sent them: they overlapped"
        return facts, overlap if is_overlap else ""

    def _take_iteration(self, took_ns: int) -> None:
        self._iterations += 1
        self._iterations_ns += took_ns
        distance_ns = took_ns - self._mean_ns
        self._mean_ns += distance_ns / self._iterations
        self._squares += distance_ns * (took_ns - self._mean_ns)

    def _take_check(self, row: list[str], value: float) -> None:
        at = self._rows.at("check")
        name = "" if at is None else row[at]
        counted = self._checks.setdefault(name, [0, 0])
        counted[value > 0] += 1
        if len(self._checks) > MOST_CHECKS:
            raise self._rows.error(
                f"there are more than {MOST_CHECKS:,} names of checks",
                key="check",
                remedy="give checks names that do not hold data",
            )

    def _value(self, metric: str, row: list[str]) -> float:
        text = row[self._rows.at("metric_value") or 0]
        value = k6_times.number(text, self._rows.path, self._rows.line, metric)
        if value > k6_times.LONGEST_LOAD_SECONDS * 1e3:
            raise self._rows.error(
                f"{text} is more than a load can hold", key=metric, remedy="see what is wrong there"
            )
        return value
