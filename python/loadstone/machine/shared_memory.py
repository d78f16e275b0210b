"""Segments of System V shared memory, which the kernel keeps when a program is killed that made them.

PostgreSQL makes one of some bytes for each server, as a lock.
"""

import ctypes
from collections.abc import Collection
from pathlib import Path

_TABLE = Path("/proc/sysvipc/shm")
_REMOVE = 0
"""`IPC_RMID`."""


def segments_of(pids: Collection[int]) -> tuple[int, ...]:
    """Return the segments that these processes made, by id; none where the kernel has none."""
    try:
        lines = _TABLE.read_text().splitlines()
    except OSError:
        return ()
    fields = [line.split() for line in lines[1:]]
    return tuple(int(each[1]) for each in fields if int(each[4]) in pids)


def remove_segments_of(pids: Collection[int]) -> None:
    """Remove what these processes made, as soon as whoever still has it has ended, too."""
    library = ctypes.CDLL(None)
    for segment in segments_of(pids):
        library.shmctl(segment, _REMOVE, None)
