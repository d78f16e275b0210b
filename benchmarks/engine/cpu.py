"""CPU time and memory of processes, from the kernel's own accounts.

What belongs to a generator: `wait4` of its process gives the time of all its threads and of all
children it has waited for. Kernel threads of io_uring (`iou-wrk`, `iou-sqp`) are threads of that
process since Linux 5.12, so they are in it. Packets on loopback are delivered in the context of
the sender, and are in the sender's time, except what is deferred to the CPU's `ksoftirqd` and
`kworker` threads: those of the generator's CPU are added to its account.
"""

import re
from pathlib import Path

PROC = Path("/proc")


def process_ns(pid: int) -> int:
    """Return the time on a CPU of all living threads of a process."""
    return sum(_on_cpu_ns(thread) for thread in (PROC / str(pid) / "task").iterdir())


def kernel_threads_ns(cpu: int) -> dict[int, int]:
    """Return the time on a CPU of each kernel thread that is bound to this CPU."""
    bound = re.compile(rf"(ksoftirqd|kworker)/{cpu}\b")
    found = {}
    for entry in PROC.iterdir():
        if entry.name.isdigit():
            try:
                if bound.match((entry / "comm").read_text()):
                    found[int(entry.name)] = _on_cpu_ns(entry)
            except OSError:  # it has ended
                continue
    return found


def grown_ns(before: dict[int, int], after: dict[int, int]) -> int:
    """Return by how much all accounts grew together; those that are gone grew unseen."""
    return sum(spent - before.get(pid, 0) for pid, spent in after.items())


def resident_bytes(pid: int) -> int:
    """Return the resident memory of a process; 0 when it is gone.

    Not `ru_maxrss` of `wait4`: that keeps the memory of the harness, from before the `exec`.
    """
    try:
        status = (PROC / str(pid) / "status").read_text()
    except OSError:
        return 0
    found = re.search(r"^VmRSS:\s+(\d+) kB$", status, re.MULTILINE)
    return int(found.group(1)) * 1024 if found else 0


def _on_cpu_ns(task: Path) -> int:
    return int((task / "schedstat").read_text().split()[0])
