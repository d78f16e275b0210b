"""Reads `timeline.ndjson`: what the engine wrote for each interval, line by line.

Requests are counted in the interval in which they ended. Distributions are in `histograms.py`. What is
none the engine always tells; a run that another tool made may lack it.
"""

from pathlib import Path

from pydantic import Field, ValidationError

from loadstone.errors import InputError
from loadstone.frozen import Frozen
from loadstone.metrics.outcomes import LagCause, LimitCause, Outcome
from loadstone.results.clock_facts import LagPart
from loadstone.results.wait_facts import ThrottledFacts, WaitFacts


class TimeSummary(Frozen):
    """One clock of the requests that ended in an interval, nanoseconds."""

    count: int
    mean_ns: float
    p50_ns: int
    p99_ns: int
    max_ns: int


class TimeSplit(Frozen):
    """Requests that ended ok apart from the rest; absent where there were none."""

    ok: TimeSummary | None = None
    failed: TimeSummary | None = None

    def sum_ns(self) -> float:
        """All times of the interval together, ok and failed."""
        ok, failed = self.ok, self.failed  # a large study asks a million times: no generator
        return (ok.count * ok.mean_ns if ok else 0) + (
            failed.count * failed.mean_ns if failed else 0
        )

    def count(self) -> int:
        """Requests that have a time, ok and failed."""
        return (self.ok.count if self.ok else 0) + (self.failed.count if self.failed else 0)


class OperationInterval(Frozen):
    """One operation in one interval."""

    outcomes: dict[Outcome, int]
    bytes_sent: int | None
    bytes_received: int | None
    response_time: TimeSplit
    service_time: TimeSplit
    lag: TimeSplit | None
    first_byte: TimeSplit
    engine_lag: TimeSplit | None
    lag_causes: dict[LagCause, LagPart] | None

    @property
    def ok(self) -> int:
        """Requests that ended ok."""
        return self.outcomes.get(Outcome.OK, 0)


class SessionInterval(Frozen):
    """The sessions of one group in one interval."""

    begun: int
    """Sessions whose first request was offered in it."""
    finished: int
    """Sessions that came to their end in it, by an answer that ends them, too."""
    ended_early: int
    """Those of them that an answer ended."""
    aborted: int
    """Sessions that a failed request ended."""
    cut: int
    """Sessions that the load's end or their user's leaving ended."""
    open: int
    """At its end."""

    @property
    def ended(self) -> int:
        """Finished and aborted: those that have a duration, or would without a failure."""
        return self.finished + self.aborted


class GroupInterval(Frozen):
    """One group in one interval."""

    users: int | None
    """Active at its end; none for a rate."""
    sessions: SessionInterval
    duration: TimeSplit
    """Of the sessions that ended in it: finished ones apart from aborted ones."""


class TimelineInterval(Frozen):
    """One line: usually a second, nanoseconds since the load began."""

    start_ns: int
    end_ns: int
    grace: bool
    """After the stop, when no request begins."""
    in_flight: int | None
    connections: int | None
    users: int | None
    """Active at its end; none for a rate."""
    cpu_ns: int | None
    """Of the engine."""
    longest_stall_ns: int | None
    """Of any worker of the engine."""
    waits: WaitFacts | None = None
    """Of all workers of the engine, for a CPU."""
    throttled: ThrottledFacts | None = None
    """By the quota of the engine's own control groups."""
    limited_by: tuple[LimitCause, ...] | None
    """By what the engine was the limit in it; empty where it was not."""
    connect: TimeSplit | None
    """Of the connections that were established or given up in it."""
    tls: TimeSplit | None
    """Of the TLS handshakes that ended in it."""
    operations: dict[str, OperationInterval] = Field(default_factory=dict)
    groups: dict[str, GroupInterval] = Field(default_factory=dict)
    """Empty where nobody tells."""

    @property
    def length_ns(self) -> int:
        """How long it took."""
        return self.end_ns - self.start_ns

    @property
    def ok(self) -> int:
        """Requests of all operations that ended ok."""
        return sum(operation.ok for operation in self.operations.values())

    @property
    def ended(self) -> int:
        """Requests of all operations that ended, with any outcome."""
        return sum(sum(each.outcomes.values()) for each in self.operations.values())


def read_timeline(path: Path) -> tuple[TimelineInterval, ...]:
    """Every interval in file order.

    A last line that is cut (the engine was killed while it wrote) is left out. `InputError` for a
    file that is missing and for any other line that is not one of this timeline.
    """
    try:
        lines = path.read_bytes().splitlines()
    except FileNotFoundError:
        raise InputError("the timeline is missing", path=path, remedy="do the run again") from None
    intervals = []
    for number, line in enumerate(lines, start=1):
        try:
            intervals.append(TimelineInterval.model_validate_json(line))
        except ValidationError as error:
            first = error.errors()[0]
            if number == len(lines) and first["type"] == "json_invalid":
                break
            raise InputError(
                first["msg"],
                path=path,
                line=number,
                key=".".join(map(str, first["loc"])) or None,
                remedy="the file was changed or is not the engine's: do the run again",
            ) from None
    return tuple(intervals)
