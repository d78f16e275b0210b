"""One completed run, reduced to what its figures are computed from.

Counts and distributions are over the window's intervals and the grace period that follows, so that
no request is lost that was in flight at the stop; rates are over the window's intervals alone. Only
intervals that lie wholly inside the window count.
"""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from loadstone.errors import InputError
from loadstone.results import folder
from loadstone.results.histograms import (
    TIMESTAMP_RESOLUTION_NS,
    Histogram,
    Key,
    merge,
    read_histograms,
)
from loadstone.results.outcomes import Clock, ConnectionClock, Outcome
from loadstone.results.record import LoadFacts, ProcessFacts, RunRecord, Window
from loadstone.results.resource_facts import ResourceFacts
from loadstone.results.timeline import TimelineInterval, read_timeline


@dataclass(frozen=True, eq=False)
class WindowedRun:
    """A completed run with its timeline, and its histograms merged over window and grace."""

    record: RunRecord
    load: LoadFacts
    window: Window
    timeline: tuple[TimelineInterval, ...]
    histograms: dict[Key, Histogram]

    @cached_property
    def inside(self) -> tuple[TimelineInterval, ...]:
        """The intervals that lie wholly inside the window."""
        return tuple(
            interval
            for interval in self.timeline
            if not interval.grace
            and interval.start_ns >= self.window.start_ns
            and interval.end_ns <= self.window.end_ns
        )

    @cached_property
    def grace(self) -> tuple[TimelineInterval, ...]:
        """The intervals after the stop."""
        return tuple(interval for interval in self.timeline if interval.grace)

    @cached_property
    def inside_ns(self) -> int:
        """Length of the window's intervals together."""
        return sum(interval.length_ns for interval in self.inside)

    def ok_inside(self, operation: str | None = None) -> int:
        """Requests that ended ok within the window's intervals."""
        return _outcomes(self.inside, operation)[Outcome.OK]

    def outcomes(self, operation: str | None = None) -> dict[Outcome, int]:
        """Of window and grace together, every outcome named; of all operations where none is."""
        counted = _outcomes(self.inside + self.grace, operation)
        return {outcome: counted[outcome] for outcome in Outcome}

    def histogram(
        self, clock: Clock | ConnectionClock, *, ok: bool, operation: str | None = None
    ) -> Histogram:
        """Of window and grace, of one operation or of all together."""
        return merge(
            [
                histogram
                for key, histogram in self.histograms.items()
                if key.clock == clock and key.ok == ok and operation in (None, key.operation)
            ]
        )

    @property
    def service(self) -> ProcessFacts | None:
        """The process under test; none where the run had only an address."""
        return next((each for each in self.record.processes if each.role == "service"), None)

    @property
    def service_resources(self) -> ResourceFacts | None:
        """What the process under test used over the window."""
        return None if self.service is None else self.record.resources.get(self.service.name)


def read_windowed_run(record: RunRecord, directory: Path) -> WindowedRun:
    """Read timeline and histograms of a completed run from its folder; `InputError` as they do."""
    load, window = record.load, record.window
    if record.status != "completed" or load is None or window is None:
        raise InputError(
            f"the run is {record.status} and has no window",
            path=directory / folder.RECORD,
            remedy="only a completed run has figures",
        )

    def counts(start_ns: int, end_ns: int) -> bool:
        inside = (
            start_ns >= window.start_ns - TIMESTAMP_RESOLUTION_NS
            and end_ns <= window.end_ns + TIMESTAMP_RESOLUTION_NS
        )
        return inside or start_ns >= load.load_ns - TIMESTAMP_RESOLUTION_NS

    return WindowedRun(
        record=record,
        load=load,
        window=window,
        timeline=read_timeline(directory / folder.TIMELINE),
        histograms=read_histograms(directory / folder.HISTOGRAMS, counts),
    )


def _outcomes(intervals: tuple[TimelineInterval, ...], operation: str | None) -> Counter[Outcome]:
    counted: Counter[Outcome] = Counter()
    for interval in intervals:
        for name, seen in interval.operations.items():
            if operation in (None, name):
                counted.update(seen.outcomes)
    return counted
