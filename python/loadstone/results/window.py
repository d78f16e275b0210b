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
from loadstone.metrics.outcomes import Outcome, SessionClock
from loadstone.results import folder
from loadstone.results.histogram_log import AnyClock, Key
from loadstone.results.histograms import Histogram, merge
from loadstone.results.interval_times import IntervalTimes
from loadstone.results.late_look import cut, until_window_end
from loadstone.results.load_facts import LoadFacts
from loadstone.results.parts import Part, by_group, named, over_groups
from loadstone.results.record import ASKED_ROLES, ProcessFacts, RunRecord, Window
from loadstone.results.resource_facts import CpuBusy, ResourceFacts
from loadstone.results.seconds import Seconds, Series, seconds_of, told_at
from loadstone.results.service_facts import SETTLE_NS
from loadstone.results.session_counts import SessionCounts, sessions_in
from loadstone.results.steady_load import SteadyLoad, steady_load
from loadstone.results.ticks import read_ticks
from loadstone.results.timeline import TimelineInterval, read_timeline
from loadstone.results.users import UserColumns, read_users
from loadstone.results.window_times import read_window_times
from loadstone.study.values.arrivals import Users


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
        """What each closed user got; none of rates, and where nobody tells. `InputError` for a foreign
        file.
        """
        return read_users(self.directory / folder.USERS) if self.load.arrivals != "rate" else None

    @cached_property
    def users_throughout(self) -> dict[str, NDArray[np.int64]]:
        """By closed group, whose name is empty in a record that names none: places of the users who
        were there from the time on from which they are told, and never went.
        """
        users = self.users
        if users is None:
            return {}
        return {
            name: users.there_throughout(asked.lowest(users.from_ns, self.load.load_ns), name)
            for name, asked in self.record.asked_groups.items()
            if isinstance(asked.arrivals, Users)
        }

    @cached_property
    def groups(self) -> dict[str, Part]:
        """Each group, in the order of the workload; empty where the record tells of none."""
        told = self.load.groups
        asked = [name for name in self.record.groups if name in told]
        return by_group(self.record.operations, dict.fromkeys((*asked, *told)))

    @cached_property
    def over_groups(self) -> dict[str, Part]:
        """Each operation that several groups perform, all of them together."""
        return over_groups(self.record.operations)

    @cached_property
    def purpose(self) -> Part | None:
        """What the sessions are for; none where the workload names nothing."""
        name = self.record.purpose
        return None if name is None else named(self.record.operations, name)

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
        """Whether and from when on the load was steady; none where it was too short to tell, or the
        services had other CPUs before its window.
        """
        return None if self._cpus_change else steady_load(self.seconds)

    @property
    def _cpus_change(self) -> bool:
        held = (each.confinement for each in self.services)
        return any(each is not None and each.warm_up_cpus is not None for each in held)

    @property
    def alike_from_ns(self) -> int:
        """From when on seconds before the window tell of it: users, rate and CPUs are those of it.

        Fewer CPUs come with the window, or `SETTLE_NS` before it where its warm-up was seen to end.
        """
        if not self._cpus_change:
            return self.record.changes_ns
        seen = self.window.steady_by not in (None, "cap")
        settled_ns = self.window.start_ns - (SETTLE_NS if seen else 0)
        return max(self.record.changes_ns, settled_ns)

    @property
    def asks_steadily(self) -> bool:
        """Whether users or rate were the same throughout the window, and so was the system."""
        return self.load_is_even and not self.record.faults

    @property
    def load_is_even(self) -> bool:
        """Whether users or rate were the same throughout the window; of another tool, as it tells."""
        if self.record.source is not None:
            users = {each.users for each in self.timeline if not each.grace}
            return self.load.arrivals == "users" and len(users) == 1
        return self.record.changes_ns <= self.window.start_ns

    @cached_property
    def users_pause(self) -> bool:
        """Whether closed users paused between their requests; of another tool nothing is known."""
        if self.load.groups:
            closed = (each for each in self.load.groups.values() if each.arrivals == "users")
            return any(each.think.sum_ns for each in closed)
        return self.record.think is not None

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

    def ok_inside(self, part: Part | None = None) -> int:
        """Requests that ended ok within the window's intervals."""
        return _sum_of(self._ended_inside, part)[Outcome.OK]

    def outcomes(self, part: Part | None = None) -> dict[Outcome, int]:
        """Of window and grace together, every outcome named; of all operations where no part is."""
        counted = _sum_of(self._ended_inside, part) + _sum_of(self._ended_in_grace, part)
        return {outcome: counted[outcome] for outcome in Outcome}

    def sessions(self, part: Part | None = None) -> SessionCounts | None:
        """Sessions that ended in window and grace, of the part's groups or of all; none where they are
        not told, or the part has no whole group.
        """
        return sessions_in((*self.inside, *self.grace), None if part is None else part.groups)

    def sessions_inside(self, part: Part | None = None) -> SessionCounts | None:
        """The same within the window's intervals."""
        return sessions_in(self.inside, None if part is None else part.groups)

    @cached_property
    def _ended_inside(self) -> dict[str, Counter[Outcome]]:
        return _outcomes(self.inside)

    @cached_property
    def _ended_in_grace(self) -> dict[str, Counter[Outcome]]:
        return _outcomes(self.grace)

    def histogram(self, clock: AnyClock, *, ok: bool, part: Part | None = None) -> Histogram:
        """Of window and grace, of a part or of all together."""
        return merge(
            [
                histogram
                for key, histogram in self.histograms.items()
                if key.clock == clock and key.ok == ok and _is_of(key, part)
            ]
        )

    @property
    def service(self) -> ProcessFacts | None:
        """The service that was called; none where the run had only an address."""
        return self.record.service

    @property
    def services(self) -> tuple[ProcessFacts, ...]:
        """Every process of the services that were measured, that of the one that was called first."""
        return self.record.services

    @property
    def service_resources(self) -> ResourceFacts | None:
        """What the services of the arm used over the window, all together."""
        used = [self.record.resources.get(each.name) for each in self.services]
        known = [each for each in used if each is not None]
        if not known or len(known) < len(used):
            return None
        if len(known) == 1:
            return known[0]
        return together(known, self.service_cpus * (self.window.end_ns - self.window.start_ns))

    @property
    def service_cpus(self) -> int:
        """How many CPUs the services could use, of all of their machines."""
        return len({(each.machine, cpu) for each in self.services for cpu in each.cpus})

    @property
    def service_cpus_here(self) -> frozenset[int]:
        """The CPUs that services could use on the machine that leads, whose CPUs are the record's."""
        return frozenset(cpu for each in self.services if each.machine is None for cpu in each.cpus)

    @property
    def dependency_cpu_ns(self) -> int | None:
        """CPU time of all dependencies over the window; none where none is, or one is not known."""
        return self._cpu_ns(("dependency",))

    @property
    def bench_service_cpu_ns(self) -> int | None:
        """The same of the services that stood with what measured."""
        return self._cpu_ns(("bench",))

    @property
    def asked_cpu_ns(self) -> int | None:
        """The same of both: of all that the services of the arm ask."""
        return self._cpu_ns(ASKED_ROLES)

    @property
    def databases(self) -> tuple[ProcessFacts, ...]:
        """The dependencies that count what they were asked to do."""
        return tuple(each for each in self.record.processes if each.database_work is not None)

    @property
    def database_rows(self) -> tuple[int, int] | None:
        """Rows of all tables of all databases together, before the load and behind it; none where a
        database was not counted.
        """
        told = [(each.rows_before, each.rows_after) for each in self.databases]
        known = [
            (before, after) for before, after in told if before is not None and after is not None
        ]
        if not known or len(known) < len(told):
            return None
        before, after = (
            sum(sum(rows.values()) for rows in side) for side in zip(*known, strict=True)
        )
        return before, after

    @property
    def database_cpu_ns(self) -> int | None:
        """CPU time of all databases over the window; none where none is, or one is not known."""
        return self._cpu_of(self.databases)

    @property
    def stores(self) -> tuple[ProcessFacts, ...]:
        """The dependencies that keep keys and count what they were asked."""
        return tuple(each for each in self.record.processes if each.store_work is not None)

    @property
    def store_cpu_ns(self) -> int | None:
        """CPU time of all stores over the window; none where none is, or one is not known."""
        return self._cpu_of(self.stores)

    @property
    def whole_ok(self) -> int:
        """Requests of the whole load that ended ok, what came behind the window included."""
        return (self.stored or self.record).outcomes.get(Outcome.OK, 0)

    @property
    def busiest_bench_cpu(self) -> CpuBusy | None:
        """The busiest CPU that engine, dependencies and probe could use and the services could not.

        None where nobody knows which CPU those use.
        """
        if not self.services:
            return None
        bench = {
            cpu for each in self.record.here if each.role != "service" for cpu in each.cpus
        } - self.service_cpus_here
        of_bench = (cpu for cpu in self.record.cpus if cpu.cpu in bench)
        return max(of_bench, key=lambda cpu: cpu.busy_share, default=None)

    def _cpu_ns(self, roles: Sequence[str]) -> int | None:
        return self._cpu_of([each for each in self.record.processes if each.role in roles])

    def _cpu_of(self, processes: Sequence[ProcessFacts]) -> int | None:
        used = [self.record.resources.get(each.name) for each in processes]
        return _sum([None if each is None else each.cpu_ns for each in used]) if used else None


def together(parts: Sequence[ResourceFacts], shared_ns: int) -> ResourceFacts:
    """Return the use of several process groups on CPUs that together had so much time for them.

    Sums, none where a part is not known; that of the memory is an upper bound, since the peaks need not
    have been at the same time. A part that is held back or fills its own quota limits them all: the
    shares are those of the fullest part, or of all parts over the time of their CPUs if that is more.
    """
    cpu_ns = _sum([each.cpu_ns for each in parts])
    shares = [each.cpu_share for each in parts if each.cpu_share is not None]
    if cpu_ns is not None and shared_ns:
        shares.append(cpu_ns / shared_ns)
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


def _sum_of(counted: dict[str, Counter[Outcome]], part: Part | None) -> Counter[Outcome]:
    """Of a part, or of all."""
    chosen = (
        outcomes for name, outcomes in counted.items() if part is None or name in part.operations
    )
    return sum(chosen, Counter[Outcome]())


def _is_of(key: Key, part: Part | None) -> bool:
    if part is None:
        return True
    return key.operation in (
        part.groups if isinstance(key.clock, SessionClock) else part.operations
    )
