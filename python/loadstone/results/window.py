"""One completed run, reduced to what its figures are computed from.

Counts and distributions are over the window's intervals and the grace period that follows, so that
no request is lost that was in flight at the stop; rates are over the window's intervals alone. Only
intervals that lie wholly inside the window count. Where the load went on behind the window there is no
grace: as many requests were in flight at its begin, and are in it, as end behind it.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from loadstone.errors import InputError
from loadstone.metrics.outcomes import Clock, ConnectionClock, Outcome
from loadstone.results import folder
from loadstone.results.histogram_log import Key
from loadstone.results.histograms import Histogram, merge
from loadstone.results.interval_times import IntervalTimes
from loadstone.results.late_look import cut, until_window_end
from loadstone.results.load_facts import LoadFacts
from loadstone.results.record import ProcessFacts, RunRecord, Window
from loadstone.results.resource_facts import ResourceFacts
from loadstone.results.seconds import Seconds, Series, seconds_of, told_at
from loadstone.results.steady_load import SteadyLoad, steady_load
from loadstone.results.ticks import read_ticks
from loadstone.results.timeline import TimelineInterval, read_timeline
from loadstone.results.users import UserColumns, read_users
from loadstone.results.window_times import read_window_times


@dataclass(frozen=True, eq=False)
class WindowedRun:
    """A completed run with its timeline, and its histograms merged over window and grace."""

    record: RunRecord
    load: LoadFacts
    window: Window
    timeline: tuple[TimelineInterval, ...]
    histograms: dict[Key, Histogram]
    times: dict[str, tuple[IntervalTimes, ...]]
    """By operation: the response times of ok in each interval of window and grace, by the histogram
    log."""
    directory: Path
    """The run's folder."""
    late: tuple[TimelineInterval, ...] = ()
    """What came behind a window behind which the load went on; `timeline` ends with the window."""
    stored: RunRecord | None = None
    """The record of such a run as it was written: `record` is as if the load had ended."""

    @cached_property
    def ticks(self) -> pl.DataFrame | None:
        """The probe's rows; none where nothing was probed. `InputError` for a foreign file."""
        return read_ticks(self.directory / folder.RESOURCES)

    @cached_property
    def users(self) -> UserColumns | None:
        """What each closed user got; none of a rate, and where nobody tells. `InputError` for a foreign
        file.
        """
        return read_users(self.directory / folder.USERS) if self.load.arrivals == "users" else None

    @cached_property
    def users_throughout(self) -> NDArray[np.int64]:
        """Places of those who were there from the time on from which they are told, and never went."""
        users, asked = self.users, self.record.arrivals
        if users is None or asked is None:
            return np.zeros(0, dtype=np.int64)
        return users.there_throughout(asked.lowest(users.from_ns, self.load.load_ns))

    @cached_property
    def seconds(self) -> Seconds:
        """The whole load second by second."""
        services = [each.name for each in self.services]
        return seconds_of(self.timeline, self.ticks, services, self.load.started_unix_ns)

    def told_at(
        self, column: str, times_ns: Series, services: Sequence[str] | None = None
    ) -> Series | None:
        """What the probe's column comes to at each time since the load began, over some services or
        all; none where it does not tell it of each.
        """
        names = [each.name for each in self.services] if services is None else services
        return told_at(self.ticks, names, self.load.started_unix_ns, column, times_ns)

    @cached_property
    def steadiness(self) -> SteadyLoad | None:
        """Whether and from when on the load was steady; none where it was too short to tell."""
        return steady_load(self.seconds)

    @property
    def asks_steadily(self) -> bool:
        """Whether users or rate were the same throughout the window; of another tool, as it tells."""
        if self.record.source is not None:
            users = {each.users for each in self.timeline if not each.grace}
            return self.load.arrivals == "users" and len(users) == 1
        arrivals = self.record.arrivals
        return arrivals is None or arrivals.changes_ns <= self.window.start_ns

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

    @property
    def in_flight_behind(self) -> int:
        """Requests in flight at the end of a window behind which the load went on: none of its own."""
        return (self.inside[-1].in_flight or 0) if self.late and self.inside else 0

    def ok_inside(self, operation: str | None = None) -> int:
        """Requests that ended ok within the window's intervals."""
        return _sum_of(self._ended_inside, operation)[Outcome.OK]

    def outcomes(self, operation: str | None = None) -> dict[Outcome, int]:
        """Of window and grace together, every outcome named; of all operations where none is."""
        counted = _sum_of(self._ended_inside, operation) + _sum_of(self._ended_in_grace, operation)
        return {outcome: counted[outcome] for outcome in Outcome}

    @cached_property
    def _ended_inside(self) -> dict[str, Counter[Outcome]]:
        return _outcomes(self.inside)

    @cached_property
    def _ended_in_grace(self) -> dict[str, Counter[Outcome]]:
        return _outcomes(self.grace)

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
        """The service that was called; none where the run had only an address."""
        return self.record.service

    @property
    def services(self) -> tuple[ProcessFacts, ...]:
        """Every service of the arm, the one that was called first."""
        return self.record.services

    @property
    def service_resources(self) -> ResourceFacts | None:
        """What the services of the arm used over the window, all together."""
        used = [self.record.resources.get(each.name) for each in self.services]
        known = [each for each in used if each is not None]
        if not known or len(known) < len(used):
            return None
        return known[0] if len(known) == 1 else together(known)

    @property
    def dependency_cpu_ns(self) -> int | None:
        """CPU time of all dependencies over the window; none where none is, or one is not known."""
        used = [
            self.record.resources.get(each.name)
            for each in self.record.processes
            if each.role == "dependency"
        ]
        return _sum([None if each is None else each.cpu_ns for each in used]) if used else None


