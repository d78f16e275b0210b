"""The probe's ticks of a simulated load, as the table that the probe writes."""

from collections import Counter
from collections.abc import Collection, Mapping

import numpy as np
import polars as pl
from numpy.typing import NDArray

from loadstone.measure.loading.probe import SCHEMA, TICK_SECONDS
from loadstone.metrics.outcomes import Outcome
from loadstone.results.record import ProcessFacts
from loadstone.simulate.arrivals import SECOND_NS
from loadstone.simulate.behaviour import Behaviour
from loadstone.simulate.requests import Requests, Times
from loadstone.simulate.summary import BENCH_CPU, ENGINE_RSS_BYTES

SERVICE_CPU = 1
"""Of the services."""
BOOTED_NS = 3_600 * SECOND_NS
"""How long before its load the machine of a run was started."""
DEPENDENCY_RSS_BYTES = 2**20
PROBE_RSS_BYTES = 100 * 2**20
PROBE_TICK_NS = 1_000_000
"""CPU time of each tick."""
THREADS = 4
"""Of each process."""

Columns = Mapping[str, float | NDArray[np.floating] | Times]
"""What one row of each tick holds, by column; a single number is the same at all ticks."""


def tick_table(
    processes: Collection[ProcessFacts],
    behaviour: Behaviour,
    factor: float,
    requests: Requests,
    load_ns: int,
    started_unix_ns: int,
    window_end_ns: int,
) -> pl.DataFrame:
    """Return a row for each tick and process, CPU and the machine, from the load's begin to its end.

    What a request costs grows by `factor`, as its time does, and falls by a late step behind the end of
    the window. Instances of a service share it.
    """
    step_ns = round(TICK_SECONDS * SECOND_NS)
    times = np.arange(0, load_ns + step_ns, step_ns)
    ok_ns = requests.done_ns[requests.outcome == Outcome.OK]
    ok = np.searchsorted(ok_ns, times, side="right")
    step_at_ns = window_end_ns + behaviour.late_step_after_s * SECOND_NS
    ok_late = np.maximum(ok - np.searchsorted(ok_ns, step_at_ns), 0)
    used: dict[str, tuple[NDArray[np.floating], float]] = {
        "service": (
            (ok - behaviour.late_step_share * ok_late) * behaviour.cpu_per_ok_us * 1e3 * factor,
            behaviour.rss_mib * 2**20,
        ),
        "bench": (ok * behaviour.dependency_cpu_us * 1e3, behaviour.rss_mib * 2**20),
        "dependency": (ok * behaviour.dependency_cpu_us * 1e3, DEPENDENCY_RSS_BYTES),
        "engine": (times * behaviour.worker_cpu_share, ENGINE_RSS_BYTES),
        "probe": (np.arange(len(times)) * float(PROBE_TICK_NS), PROBE_RSS_BYTES),
    }
    instances = Counter(each.of_service for each in processes)
    cpu_ns = {each.name: used[each.role][0] / instances[each.of_service] for each in processes}
    rows = [
        _rows("process", each.name, times, _of_process(cpu_ns[each.name], used[each.role][1]))
        for each in processes
    ]
    for cpu, stolen_share in ((BENCH_CPU, behaviour.steal_share), (SERVICE_CPU, 0.0)):
        stolen = times * stolen_share
        busy = sum((cpu_ns[each.name] for each in processes if cpu in each.cpus), stolen)
        idle = np.maximum.accumulate(np.maximum(times - busy, 0))
        rows.append(_rows("cpu", str(cpu), times, {"idle_ns": idle, "steal_ns": stolen}))
    rows.append(_rows("machine", "machine", times, _of_machine(times)))
    table = pl.concat(rows).with_columns(
        unix_ns=pl.col("unix_ns") + started_unix_ns, monotonic_ns=pl.col("monotonic_ns") + BOOTED_NS
    )
    return table.sort("unix_ns", maintain_order=True)


def _of_process(cpu_ns: NDArray[np.floating], rss_bytes: float) -> Columns:
    return {
        "cpu_ns": cpu_ns,
        "rss_bytes": rss_bytes,
        "threads": THREADS,
        "processes": 1,
        "youngest_start_ns": BOOTED_NS - SECOND_NS,
        "minor_faults": 0,
        "major_faults": 0,
        "voluntary_switches": 0,
        "involuntary_switches": 0,
    }


def _of_machine(times: Times) -> Columns:
    counted = ("cpu_pressure_ns", "memory_pressure_ns", "io_pressure_ns")
    moved = ("disk_read_bytes", "disk_written_bytes", "swapped_bytes", "network_bytes")
    return {
        "runnable": 2,
        **dict.fromkeys((*counted, *moved), 0),
        "loopback_bytes": times / SECOND_NS,
        **dict.fromkeys(("load_1", "load_5", "load_15"), 1.0),
    }


def _rows(kind: str, name: str, times: Times, columns: Columns) -> pl.DataFrame:
    values: dict[str, object] = {
        "kind": [kind] * len(times),
        "name": [name] * len(times),
        "unix_ns": times,
        "monotonic_ns": times,
    }
    for column, numbers in columns.items():
        level = np.broadcast_to(np.asarray(numbers, dtype=np.float64), len(times))
        values[column] = np.rint(level) if SCHEMA[column] == pl.Int64 else level
    missing = {column: [None] * len(times) for column in SCHEMA if column not in values}
    return pl.DataFrame({**values, **missing}).select(
        pl.col(column).cast(kind) for column, kind in SCHEMA.items()
    )
