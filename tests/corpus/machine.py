"""What the probe sees of a simulated run: the table of its ticks, from what the service did."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from corpus.service import Sender, Service, Simulated, Spans
from loadstone.measure.loading.probe import SCHEMA, TICK_SECONDS
from results_builder import BENCH_CPU, SERVICE_CPU, STARTED_UNIX_NS
from simulated_load import MILLISECOND_NS, SECOND_NS

STEP_NS = 10 * MILLISECOND_NS
"""In which the kernel counts a CPU's time."""
MEBIBYTE = 1 << 20
BYTES_A_LEG = 470
"""Of request, answer and their packets, on one hop over loopback."""
PROBE_NS = 1_400_000
"""CPU time of the probe for each tick."""
COLUMNS = {**SCHEMA, "compile_run_ns": pl.Int64, "compile_wait_ns": pl.Int64}
COMPILERS_RUN_SHARE = 0.2
BOOTED_NS = 3_600 * SECOND_NS
"""Before the load."""

Course = Callable[[float], float]
"""A number at a second of the load."""


def flat(level: float) -> Course:
    return lambda _: level


NOTHING, A_LITTLE, SOME = flat(0.0), flat(0.002), flat(0.04)
"""Shares of the time."""
SMALL_SERVICE_MIB = flat(64.0)


@dataclass(frozen=True)
class Machine:
    """The machine under a run. The default is quiet, with a service that keeps its memory."""

    rss_mib: Course = SMALL_SERVICE_MIB
    """Of the service."""
    service_down: Spans = ()
    """When the service has only the process that starts its worker anew."""
    throttled: Spans = ()
    """When the service's quota is used up."""
    neighbour: Course = NOTHING
    """Share of the service's CPU that a process of nobody's has."""
    bench_neighbour: Course = NOTHING
    """The same of the CPU of engine, backend and probe."""
    steal: Course = A_LITTLE
    """Share of both CPUs that the hypervisor keeps."""
    cpu_pressure: Course = SOME
    """Share of the time in which some thread waits for a CPU."""
    memory_pressure: Course = NOTHING
    io_pressure: Course = NOTHING
    clock_steps: tuple[tuple[float, float], ...] = ()
    """At which second the clock of the day is set forward, and by how many."""
    compilers: Course | None = None
    """CPUs that compile threads want: they run for a fifth of it and wait for the rest, as beside
    a service that fills its CPU. None where nothing tells of such threads."""
    calls_dependency: float = 1.0
    """Share of the requests for which the service calls the backend."""
    backend_ms: float = 1.0
    """CPU time of the backend for each call. Times of requests are some hundred times those of a real
    gateway, and so is this."""
    statements: float | None = None
    """That each call has the backend perform, which is a database then; none: it is none."""


