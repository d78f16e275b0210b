"""What is left where no control group can be made: CPU affinity, which the placement sets, and a
limit on each process's own memory.
"""

import resource
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

from loadstone.deploy.confinement.interface import Applied, Entry, Usage
from loadstone.study.values.model import Limits


@dataclass
class Without:
    """Resource limits of the child, inherited by what it starts."""

    limits: Limits
    applied: Applied
    pids: list[int] = field(default_factory=list)

    @contextmanager
    def spawning(self) -> Iterator[Entry | None]:
        """Nothing is needed."""
        yield None

    def started(self, pid: int) -> None:
        """Limit the child's data: what it has made writable, not what it has merely reserved."""
        if self.limits.memory_bytes is not None:
            limit = self.limits.memory_bytes
            with suppress(ProcessLookupError, PermissionError):
                resource.prlimit(pid, resource.RLIMIT_DATA, (limit, limit))

    def end_warm_up(self) -> bool:
        """No quota holds it."""
        return False

    def usage(self) -> Usage:
        """Nothing is counted."""
        return Usage()

    def out_of_memory_kills(self) -> int | None:
        """Nothing is counted."""
        return None

    def remove(self) -> None:
        """There is nothing to remove."""


def confine(limits: Limits, reason: str) -> Without:
    """Hold a service as far as it goes; `reason` says why there is no control group."""
    missing = []
    if limits.cpus is not None:
        missing.append(f"the limit of {limits.cpus:g} CPUs: {reason}")
    if limits.memory_bytes is not None:
        missing.append(f"one memory limit for all its processes, each has its own: {reason}")
    applied = Applied("affinity and rlimits", None, limits.memory_bytes, tuple(missing))
    return Without(limits, applied)
