"""Control groups of version 1: one hierarchy for each controller, entered by the spawning thread.

A thread's children inherit its groups. So the child is inside before its first instruction, and
nothing stands between fork and exec.
"""

import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from loadstone.deploy.confinement import files
from loadstone.deploy.confinement.interface import Applied, Entry, Usage
from loadstone.study.values.model import Limits

CONTROLLERS = ("cpu", "cpuacct", "memory")
PERIOD_US = 100_000
"""The kernel's default period of a CPU quota."""


@dataclass(frozen=True)
class Version1:
    """A child of the lab's own group in each hierarchy."""

    groups: dict[str, Path]
    """By controller; controllers that share a hierarchy share a group."""
    applied: Applied

    @contextmanager
    def spawning(self) -> Iterator[Entry | None]:
        """Put the calling thread into the groups, which it leaves by its end."""
        thread = threading.get_native_id()
        for group in self.groups.values():
            files.write(group / "tasks", thread)
        yield None

    def started(self, pid: int) -> None:
        """Nothing is left to do."""

    def end_warm_up(self) -> bool:
        """Lower the quota."""
        if self.applied.cpus is None or self.applied.warm_up_cpus is None:
            return False
        _set_quota(self.groups["cpu"], self.applied.cpus)
        return True

    def usage(self) -> Usage:
        """Read the kernel's counters."""
        cpu, memory = self.groups["cpu"], self.groups["memory"]
        quota = files.pairs(cpu / "cpu.stat")
        return Usage(
            cpu_ns=files.number(self.groups["cpuacct"] / "cpuacct.usage"),
            throttled_ns=quota.get("throttled_time"),
            throttled_periods=quota.get("nr_throttled"),
            periods=quota.get("nr_periods"),
            memory_bytes=files.number(memory / "memory.usage_in_bytes"),
            memory_peak_bytes=files.number(memory / "memory.max_usage_in_bytes"),
            out_of_memory_kills=self.out_of_memory_kills(),
        )

    def out_of_memory_kills(self) -> int | None:
        """Read one counter."""
        return files.pairs(self.groups["memory"] / "memory.oom_control").get("oom_kill")

    def remove(self) -> None:
        """Kill what is left, and remove every group."""
        remove(self.groups.values())


def confine(own: dict[str, Path], folder: str, limits: Limits) -> Version1:
    """Make the groups and set their limits. Raises OSError where the kernel refuses."""
    groups = {controller: own[controller] / folder for controller in CONTROLLERS}
    try:
        for group in groups.values():
            group.mkdir(parents=True, exist_ok=True)
        _limit(groups, limits)
    except BaseException:
        remove(groups.values())
        raise
    return Version1(
        groups,
        Applied("cgroup v1", limits.cpus, limits.memory_bytes, warm_up_cpus=limits.warm_up_cpus),
    )


def _limit(groups: dict[str, Path], limits: Limits) -> None:
    if limits.first_cpus is not None:
        files.write(groups["cpu"] / "cpu.cfs_period_us", PERIOD_US)
        _set_quota(groups["cpu"], limits.first_cpus)
    if limits.memory_bytes is not None:
        memory = groups["memory"]
        files.write(memory / "memory.limit_in_bytes", limits.memory_bytes)
        # With swap a limit would be a slowdown; where the kernel does not count it, there is none.
        with suppress(FileNotFoundError):
            files.write(memory / "memory.memsw.limit_in_bytes", limits.memory_bytes)


def _set_quota(group: Path, cpus: float) -> None:
    files.write(group / "cpu.cfs_quota_us", round(cpus * PERIOD_US))


def remove(groups: Iterable[Path]) -> None:
    """Kill what is in the groups, and remove them."""
    for group in dict.fromkeys(groups):
        files.kill_all(group)
        files.remove(group)
