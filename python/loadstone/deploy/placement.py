"""Which CPUs each role may use: the service under test apart from everything that measures it."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Placement:
    """CPU numbers by role. On one CPU both roles share it, and `shared` says so."""

    service: tuple[int, ...]
    bench: tuple[int, ...]
    """Engine, probe, backend and dependencies."""

    @property
    def shared(self) -> bool:
        """Whether the service must share a CPU with what measures it."""
        return bool(set(self.service) & set(self.bench))


def place(available: tuple[int, ...]) -> Placement:
    """Give the upper half of the CPUs to the service; on two CPUs it has the second one alone.

    Interrupts and the system's own work tend to land on CPU 0, so the service is kept off it.
    """
    ordered = tuple(sorted(available))
    if len(ordered) == 1:
        return Placement(service=ordered, bench=ordered)
    middle = len(ordered) - len(ordered) // 2
    return Placement(service=ordered[middle:], bench=ordered[:middle])


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
    return tuple(sorted(os.sched_getaffinity(0)))
