"""What the kernel tells of a process and of the machine, read as cheaply as it goes.

The probe shares a CPU with the load engine, and reads this five times a second. Sources: proc(5),
Documentation/accounting/psi.rst of the kernel.
"""

import os
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

TICK_NS = 1_000_000_000 // os.sysconf("SC_CLK_TCK")
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
SECTOR_BYTES = 512
"""The unit of /proc/diskstats, whatever the disk's own."""
READ_BYTES = 1 << 16


@dataclass(frozen=True)
class ProcessCounters:
    """Counters of one process since its start, or sums over a group."""

    cpu_ns: int = 0
    """User and system time; of children that were waited for in the kernel's ticks."""
    rss_bytes: int = 0
    threads: int = 0
    minor_faults: int = 0
    major_faults: int = 0
    voluntary_switches: int = 0
    involuntary_switches: int = 0
    processes: int = 0
    youngest_start_ns: int = 0
    """When the process that began last did so, since boot; in the kernel's ticks."""


def read(path: str) -> bytes:
    """Return a file's first 64 KiB. Raises OSError."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        return os.read(descriptor, READ_BYTES)
    finally:
        os.close(descriptor)


def process_counters(pid: int, *, with_children: bool) -> ProcessCounters | None:
    """Return the counters of one process; none if it is gone."""
    try:
        # The name may hold blanks and brackets; everything after the last bracket is numbers.
        fields = read(f"/proc/{pid}/stat").rpartition(b")")[2].split()
        voluntary, involuntary = _switches(pid)
        cpu_ns = time.clock_gettime_ns(_cpu_clock(pid))
    except OSError:
        return None
    minor, major = int(fields[7]), int(fields[9])
    if with_children:
        cpu_ns += (int(fields[13]) + int(fields[14])) * TICK_NS
        minor, major = minor + int(fields[8]), major + int(fields[10])
    return ProcessCounters(
        cpu_ns=cpu_ns,
        rss_bytes=int(fields[21]) * PAGE_BYTES,
        threads=int(fields[17]),
        minor_faults=minor,
        major_faults=major,
        voluntary_switches=voluntary,
        involuntary_switches=involuntary,
        processes=1,
        youngest_start_ns=int(fields[19]) * TICK_NS,
    )


def _cpu_clock(pid: int) -> int:
    """Return the clock of a process's user and system time, as clock_getcpuclockid(3) makes it.

    It counts nanoseconds, where `stat` counts ticks of 10 ms, which a small service starts within.
    """
    return (~pid << 3) | 2


def _switches(pid: int) -> tuple[int, int]:
    """Sum over the threads: the process's own file counts its first thread alone."""
    voluntary = involuntary = 0
    with os.scandir(f"/proc/{pid}/task") as threads:
        for thread in threads:
            with suppress(OSError):
                # These are the last two lines.
                lines = read(f"{thread.path}/status").rsplit(b"\n", 3)
                voluntary += int(lines[1].rpartition(b"\t")[2])
                involuntary += int(lines[2].rpartition(b"\t")[2])
    return voluntary, involuntary


def group_counters(pids: Iterable[int], *, with_children: bool) -> ProcessCounters | None:
    """Return the sums over processes, and the start of the youngest; none if all are gone."""
    found = [
        counters
        for pid in pids
        if (counters := process_counters(pid, with_children=with_children)) is not None
    ]
    if not found:
        return None
    names = ProcessCounters.__dataclass_fields__
    sums = {name: sum(getattr(each, name) for each in found) for name in names}
    return ProcessCounters(
        **sums | {"youngest_start_ns": max(each.youngest_start_ns for each in found)}
    )


def with_descendants(pid: int) -> Iterator[int]:
    """Yield a process and all below it, from the kernel's own lists; the lab itself is left out, which
    a service may have started that was running before it.

    Walking all of /proc instead takes milliseconds, which the engine on the same CPU would miss.
    """
    yield pid
    with suppress(OSError), os.scandir(f"/proc/{pid}/task") as threads:
        for thread in threads:
            with suppress(OSError):
                for child in read(f"{thread.path}/children").split():
                    if int(child) != os.getpid():
                        yield from with_descendants(int(child))


_DOES_NOTHING = (b"T", b"Z", b"X", None)
"""Stopped, or ended: nobody has taken note of it yet, as a parent that is stopped itself."""


def is_stopped(pid: int) -> bool:
    """Whether a signal has stopped all threads of a process, or they have ended.

    Raises OSError where it is gone.
    """
    with os.scandir(f"/proc/{pid}/task") as threads:
        return all(_state(f"{thread.path}/stat") in _DOES_NOTHING for thread in threads)


def _state(stat: str) -> bytes | None:
    """Return the letter of a thread's state; none where it has ended."""
    try:
        return read(stat).rpartition(b")")[2].split()[0]
    except OSError:
        return None


def ran_ns(pids: Iterable[int]) -> int | None:
    """Return for how long the present threads of processes have run; none where it is not told."""
    return _scheduled(pids, 0)


def waiting_ns(pids: Iterable[int]) -> int | None:
    """Return for how long the threads of processes have waited for a CPU; none where it is not told."""
    return _scheduled(pids, 1)


