"""Control groups of version 2: one hierarchy, entered by the child itself between fork and exec.

A group with processes of its own cannot hand controllers to its children. So the lab moves into a
child of the group that it was started in, provided that nobody else is there.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from loadstone.deploy.confinement import files
from loadstone.deploy.confinement.interface import Applied, Entry, Usage
from loadstone.errors import Unavailable
from loadstone.study.values.model import Limits

CONTROLLERS = ("cpu", "memory")
PERIOD_US = 100_000
"""The kernel's default period of a CPU quota."""
DELEGATE = "start it in a group of its own: systemd-run --scope -p Delegate=yes loadstone ..."


@dataclass(frozen=True)
class Version2:
    """A child of the group that the lab was started in."""

    group: Path
    applied: Applied

    @contextmanager
    def spawning(self) -> Iterator[Entry | None]:
        """Give the child what it needs to enter the group by itself."""
        descriptor = os.open(self.group / "cgroup.procs", os.O_WRONLY | os.O_CLOEXEC)
        try:
            yield lambda: _enter(descriptor)
        finally:
            os.close(descriptor)

    def started(self, pid: int) -> None:
        """Nothing is left to do."""

    def end_warm_up(self) -> bool:
        """Lower the quota."""
        if self.applied.cpus is None or self.applied.warm_up_cpus is None:
            return False
        _set_quota(self.group, self.applied.cpus)
        return True

    def usage(self) -> Usage:
        """Read the kernel's counters."""
        cpu = files.pairs(self.group / "cpu.stat")
        return Usage(
            cpu_ns=_nanoseconds(cpu.get("usage_usec")),
            throttled_ns=_nanoseconds(cpu.get("throttled_usec")),
            throttled_periods=cpu.get("nr_throttled"),
            periods=cpu.get("nr_periods"),
            memory_bytes=files.number(self.group / "memory.current"),
            memory_peak_bytes=files.number(self.group / "memory.peak"),
            out_of_memory_kills=self.out_of_memory_kills(),
        )

    def out_of_memory_kills(self) -> int | None:
        """Read one counter."""
        return files.pairs(self.group / "memory.events").get("oom_kill")

    def remove(self) -> None:
        """Kill what is left, and remove the group."""
        files.kill_all(self.group)
        files.remove(self.group)


def confine(parent: Path, folder: str, limits: Limits) -> Version2:
    """Make the group and set its limits. Raises OSError where the kernel refuses."""
    group = parent / folder
    group.mkdir()
    try:
        if limits.first_cpus is not None:
            _set_quota(group, limits.first_cpus)
        if limits.memory_bytes is not None:
            files.write(group / "memory.max", limits.memory_bytes)
            if (group / "memory.swap.max").exists():  # with swap a limit would be a slowdown
                files.write(group / "memory.swap.max", 0)
    except BaseException:
        files.remove(group)
        raise
    return Version2(
        group,
        Applied("cgroup v2", limits.cpus, limits.memory_bytes, warm_up_cpus=limits.warm_up_cpus),
    )


def _set_quota(group: Path, cpus: float) -> None:
    files.write(group / "cpu.max", f"{round(cpus * PERIOD_US)} {PERIOD_US}")


def delegate(own: Path, lab_folder: str) -> None:
    """Make `own` hand its controllers to children, the lab moving into one where it must.

    Raises Unavailable where others are in the group, OSError where the kernel refuses.
    """
    wanted = undelegated(own)
    if not wanted:
        return
    if _is_below_the_root(own):
        (own / lab_folder).mkdir()
        files.write(own / lab_folder / "cgroup.procs", os.getpid())
    files.write(own / "cgroup.subtree_control", " ".join(f"+{each}" for each in wanted))


def undelegated(own: Path) -> tuple[str, ...]:
    """Return the controllers that `own` does not hand to its children yet; only reads.

    Raises Unavailable where it has not got them or others are in the group, OSError where the files
    of version 2 are not there.
    """
    wanted = set(CONTROLLERS) - set((own / "cgroup.subtree_control").read_text().split())
    offered = set((own / "cgroup.controllers").read_text().split())
    if missing := sorted(wanted - offered):
        raise Unavailable(f"{own} has no controller {', '.join(missing)}", DELEGATE)
    others = sorted(set(files.processes(own)) - {os.getpid()})
    if wanted and others and _is_below_the_root(own):
        raise Unavailable(f"other processes are in {own}, such as {others[0]}", DELEGATE)
    return tuple(sorted(wanted))


def _is_below_the_root(own: Path) -> bool:
    """The root group alone may have processes beside children; it has no type."""
    return (own / "cgroup.type").exists()


def _enter(descriptor: int) -> None:
    os.write(descriptor, b"0")


def _nanoseconds(microseconds: int | None) -> int | None:
    return None if microseconds is None else microseconds * 1000
