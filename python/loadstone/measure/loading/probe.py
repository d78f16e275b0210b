"""What the run costs, seen from the outside: process groups, the machine's CPUs, and the machine.

A process group is the child and everything below it, or whatever is in its control group. Its CPU time
is the control group's where it has one; else the time of children that have ended is counted once
their parent has waited for them.
"""

import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict
from io import BytesIO
from pathlib import Path
from threading import Event, Thread
from typing import NamedTuple

import polars as pl

from loadstone.deploy.confinement.interface import Confinement
from loadstone.machine import procfs
from loadstone.machine.compile_threads import CompileThreads
from loadstone.results.resource_facts import ProbeFacts
from loadstone.results.write import writing

TICK_SECONDS = 0.2
"""The design's probing interval."""

COMPILE_TICKS = 5
"""Compile threads are looked at in one of so many ticks, once a second: whether a runtime compiles is
asked by the second, and a JVM has dozens of threads to look through.
"""

CLOCK_READINGS = 3
CLOCK_READING_NS = 10_000
"""The two clocks can only be read one after the other, which takes less than a microsecond. Where it
took longer, the thread lost its CPU in between, and they are read again."""

_COUNTERS = (
    "cpu_ns",
    "idle_ns",
    "steal_ns",
    "throttled_ns",
    "compile_run_ns",
    "compile_wait_ns",
    "rss_bytes",
    "threads",
    "processes",
    "youngest_start_ns",
    "minor_faults",
    "major_faults",
    "voluntary_switches",
    "involuntary_switches",
    "runnable",
    "cpu_pressure_ns",
    "memory_pressure_ns",
    "io_pressure_ns",
    "disk_read_bytes",
    "disk_written_bytes",
    "swapped_bytes",
    "network_bytes",
    "loopback_bytes",
    "frequency_hz",
)
SCHEMA = {
    "unix_ns": pl.Int64,
    "kind": pl.String,
    "name": pl.String,
    "monotonic_ns": pl.Int64,
    **dict.fromkeys(_COUNTERS, pl.Int64),
    **dict.fromkeys(("load_1", "load_5", "load_15"), pl.Float64),
}

_Row = dict[str, int | float | str | None]

_OF_GROUPS = (
    "cpu_ns",
    "throttled_ns",
    "rss_bytes",
    "threads",
    "processes",
    "youngest_start_ns",
    "minor_faults",
    "major_faults",
    "voluntary_switches",
    "involuntary_switches",
)
"""What a row of a process group counts."""
_NOTHING_NOW: _Row = {
    "rss_bytes": 0,
    "threads": 0,
    "processes": 0,
    "compile_run_ns": None,
    "compile_wait_ns": None,
}
"""What a group has that has ended."""


class GroupTick(NamedTuple):
    """What one tick saw of a process group."""

    unix_ns: int
    monotonic_ns: int
    cpu_ns: int
    compile_run_ns: int | None
    """For how long its compile threads have run; none in ticks that did not look at them."""
    compile_wait_ns: int | None
    """For how long they have waited for a CPU."""


