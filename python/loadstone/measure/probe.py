"""What the run costs, seen from the outside: CPU time and memory of each process group, and the
machine's CPUs.

A process group is the child and everything below it. The time of a child's children that have ended
is counted when their parent has waited for them; groups that lose children otherwise need a control
group, which later placement brings.
"""

import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread

import numpy as np
import polars as pl
import psutil

from loadstone.results.record import CpuBusy, ResourceFacts, Window

TICK_SECONDS = 0.2
"""The design's probing interval."""

_SCHEMA = {
    "unix_ns": pl.Int64,
    "kind": pl.String,
    "name": pl.String,
    "cpu_ns": pl.Int64,
    "steal_ns": pl.Int64,
    "rss_bytes": pl.Int64,
    "threads": pl.Int64,
    "processes": pl.Int64,
    "voluntary_switches": pl.Int64,
    "involuntary_switches": pl.Int64,
}

_Row = dict[str, int | str | None]


class Probe:
    """Collects one row per tick and process group, and one per tick and CPU."""

    def __init__(self, leaders: Mapping[str, int], cpus: tuple[int, ...]) -> None:
        """Watch the groups under these leaders; the lab itself is watched without its children."""
        self._leaders = {name: psutil.Process(pid) for name, pid in leaders.items()}
        self._cpus = cpus
        self._rows: list[_Row] = []

    @contextmanager
    def ticking(self) -> Iterator[None]:
        """Take a row of each every `TICK_SECONDS` while the block runs, in a thread of its own.

        The thread gives way to everything else on its CPU: a tick takes 2 ms, in which the engine
        would otherwise miss what was due.
        """
        end = Event()

        def tick_until_end() -> None:
            with suppress(OSError):  # a sandbox may forbid it; then the lag shows
                os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
            self.tick()
            while not end.wait(TICK_SECONDS):
                self.tick()

        thread = Thread(target=tick_until_end)
        thread.start()
        try:
            yield
        finally:
            end.set()
            thread.join()

    def tick(self) -> None:
        """Take a row of each now."""
        unix_ns = time.time_ns()
        for name, leader in self._leaders.items():
            with suppress(psutil.Error):
                group = _group(leader, alone=leader.pid == os.getpid())
                self._rows.append({"unix_ns": unix_ns, "kind": "process", "name": name, **group})
        times = psutil.cpu_times(percpu=True)
        for cpu in self._cpus:
            used = times[cpu]  # guest time is part of user time; stolen time was not ours to use
            busy = used.user + used.nice + used.system + used.irq + used.softirq
            self._rows.append(
                {
                    "unix_ns": unix_ns,
                    "kind": "cpu",
                    "name": str(cpu),
                    "cpu_ns": round(busy * 1e9),
                    "steal_ns": round(used.steal * 1e9),
                }
            )

    def write(self, path: Path) -> None:
        """Write every row taken so far as Parquet."""
        self.table().write_parquet(path)

    def table(self) -> pl.DataFrame:
        """Return the rows taken so far."""
        return pl.DataFrame(self._rows, schema=_SCHEMA)


def _group(leader: psutil.Process, *, alone: bool) -> _Row:
    members = [leader] if alone else [leader, *_descendants(leader.pid)]
    cpu = rss = threads = counted = voluntary = involuntary = 0.0
    for member in members:
        with suppress(psutil.Error), member.oneshot():
            times, switches = member.cpu_times(), member.num_ctx_switches()
            cpu += times.user + times.system
            if not alone:
                cpu += times.children_user + times.children_system
            rss += member.memory_info().rss
            threads += member.num_threads()
            voluntary += switches.voluntary
            involuntary += switches.involuntary
            counted += 1
    if not counted:
        raise psutil.NoSuchProcess(leader.pid)
    return {
        "cpu_ns": round(cpu * 1e9),
        "rss_bytes": int(rss),
        "threads": int(threads),
        "processes": int(counted),
        "voluntary_switches": int(voluntary),
        "involuntary_switches": int(involuntary),
    }


def _descendants(pid: int) -> Iterator[psutil.Process]:
    """Yield every process below one, from the kernel's own lists.

    Walking all of /proc instead takes milliseconds, which the engine on the same CPU would miss.
    """
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError, psutil.Error):
            for child in path.read_text().split():
                yield psutil.Process(int(child))
                yield from _descendants(int(child))


def resources(
    table: pl.DataFrame, name: str, window: Window, load_started_unix_ns: int, cpus: int
) -> ResourceFacts:
    """Return the use of one process group over the window.

    CPU time at the window's edges is interpolated between ticks; it comes in the kernel's ticks of
    10 ms, so a window of seconds resolves it to about 0.1 %.
    """
    rows = table.filter((pl.col("kind") == "process") & (pl.col("name") == name)).sort("unix_ns")
    cpu_ns = _over_window(rows, "cpu_ns", window, load_started_unix_ns)
    peak = rows["rss_bytes"].max()
    length_ns = window.end_ns - window.start_ns
    return ResourceFacts(
        cpu_ns=None if cpu_ns is None else round(cpu_ns),
        cpu_share=None if cpu_ns is None else cpu_ns / (length_ns * max(cpus, 1)),
        rss_peak_bytes=peak if isinstance(peak, int) else None,
    )


def cpu_busy(table: pl.DataFrame, window: Window, load_started_unix_ns: int) -> tuple[CpuBusy, ...]:
    """Return how busy each probed CPU was over the window; a CPU without two ticks in reach is left
    out.
    """
    found = []
    length_ns = window.end_ns - window.start_ns
    for name in table.filter(pl.col("kind") == "cpu")["name"].unique(maintain_order=True):
        rows = table.filter((pl.col("kind") == "cpu") & (pl.col("name") == name)).sort("unix_ns")
        busy = _over_window(rows, "cpu_ns", window, load_started_unix_ns)
        steal = _over_window(rows, "steal_ns", window, load_started_unix_ns)
        if busy is not None and steal is not None:
            found.append(
                CpuBusy(cpu=int(name), busy_share=busy / length_ns, steal_share=steal / length_ns)
            )
    return tuple(found)


def _over_window(
    rows: pl.DataFrame, column: str, window: Window, load_started_unix_ns: int
) -> float | None:
    """Return a counter's growth over the window, none where the ticks do not reach over both edges."""
    if rows.height < 2:
        return None
    times = rows["unix_ns"].to_numpy() - load_started_unix_ns
    slack_ns = 2 * TICK_SECONDS * 1e9  # the first and last tick may lie just inside
    if times[0] > window.start_ns + slack_ns or times[-1] < window.end_ns - slack_ns:
        return None
    start, end = np.interp([window.start_ns, window.end_ns], times, rows[column].to_numpy())
    return float(end - start)
