"""Which CPUs each role may use: the service under test apart from everything that measures it."""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from loadstone.errors import InputError
from loadstone.study.values.model import PlacementWish

Core = tuple[int, ...]
"""The CPUs (hardware threads) of one core: what one of them does slows the others down."""


@dataclass(frozen=True)
class Placement:
    """CPU numbers by role. On one CPU both roles share it, and `shared` says so."""

    service: tuple[int, ...]
    bench: tuple[int, ...]
    """Engine, probe, dependencies and bench services."""
    shares_core: bool = False
    """Whether a core has CPUs of both roles."""

    @property
    def shared(self) -> bool:
        """Whether the service must share a CPU with what measures it."""
        return bool(set(self.service) & set(self.bench))


def place(cores: tuple[Core, ...], wish: PlacementWish | None = None) -> Placement:
    """Give the upper half of the cores to the service; on two CPUs it has the second one alone.

    Interrupts and the system's own work tend to land on CPU 0, so the service is kept off it. A
    single core is divided between its CPUs. Raises InputError for a wish that this machine cannot
    fulfil.
    """
    available = tuple(sorted(cpu for core in cores for cpu in core))
    if wish is not None:
        return _wished(wish, cores, available)
    if len(available) == 1:
        return Placement(service=available, bench=available, shares_core=True)
    if len(cores) == 1:
        cores = tuple((cpu,) for cpu in available)
        return replace(place(cores), shares_core=True)
    ordered = sorted(tuple(sorted(core)) for core in cores)
    middle = len(ordered) - len(ordered) // 2
    return Placement(service=_cpus_of(ordered[middle:]), bench=_cpus_of(ordered[:middle]))


def _wished(wish: PlacementWish, cores: tuple[Core, ...], available: tuple[int, ...]) -> Placement:
    if missing := sorted({*wish.service, *wish.bench} - set(available)):
        raise InputError(
            f"placement names CPU {missing[0]}, which this process may not use",
            remedy=f"choose among {', '.join(map(str, available))}",
        )
    service, bench = set(wish.service), set(wish.bench)
    shares = any(service.intersection(core) and bench.intersection(core) for core in cores)
    return Placement(tuple(sorted(service)), tuple(sorted(bench)), shares)


def _cpus_of(cores: Iterable[Core]) -> tuple[int, ...]:
    return tuple(sorted(cpu for core in cores for cpu in core))


def available_cores(cpus: Path = Path("/sys/devices/system/cpu")) -> tuple[Core, ...]:
    """Return the CPUs that this process may use by core; each alone where the kernel does not tell."""
    cores: dict[str, list[int]] = {}
    for cpu in available_cpus():
        siblings = cpus / f"cpu{cpu}" / "topology" / "thread_siblings_list"
        try:
            core = siblings.read_text().strip()
        except OSError:
            core = str(cpu)
        cores.setdefault(core, []).append(cpu)
    return tuple(tuple(core) for core in cores.values())


@contextmanager
def lab_on(cpus: tuple[int, ...]) -> Iterator[None]:
    """Keep every thread of this process on these CPUs for the length of the block."""
    before = available_cpus()
    _move_threads(cpus)
    try:
        yield
    finally:
        _move_threads(before)


def _move_threads(cpus: tuple[int, ...]) -> None:
    for thread in Path("/proc/self/task").iterdir():
        with suppress(ProcessLookupError):  # a thread that has just ended
            os.sched_setaffinity(int(thread.name), cpus)


def available_cpus() -> tuple[int, ...]:
    """Return the CPUs that this process may use."""
    return cpus_of(0)


def cpus_of(pid: int) -> tuple[int, ...]:
    """Return the CPUs that the kernel lets a process use, 0 being this one; none when it is gone."""
    try:
        return tuple(sorted(os.sched_getaffinity(pid)))
    except ProcessLookupError:
        return ()