def together(parts: Sequence[ResourceFacts]) -> ResourceFacts:
    """Return the use of several process groups that share their CPUs.

    Sums, none where a part is not known; that of the memory is an upper bound, since the peaks need not
    have been at the same time. A part that is held back or fills its own quota limits them all: the
    shares are those of the fullest part, or of all parts over the CPUs that they share if that is more.
    """
    cpu_ns = _sum([each.cpu_ns for each in parts])
    shares = [each.cpu_share for each in parts if each.cpu_share is not None]
    usable_ns = [each.cpu_ns / each.cpu_share for each in parts if each.cpu_ns and each.cpu_share]
    if cpu_ns is not None and usable_ns:
        shares.append(cpu_ns / max(usable_ns))
    throttled = [each.throttled_share for each in parts if each.throttled_share is not None]
    return ResourceFacts(
        cpu_ns=cpu_ns,
        cpu_share=None if cpu_ns is None else max(shares, default=None),
        throttled_share=max(throttled, default=None),
        rss_peak_bytes=_sum([each.rss_peak_bytes for each in parts]),
    )


def _sum(values: Sequence[int | None]) -> int | None:
    known = [each for each in values if each is not None]
    return sum(known) if len(known) == len(values) else None


def read_windowed_run(record: RunRecord, directory: Path) -> WindowedRun:
    """Read timeline and histograms of a completed run from its folder; `InputError` as they do."""
    load, window = record.load, record.window
    if record.status != "completed" or load is None or window is None:
        raise InputError(
            f"the run is {record.status} and has no window",
            path=directory / folder.RECORD,
            remedy="only a completed run has figures",
        )

    times = read_window_times(directory / folder.HISTOGRAMS, window, load.load_ns)
    whole = read_timeline(directory / folder.TIMELINE)
    timeline, late = cut(whole, window)
    shorter = until_window_end(record, whole)
    return WindowedRun(
        record=shorter,
        load=shorter.load or load,
        window=window,
        timeline=timeline,
        late=late,
        stored=record if late else None,
        histograms=times.histograms,
        times=times.intervals,
        directory=directory,
    )


def _outcomes(intervals: Sequence[TimelineInterval]) -> dict[str, Counter[Outcome]]:
    """By operation."""
    counted: dict[str, Counter[Outcome]] = {}
    for interval in intervals:
        for name, seen in interval.operations.items():
            of_operation = counted.setdefault(name, Counter())
            for outcome, times in seen.outcomes.items():
                of_operation[outcome] += times
    return counted


def _sum_of(counted: dict[str, Counter[Outcome]], operation: str | None) -> Counter[Outcome]:
    """Of one operation, or of all."""
    if operation is not None:
        return counted.get(operation, Counter())
    return sum(counted.values(), Counter[Outcome]())