class Probe:
    """Collects one row per tick and process group, one per tick and CPU, and one of the machine."""

    def __init__(
        self,
        leaders: Mapping[str, int],
        cpus: tuple[int, ...],
        confined: Mapping[str, Confinement] | None = None,
        compile_threads: Mapping[str, tuple[str, ...]] | None = None,
    ) -> None:
        """Watch the groups under these leaders; the lab itself is watched without its children.

        `confined` are those of the groups that the kernel counts, `compile_threads` the names of such
        threads in those of the groups that have some.
        """
        self._leaders: Mapping[str, int] = leaders
        self._cpus = cpus
        self._confined: Mapping[str, Confinement] = confined or {}
        self._compilers = {
            name: CompileThreads(threads)
            for name, threads in (compile_threads or {}).items()
            if threads
        }
        self._rows: list[_Row] = []
        self._group_ticks: Mapping[str, list[GroupTick]] = {name: [] for name in leaders}
        self._last: dict[str, _Row] = {}
        self._let_go: set[str] = set()
        self._added: list[pl.DataFrame] = []
        self._ticks, self._cpu_ns = 0, 0
        self._broken: Exception | None = None

    @contextmanager
    def ticking(self) -> Iterator[None]:
        """Take a row of each every `TICK_SECONDS` while the block runs, in a thread of its own.

        The thread gives way to everything else on its CPU: in a tick the engine would otherwise miss
        what was due. So the first rows are taken before it begins: on a busy machine it may have no
        turn until the load is under way, which would then have no beginning. An error ends the ticking
        and not the block: `table` raises it.
        """
        end = Event()

        def tick_until_end() -> None:
            with suppress(OSError):  # a sandbox may forbid it; then the lag shows
                os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
            while self._broken is None and not end.wait(TICK_SECONDS):
                self._tick_or_break()

        self._tick_or_break()
        thread = Thread(target=tick_until_end)
        thread.start()
        try:
            yield
        finally:
            end.set()
            thread.join()

    def _tick_or_break(self) -> None:
        try:
            self.tick()
        except Exception as error:  # for whoever wants the table: the load shall go on
            self._broken = error

    def tick(self) -> None:
        """Take a row of each now."""
        began_ns = time.thread_time_ns()
        unix_ns, monotonic_ns = clocks()
        times: _Row = {"unix_ns": unix_ns, "monotonic_ns": monotonic_ns}
        for name, leader in self._leaders.items():
            self._take_group(name, leader, unix_ns, monotonic_ns)
        used = procfs.cpu_times()
        for cpu in self._cpus:
            self._rows.append({**times, "kind": "cpu", "name": str(cpu), **asdict(used[cpu])})
        machine = asdict(procfs.machine_counters(self._cpus))
        self._rows.append({**times, "kind": "machine", "name": "machine", **machine})
        self._ticks += 1
        self._cpu_ns += time.thread_time_ns() - began_ns

    def watch(self, name: str, leader: int, confined: Confinement) -> None:
        """Watch one more group from now on. Until now it used nothing: its first two rows say so."""
        now = clocks()
        first = self._rows[0] if self._rows else None
        began = now if first is None else (first["unix_ns"], first["monotonic_ns"])
        for unix_ns, monotonic_ns in (began, now):
            times = {"unix_ns": unix_ns, "monotonic_ns": monotonic_ns}
            nothing = dict.fromkeys(_OF_GROUPS, 0)
            self._rows.append({"kind": "process", "name": name, **times, **nothing})
        self._confined = {**self._confined, name: confined}
        self._group_ticks = {**self._group_ticks, name: []}
        self._leaders = {**self._leaders, name: leader}

    def follow(self, name: str, leader: int) -> None:
        """A group has another leader: it was ended, and started again."""
        self._leaders = {**self._leaders, name: leader}

    def let_go(self, name: str) -> None:
        """A group ends on purpose: then what it used stays what it was."""
        self._let_go.add(name)

    def add(self, rows: pl.DataFrame) -> None:
        """Have rows in the table that the probe of another machine took, of other processes."""
        self._added.append(rows.select(list(SCHEMA)))

    def _take_group(self, name: str, leader: int, unix_ns: int, monotonic_ns: int) -> None:
        is_lab = leader == os.getpid()
        pids = (leader,) if is_lab else tuple(procfs.with_descendants(leader))
        counters = procfs.group_counters(pids, with_children=not is_lab)
        if counters is None:
            if name in self._let_go and name in self._last:
                gone = {"unix_ns": unix_ns, "monotonic_ns": monotonic_ns, **_NOTHING_NOW}
                self._rows.append({**self._last[name], **gone})
            return
        cpu_ns, throttled_ns = counters.cpu_ns, None
        if name in self._confined:
            usage = self._confined[name].usage()
            throttled_ns = usage.throttled_ns
            if usage.cpu_ns is not None:
                cpu_ns = usage.cpu_ns
        compiled = None
        if name in self._compilers and self._ticks % COMPILE_TICKS == 0:
            compiled = self._compilers[name].look(pids)
        tick = GroupTick(unix_ns, monotonic_ns, cpu_ns, *(compiled or (None, None)))
        self._group_ticks[name].append(tick)
        row: _Row = {**asdict(counters), **tick._asdict(), "throttled_ns": throttled_ns}
        self._last[name] = {"kind": "process", "name": name, **row}
        self._rows.append(self._last[name])

    def counters(self, name: str) -> list[GroupTick]:
        """Return what was seen so far of one process group; none of a group that is not watched.

        For another thread while this one ticks: it copies references, and is cheap in each second.
        """
        return list(self._group_ticks.get(name, ()))

    def facts(self) -> ProbeFacts:
        """Return what the ticks have cost so far."""
        return ProbeFacts(ticks=self._ticks, cpu_ns=self._cpu_ns)

    def write(self, path: Path) -> None:
        """Write every row taken so far as Parquet. Raises RecordsUnwritable."""
        buffer = BytesIO()  # of a full disk polars itself says something else each time
        self._frame().write_parquet(buffer)
        with writing(path):
            path.write_bytes(buffer.getvalue())

    def table(self) -> pl.DataFrame:
        """Return the rows taken so far. Raises what ended the ticking before its time."""
        if self._broken is not None:
            raise self._broken
        return self._frame()

    def _frame(self) -> pl.DataFrame:
        return pl.concat([pl.DataFrame(self._rows, schema=SCHEMA), *self._added])


def clocks() -> tuple[int, int]:
    """Read two clocks at the same moment: the wall clock, which can be set, and the monotonic one.

    Returns both in nanoseconds, the first since 1970. Their difference shows when the first was set.
    """
    readings = []
    for _ in range(CLOCK_READINGS):
        before_ns, unix_ns, after_ns = time.monotonic_ns(), time.time_ns(), time.monotonic_ns()
        readings.append((after_ns - before_ns, unix_ns, (before_ns + after_ns) // 2))
        if after_ns - before_ns < CLOCK_READING_NS:
            break
    _, unix_ns, monotonic_ns = min(readings)
    return unix_ns, monotonic_ns