def tick_table(
    load_ns: int,
    simulated: Simulated,
    service: Service,
    sender: Sender,
    machine: Machine,
    rng: np.random.Generator,
) -> pl.DataFrame:
    """The probe's rows from just before the load to just after its last request."""
    end_ns = max(load_ns, int(simulated.requests.done_ns[-1]))
    step_ns = round(TICK_SECONDS * SECOND_NS)
    times = np.arange(-step_ns // 2, end_ns + step_ns, step_ns)
    times = times + rng.exponential(MILLISECOND_NS / 2, len(times)).astype(np.int64)
    seconds = times / SECOND_NS
    monotonic_ns = BOOTED_NS + times
    unix_ns = STARTED_UNIX_NS + times
    for second, step in machine.clock_steps:
        unix_ns = unix_ns + (seconds >= second) * round(step * SECOND_NS)
    ended = np.searchsorted(simulated.requests.done_ns, times, side="right")
    service_ns = _computed(times, simulated, service.stands_still)
    if service.collects_garbage:
        service_ns = service_ns + _rested(times, service.stands_still)
    engine_ns = _up_to_now(_sent(simulated, sender)[ended], times)
    backend_ns = ended * machine.calls_dependency * machine.backend_ms * MILLISECOND_NS
    probe_ns = np.arange(len(times)) * float(PROBE_NS)
    busy = {
        SERVICE_CPU: service_ns + _grown(machine.neighbour, seconds) + _noise(0.004, times, rng),
        BENCH_CPU: engine_ns
        + backend_ns
        + probe_ns
        + _grown(machine.bench_neighbour, seconds)
        + _noise(0.02, times, rng),
    }
    stolen = _grown(machine.steal, seconds)
    down = _inside(machine.service_down, seconds)
    rss = np.array([machine.rss_mib(float(second)) for second in seconds]) * MEBIBYTE
    rss = np.where(down, 8.0 * MEBIBYTE, rss * np.exp(0.003 * rng.standard_normal(len(times))))
    restarting = bool(machine.service_down)
    rows = [
        _process("gateway", unix_ns, service_ns, rss, rng)
        | {
            "throttled_ns": _rested(times, machine.throttled),
            "youngest_start_ns": _stepped(BOOTED_NS - SECOND_NS + _last_start(machine, seconds)),
            "threads": np.where(down, 1, 12),
            "processes": np.where(down, 1, 2) if restarting else np.ones(len(times)),
            **_compiled(machine, seconds),
        },
        _process("backend", unix_ns, backend_ns, np.full(len(times), 4.0 * MEBIBYTE), rng),
        _process("engine", unix_ns, engine_ns, np.full(len(times), 9.0 * MEBIBYTE), rng),
        _process("probe", unix_ns, probe_ns, np.full(len(times), 200.0 * MEBIBYTE), rng),
        *(
            {
                **_named("cpu", str(cpu), unix_ns),
                "idle_ns": _stepped(_idled(times, busy[cpu] + stolen)),
                "steal_ns": _stepped(stolen),
            }
            for cpu in (BENCH_CPU, SERVICE_CPU)
        ),
        _whole(machine, unix_ns, seconds, ended, rng),
    ]
    for row in rows:
        row["monotonic_ns"] = monotonic_ns
    frames = [
        pl.DataFrame({name: _column(row.get(name), len(times), COLUMNS[name]) for name in COLUMNS})
        for row in rows
    ]
    return pl.concat(frames).sort("unix_ns", maintain_order=True)


_Row = dict[str, object]


def _named(kind: str, name: str, unix_ns: NDArray[np.int64]) -> _Row:
    return {"kind": [kind] * len(unix_ns), "name": [name] * len(unix_ns), "unix_ns": unix_ns}


def _process(
    name: str,
    unix_ns: NDArray[np.int64],
    cpu_ns: NDArray[np.float64],
    rss: NDArray[np.float64],
    rng: np.random.Generator,
) -> _Row:
    growing = np.arange(len(unix_ns))
    return {
        **_named("process", name, unix_ns),
        "cpu_ns": 50 * MILLISECOND_NS + (cpu_ns if name == "gateway" else _stepped(cpu_ns)),
        "rss_bytes": rss,
        "threads": np.full(len(unix_ns), 3),
        "processes": np.ones(len(unix_ns)),
        "minor_faults": 4000 + rng.poisson(0.2, len(unix_ns)).cumsum(),
        "major_faults": np.zeros(len(unix_ns)),
        "voluntary_switches": 100 + 40 * growing,
        "involuntary_switches": 10 + 4 * growing,
    }


def _whole(
    machine: Machine,
    unix_ns: NDArray[np.int64],
    seconds: NDArray[np.float64],
    ended: NDArray[np.int64],
    rng: np.random.Generator,
) -> _Row:
    legs = 1 + machine.calls_dependency
    growing = np.arange(len(unix_ns))
    crowd = np.array([machine.neighbour(float(second)) for second in seconds])
    return {
        **_named("machine", "machine", unix_ns),
        "runnable": 1 + rng.poisson(1.5 + crowd),
        "cpu_pressure_ns": 10**9 + _grown(machine.cpu_pressure, seconds),
        "memory_pressure_ns": _grown(machine.memory_pressure, seconds),
        "io_pressure_ns": 10**6 + _grown(machine.io_pressure, seconds),
        "disk_read_bytes": np.full(len(unix_ns), 10**9),
        "disk_written_bytes": 10**9 + 4096 * growing,
        "swapped_bytes": np.full(len(unix_ns), 10**6),
        "network_bytes": 10**6 + 300 * growing,
        "loopback_bytes": 10**6 + ended * legs * BYTES_A_LEG,
        "load_1": np.full(len(unix_ns), 1.3),
        "load_5": np.full(len(unix_ns), 1.2),
        "load_15": np.full(len(unix_ns), 1.1),
    }


def _compiled(machine: Machine, seconds: NDArray[np.float64]) -> _Row:
    if machine.compilers is None:
        return {}
    wanted_ns = _grown(machine.compilers, seconds)
    return {
        "compile_run_ns": COMPILERS_RUN_SHARE * wanted_ns,
        "compile_wait_ns": (1 - COMPILERS_RUN_SHARE) * wanted_ns,
    }


def _column(values: object, length: int, kind: object) -> pl.Series:
    if values is None:
        return pl.Series([None] * length, dtype=kind)  # type: ignore[arg-type]
    if kind == pl.Int64:
        values = np.rint(values).astype(np.int64)  # type: ignore[call-overload]
    return pl.Series(values, dtype=kind)  # type: ignore[arg-type, call-overload]


def _computed(times: NDArray[np.int64], simulated: Simulated, still: Spans) -> NDArray[np.float64]:
    """CPU time of the service up to each time: that of each request, spread over its work."""
    worked = simulated.work_end_ns > simulated.work_begin_ns
    begin, end = (
        _without(each[worked], still) for each in (simulated.work_begin_ns, simulated.work_end_ns)
    )
    slope = simulated.cpu_ns[worked] / np.maximum(end - begin, 1)
    moments = np.concatenate((begin, end))
    order = np.argsort(moments, kind="stable")
    moments = moments[order]
    slopes = np.cumsum(np.concatenate((slope, -slope))[order])
    grown = np.concatenate(([0.0], np.cumsum(slopes[:-1] * np.diff(moments))))
    return np.interp(_without(times, still), moments, grown, left=0.0)


def _without(times: NDArray[np.int64], spans: Spans) -> NDArray[np.float64]:
    """Each time, less what of the spans was before it."""
    return times - _rested(times, spans)


def _rested(times: NDArray[np.int64], spans: Spans) -> NDArray[np.float64]:
    """How much of the spans lies before each time."""
    if not spans:
        return np.zeros(len(times))
    edges = np.array(spans).ravel() * SECOND_NS
    rested = np.concatenate(
        ([0.0], np.cumsum(np.diff(edges) * (np.arange(len(edges) - 1) % 2 == 0)))
    )
    return np.interp(times, edges, rested)


def _last_start(machine: Machine, seconds: NDArray[np.float64]) -> NDArray[np.float64]:
    """When the youngest process of the service began, since a second before the load."""
    began = np.zeros(len(seconds))
    for _, end in machine.service_down:
        began = np.where(seconds >= end, (1 + end) * SECOND_NS, began)
    return began


def _idled(times: NDArray[np.int64], used_ns: NDArray[np.float64]) -> NDArray[np.float64]:
    """What is left of the time, step by step."""
    steps = np.maximum(np.diff(times, prepend=times[0]) - np.diff(used_ns, prepend=used_ns[0]), 0.0)
    return np.cumsum(steps)


def _inside(spans: Spans, seconds: NDArray[np.float64]) -> NDArray[np.bool_]:
    inside = np.zeros(len(seconds), dtype=bool)
    for begin, end in spans:
        inside |= (seconds >= begin) & (seconds < end)
    return inside


def _grown(course: Course, seconds: NDArray[np.float64]) -> NDArray[np.float64]:
    """The integral of a share of the time, in nanoseconds."""
    shares = np.array([course(float(second)) for second in seconds[1:]])
    return np.concatenate(([0.0], np.cumsum(shares * np.diff(seconds) * SECOND_NS)))


def _noise(share: float, times: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.float64]:
    """What the rest of a machine computes meanwhile."""
    steps = np.diff(times, prepend=times[0])
    return np.cumsum(steps * share * rng.exponential(size=len(times)))


def _sent(simulated: Simulated, sender: Sender) -> NDArray[np.float64]:
    """CPU time of the engine for so many requests, in the order of their ends."""
    paces = np.array([sender.pace(at / SECOND_NS) for at in simulated.requests.done_ns.tolist()])
    return np.concatenate(([0.0], np.cumsum(paces))) * sender.cpu_ms * MILLISECOND_NS


def _up_to_now(cpu_ns: NDArray[np.float64], times: NDArray[np.int64]) -> NDArray[np.float64]:
    """CPU time of one thread: no more than there was time."""
    return np.minimum(cpu_ns, times - times[0])


def _stepped(cpu_ns: NDArray[np.float64]) -> NDArray[np.float64]:
    return cpu_ns // STEP_NS * STEP_NS
