"""What every way of confining a service offers."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Literal, Protocol

from loadstone.study.values.model import Limits

Isolation = Literal["cgroup v2", "cgroup v1", "affinity and rlimits"]

Entry = Callable[[], None]
"""To be called in the child between fork and exec."""


@dataclass(frozen=True)
class Usage:
    """What a confined service has used since its start, children that have ended included.

    None of what this way of confining does not count.
    """

    cpu_ns: int | None = None
    throttled_ns: int | None = None
    """For how long its CPU quota held it back, summed over its threads or CPUs as the kernel does."""
    throttled_periods: int | None = None
    periods: int | None = None
    """Of the quota, in which it had something to run."""
    memory_bytes: int | None = None
    """Charged to it now: its processes' memory, and the page cache that they filled."""
    memory_peak_bytes: int | None = None
    out_of_memory_kills: int | None = None


@dataclass(frozen=True)
class Applied:
    """What the kernel was really told, and what it was not."""

    isolation: Isolation
    cpus: float | None
    """The CPU quota, in CPUs; none where there is none."""
    memory_bytes: int | None
    """The memory limit; none where there is none."""
    missing: tuple[str, ...] = ()
    """What was asked for and could not be had, each with the reason."""
    warm_up_cpus: float | None = None
    """The quota until `end_warm_up`; none where it is `cpus` from the start on."""


class Confinement(Protocol):
    """One service's confinement; whoever made it removes it."""

    @property
    def applied(self) -> Applied:
        """What the kernel was told."""

    def spawning(self) -> AbstractContextManager[Entry | None]:
        """Within it the calling thread may start the child; with an entry, the child calls it.

        The thread must end afterwards: it may have gone where the child belongs.
        """

    def started(self, pid: int) -> None:
        """The child is there."""

    def end_warm_up(self) -> bool:
        """Hold it to the CPUs of the window from now on, and say whether that changed anything.

        Raises OSError where the kernel refuses.
        """

    def usage(self) -> Usage:
        """What has been used so far."""

    def out_of_memory_kills(self) -> int | None:
        """That part of the usage alone: it is asked for again and again while a service runs."""

    def remove(self) -> None:
        """Kill whatever is left in it, and remove it."""


Confine = Callable[[str, Limits], Confinement]
"""Makes the confinement of the service of this name."""
