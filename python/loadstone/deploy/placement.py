"""Which CPUs each role may use: the service under test apart from everything that measures it."""

import os
from dataclasses import dataclass


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


def available_cpus() -> tuple[int, ...]:
    """Return the CPUs that this process may use."""
    return tuple(sorted(os.sched_getaffinity(0)))
