"""The probe's ticks, reduced to what was used over the window. Pure functions on its table."""

import numpy as np
import polars as pl

from loadstone.measure.loading.probe import TICK_SECONDS
from loadstone.results.record import Window
from loadstone.results.resource_facts import CpuBusy, MachineFacts, ResourceFacts
from loadstone.results.ticks import rows_of, since_load_ns

_COUNTED = ("voluntary_switches", "involuntary_switches", "minor_faults", "major_faults")


def resources(
    table: pl.DataFrame, name: str, window: Window, load_started_unix_ns: int, cpus: float
) -> ResourceFacts:
    """Return the use of one process group over the window.

    CPU time at the window's edges is interpolated between ticks; without a control group it comes in
    the kernel's ticks of 10 ms, so a window of seconds resolves it to about 0.1 %. `cpus` are those
    that it could use, a quota among them.
    """
    rows = _until_end(rows_of(table, name), window, load_started_unix_ns)

    def grown(column: str) -> float | None:
        return _over_window(rows, column, window, load_started_unix_ns)

    cpu_ns, throttled_ns = grown("cpu_ns"), grown("throttled_ns")
    length_ns = window.end_ns - window.start_ns
    return ResourceFacts(
        cpu_ns=_rounded(cpu_ns),
        cpu_share=None if cpu_ns is None else cpu_ns / (length_ns * (cpus or 1)),
        throttled_share=None if throttled_ns is None else throttled_ns / length_ns,
        rss_peak_bytes=_highest(rows, "rss_bytes"),
        threads_peak=_highest(rows, "threads"),
        **{name: _rounded(grown(name)) for name in _COUNTED},
    )


def cpu_busy(table: pl.DataFrame, window: Window, load_started_unix_ns: int) -> tuple[CpuBusy, ...]:
    """Return how busy each probed CPU was over the window; a CPU without two ticks in reach is left
    out.
    """
    found = []
    length_ns = window.end_ns - window.start_ns
    for name in table.filter(pl.col("kind") == "cpu")["name"].unique(maintain_order=True):
        rows = table.filter((pl.col("kind") == "cpu") & (pl.col("name") == name))
        idle = _over_window(rows, "idle_ns", window, load_started_unix_ns)
        steal = _over_window(rows, "steal_ns", window, load_started_unix_ns)
        if idle is not None and steal is not None:
            idle_share, steal_share = idle / length_ns, steal / length_ns
            found.append(
                CpuBusy(
                    cpu=int(name),
                    busy_share=max(0.0, 1 - idle_share - steal_share),  # of steps of 10 ms
                    steal_share=steal_share,
                    idle_share=idle_share,
                )
            )
    return tuple(found)


def machine(table: pl.DataFrame, window: Window, load_started_unix_ns: int) -> MachineFacts | None:
    """Return what the machine as a whole did over the window; none where no tick fell into it."""
    rows = table.filter(pl.col("kind") == "machine")
    rows = _until_end(rows, window, load_started_unix_ns)
    times = pl.Series(since_load_ns(rows, load_started_unix_ns))
    inside = rows.filter((times >= window.start_ns) & (times <= window.end_ns))
    if inside.is_empty():
        return None
    length_ns = window.end_ns - window.start_ns

    def grown(column: str) -> float | None:
        return _over_window(rows, column, window, load_started_unix_ns)

    def pressure(resource: str) -> float | None:
        waited_ns = grown(f"{resource}_pressure_ns")
        return None if waited_ns is None else waited_ns / length_ns

    last = inside.row(-1, named=True)
    read, written = grown("disk_read_bytes"), grown("disk_written_bytes")
    return MachineFacts(
        runnable_mean=_mean(inside, "runnable") or 0.0,
        load_1=last["load_1"],
        load_5=last["load_5"],
        load_15=last["load_15"],
        cpu_pressure_share=pressure("cpu"),
        memory_pressure_share=pressure("memory"),
        io_pressure_share=pressure("io"),
        disk_bytes=None if read is None or written is None else round(read + written),
        swapped_bytes=_rounded(grown("swapped_bytes")),
        network_bytes=_rounded(grown("network_bytes")),
        frequency_hz=_mean(inside, "frequency_hz"),
        clock_jump_ns=_clock_jump_ns(rows),
    )


def _until_end(rows: pl.DataFrame, window: Window, load_started_unix_ns: int) -> pl.DataFrame:
    """All ticks of a load that ended with its window; of one that went on, those of as long a load, and
    the first behind it, which a counter needs.
    """
    if not window.late_look_ns or rows.is_empty():
        return rows
    behind = int((since_load_ns(rows, load_started_unix_ns) < window.end_ns).sum())
    return rows.head(behind + 1)


def _clock_jump_ns(rows: pl.DataFrame) -> int | None:
    """Return the largest change of the wall clock against the other, from tick to tick, with its sign.

    Over all ticks, the first of which comes before the load: what is placed in time by the wall clock
    is moved by every step since then.
    """
    ahead = (rows["unix_ns"] - rows["monotonic_ns"]).drop_nulls().diff().drop_nulls()
    return max(ahead.to_list(), key=abs, default=None)


def _highest(rows: pl.DataFrame, column: str) -> int | None:
    found = rows[column].max()
    return found if isinstance(found, int) else None


def _mean(rows: pl.DataFrame, column: str) -> float | None:
    found = rows[column].mean()
    return found if isinstance(found, float) else None


def _rounded(number: float | None) -> int | None:
    return None if number is None else round(number)


def _over_window(
    rows: pl.DataFrame, column: str, window: Window, load_started_unix_ns: int
) -> float | None:
    """Return a counter's growth over the window, none where the ticks do not reach over both edges.

    A counter over threads loses what one of them had when it ends: that was used before, and is no
    growth below 0.
    """
    rows = rows.drop_nulls(column)
    if rows.height < 2:
        return None
    times = since_load_ns(rows, load_started_unix_ns)
    slack_ns = 2 * TICK_SECONDS * 1e9  # the first and last tick may lie just inside
    if times[0] > window.start_ns + slack_ns or times[-1] < window.end_ns - slack_ns:
        return None
    steps = np.maximum(np.diff(rows[column].to_numpy()), 0)
    grown = np.concatenate([[0], np.cumsum(steps)])
    start, end = np.interp([window.start_ns, window.end_ns], times, grown)
    return float(end - start)
