"""What was full while the service's CPUs were not: the resource that was the limit in their place.

Where several were full all are named, since a run cannot tell how much each took; the order is from
what a study sets itself to what is only a symptom. Waiting of the users needs no name here: users that
pause are not there to saturate. A network has none either: a run knows what was received, not how much
the interfaces could carry.
"""

from collections.abc import Callable, Iterator

from loadstone.audit.engine import busy_generator
from loadstone.audit.engine.engine_limits import limited
from loadstone.metrics.outcomes import LimitCause
from loadstone.results.record import ProcessFacts
from loadstone.results.window import WindowedRun
from loadstone.text import units

FULL_SHARE = 0.90
"""Of CPU time: as much as makes the service itself count as saturated."""

BENCH_CPU_SHARE = 0.85
"""Busy share of a CPU that engine, backend and probe run on: with more, they delay each other."""

QUOTA_SHARE = 0.05
"""Of the window that a quota held the service back: half of what the service leaves unused."""

PRESSURE_SHARE = 0.10
"""Of the window in which some thread waited for memory or a disk: as much as the service's CPUs are
missing at least."""

_BEHIND = {"dependency": "dependency", "bench": "bench service"}
"""Role of what a service waits for to what it is called."""

NOTHING = "nothing that was watched was full: what remains is a lock, a pool or a wait of its own"


def limit_of(run: WindowedRun) -> str:
    """Name the resources that were full, with their numbers, or say that none was."""
    return "; ".join(text for each in _IN_ORDER for text in each(run)) or NOTHING


def full_database(run: WindowedRun) -> str | None:
    """How a database filled the CPUs that it could use, by itself or more than any other there."""
    window_ns = run.window.end_ns - run.window.start_ns
    for process in run.databases:
        used = _share_of(run, process, window_ns)
        if used is None:
            continue
        cpus = [each.busy_share for each in run.record.cpus_of(process)]
        busy = sum(cpus) / len(cpus) if cpus else used
        others = [
            _share_of(run, each, window_ns) or 0.0
            for each in run.record.beside_each(process)
            if each is not process and set(each.cpus) & set(process.cpus)
        ]
        foreign = busy - used - sum(others)
        is_crowded = busy > BENCH_CPU_SHARE and used >= max(foreign, *others, 0.0)
        if used >= FULL_SHARE or is_crowded:
            numbers = ", ".join(map(str, process.cpus))
            told = f", busy {units.share(busy)} in all" if cpus else ""
            return f"it used {units.share(used)} of CPU {numbers}{told}"
    return None


def _share_of(run: WindowedRun, process: ProcessFacts, window_ns: int) -> float | None:
    """CPU time of a process over that of the CPUs that it could use."""
    used = run.record.resources.get(process.name)
    if used is None or used.cpu_ns is None:
        return None
    return used.cpu_ns / window_ns / len(process.cpus)


def _quota(run: WindowedRun) -> Iterator[str]:
    used = run.service_resources
    if used is not None and (used.throttled_share or 0.0) > QUOTA_SHARE:
        share = units.share(used.throttled_share or 0.0)
        yield f"its CPU quota held it back for {share} of the window"


def _engine(run: WindowedRun) -> Iterator[str]:
    marked = limited(run, LimitCause.CPU)
    if busy_generator.is_busy(run):
        yield "a thread of the engine was full"
    elif marked is not None:
        yield f"the engine's CPU was used up in {marked}"


def _one_thread(run: WindowedRun) -> Iterator[str]:
    """Only one of several CPUs was used: the runtime computes in a single thread."""
    for service in run.services:
        cpus = run.record.resources[service.name].cpu_ns or 0
        used = cpus / (run.window.end_ns - run.window.start_ns)
        if len(service.cpus) > 1 and FULL_SHARE <= used <= 1 / FULL_SHARE:
            yield (
                f"{service.name} used {units.number(used)} of {len(service.cpus)} CPUs, as much as "
                "one thread can"
            )


def _others(run: WindowedRun) -> Iterator[str]:
    """The service's CPUs were full of the work of others."""
    own = {
        (service.machine, each.cpu): each.busy_share + each.steal_share
        for service in run.services
        for each in run.record.cpus_of(service)
    }
    busy = [*own.values()]
    if busy and sum(busy) / len(busy) >= FULL_SHARE:
        yield f"its CPUs were taken for {units.share(sum(busy) / len(busy))}, by others too"


def _dependency(run: WindowedRun) -> Iterator[str]:
    window_ns = run.window.end_ns - run.window.start_ns
    for process in run.record.processes:
        used = run.record.resources.get(process.name)
        if process.role not in _BEHIND or used is None or used.cpu_ns is None:
            continue
        if max(used.cpu_share or 0.0, used.cpu_ns / window_ns) >= FULL_SHARE:
            yield (
                f"the {_BEHIND[process.role]} {process.name} used "
                f"{units.number(used.cpu_ns / window_ns)} of {len(process.cpus)} CPUs"
            )


def _bench_cpu(run: WindowedRun) -> Iterator[str]:
    for each in run.record.cpus:
        if each.cpu not in run.service_cpus_here and each.busy_share > BENCH_CPU_SHARE:
            share = units.share(each.busy_share)
            yield f"CPU {each.cpu}, which engine and backend use, was busy {share} of the time"


def _pressure(run: WindowedRun) -> Iterator[str]:
    machine = run.record.machine
    if machine is None:
        return
    for resource, share in (
        ("memory", machine.memory_pressure_share),
        ("a disk", machine.io_pressure_share),
    ):
        if (share or 0.0) >= PRESSURE_SHARE:
            yield f"some thread waited for {resource} for {units.share(share or 0.0)} of the window"


_IN_ORDER: tuple[Callable[[WindowedRun], Iterator[str]], ...] = (
    _quota,
    _engine,
    _one_thread,
    _others,
    _dependency,
    _bench_cpu,
    _pressure,
)