def _scheduled(pids: Iterable[int], place: int) -> int | None:
    """Documentation/scheduler/sched-stats.rst of the kernel: a number of schedstat, by its place."""
    total = None
    for pid in pids:
        with suppress(OSError), os.scandir(f"/proc/{pid}/task") as threads:
            for thread in threads:
                with suppress(OSError, IndexError):
                    total = (total or 0) + int(read(f"{thread.path}/schedstat").split()[place])
    return total


def proportional_memory_bytes(pids: Iterable[int]) -> int | None:
    """Return the memory of processes with shared pages divided among their users (PSS); slow.

    None where the kernel does not tell.
    """
    total = None
    for pid in pids:
        with suppress(OSError):
            for line in read(f"/proc/{pid}/smaps_rollup").splitlines():
                if line.startswith(b"Pss:"):
                    total = (total or 0) + int(line.split()[1]) * 1024
    return total


@dataclass(frozen=True)
class CpuTimes:
    """Of one CPU since boot, nanoseconds.

    The kernel takes the time of idling from its clock (fs/proc/stat.c, `get_idle_time`), but what the
    rest was spent on from samples at each timer tick: work that comes in step with the ticks, as that
    of an even rate does, is seen always or never. So the busy time is what was neither idle nor stolen.
    """

    idle_ns: int
    """Waiting for a disk included."""
    steal_ns: int


def cpu_times() -> dict[int, CpuTimes]:
    """Return the times of every CPU by number."""
    found = {}
    for line in read("/proc/stat").splitlines():
        fields = line.split()
        if fields[0].startswith(b"cpu") and fields[0] != b"cpu":
            idle, waiting, steal = int(fields[4]), int(fields[5]), int(fields[8])
            found[int(fields[0][3:])] = CpuTimes((idle + waiting) * TICK_NS, steal * TICK_NS)
    return found


@dataclass(frozen=True)
class MachineCounters:
    """Of the whole machine."""

    load_1: float
    load_5: float
    load_15: float
    runnable: int
    """Threads that run or wait for a CPU, now."""
    cpu_pressure_ns: int | None
    """Time in which some thread waited for a CPU, since boot; none without PSI."""
    memory_pressure_ns: int | None
    io_pressure_ns: int | None
    disk_read_bytes: int
    disk_written_bytes: int
    swapped_bytes: int
    """Written to swap and read from it, since boot."""
    network_bytes: int
    """Received by all interfaces but loopback."""
    loopback_bytes: int
    frequency_hz: int | None
    """Mean over the CPUs, now; none where the kernel does not tell, as in most virtual machines."""


def machine_counters(cpus: Iterable[int]) -> MachineCounters:
    """Return what the machine as a whole is doing."""
    load = read("/proc/loadavg").split()
    disk_read, disk_written = _disk_bytes(read("/proc/diskstats"))
    network, loopback = _network_bytes(read("/proc/net/dev"))
    return MachineCounters(
        load_1=float(load[0]),
        load_5=float(load[1]),
        load_15=float(load[2]),
        runnable=int(load[3].partition(b"/")[0]),
        cpu_pressure_ns=_pressure_ns("cpu"),
        memory_pressure_ns=_pressure_ns("memory"),
        io_pressure_ns=_pressure_ns("io"),
        disk_read_bytes=disk_read,
        disk_written_bytes=disk_written,
        swapped_bytes=_swapped_bytes(read("/proc/vmstat")),
        network_bytes=network,
        loopback_bytes=loopback,
        frequency_hz=_frequency_hz(cpus),
    )


def _pressure_ns(resource: str) -> int | None:
    try:
        first = read(f"/proc/pressure/{resource}").partition(b"\n")[0]
    except OSError:
        return None
    return int(first.rpartition(b"total=")[2]) * 1000


def _disk_bytes(text: bytes) -> tuple[int, int]:
    """Sum over whole disks: a partition's bytes are its disk's, too."""
    sectors_read = sectors_written = 0
    for line in text.splitlines():
        fields = line.split()
        if _is_disk(fields[2].decode()):
            sectors_read += int(fields[5])
            sectors_written += int(fields[9])
    return sectors_read * SECTOR_BYTES, sectors_written * SECTOR_BYTES


def _is_disk(name: str) -> bool:
    return not name.startswith(("loop", "ram", "zram")) and Path(f"/sys/block/{name}").exists()


def _swapped_bytes(text: bytes) -> int:
    pages = 0
    for name in (b"\npswpin ", b"\npswpout "):
        pages += int(text.partition(name)[2].partition(b"\n")[0] or 0)
    return pages * PAGE_BYTES


def _network_bytes(text: bytes) -> tuple[int, int]:
    others = loopback = 0
    for line in text.splitlines()[2:]:
        name, _, numbers = line.partition(b":")
        received = int(numbers.split()[0])
        if name.strip() == b"lo":
            loopback += received
        else:
            others += received
    return others, loopback


def _frequency_hz(cpus: Iterable[int]) -> int | None:
    found = []
    for cpu in cpus:
        with suppress(OSError, ValueError):
            found.append(int(read(f"/sys/devices/system/cpu/cpu{cpu}/cpufreq/scaling_cur_freq")))
    return round(sum(found) / len(found)) * 1000 if found else None
