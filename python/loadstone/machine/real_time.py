"""Whether threads may run in real time here, and what is done where they may not.

An engine that shares its CPU with a backend writes late by a time slice of it, milliseconds. In real
time it comes first. Sources: sched(7), setpriority(2).
"""

import os
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

NICE = 10
"""By which a process gives way: its share of a CPU is then a tenth of another's (110 to 1024, in
`sched_prio_to_weight` of the kernel).
"""
_PRIORITY = 1
"""The lowest of real time, and before every thread that has none."""


def is_allowed() -> bool:
    """Whether this user may run a thread in real time: by a right of root, or by RLIMIT_RTPRIO."""

    def ask() -> bool:
        try:
            os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(_PRIORITY))
        except OSError:
            return False
        return True

    # The thread that asks ends with what it got.
    with ThreadPoolExecutor(max_workers=1) as pool:
        return pool.submit(ask).result()


def give_way(pid: int) -> None:
    """Let all threads of a process give way to others on their CPUs; what has ended is left out."""
    with suppress(OSError):
        for thread in Path(f"/proc/{pid}/task").iterdir():
            with suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, int(thread.name), NICE)
