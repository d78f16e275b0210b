"""Reading and writing the small files of a control group."""

import errno
import os
import signal
import time
from contextlib import suppress
from pathlib import Path

REMOVAL_SECONDS = 5.0
"""A group can be removed once its last process is gone, which takes the kernel a moment."""
STEP_SECONDS = 0.002


def write(path: Path, value: int | str) -> None:
    """Write one value. Raises OSError."""
    with path.open("w") as file:
        file.write(f"{value}\n")


def number(path: Path) -> int | None:
    """Return a file's number; none where there is no such file or it holds another word."""
    try:
        return int(path.read_text())
    except (OSError, ValueError):
        return None


def pairs(path: Path) -> dict[str, int]:
    """Return a file of lines `key number`; empty where there is none."""
    found = {}
    with suppress(OSError):
        for line in path.read_text().splitlines():
            key, _, value = line.partition(" ")
            with suppress(ValueError):
                found[key] = int(value)
    return found


def processes(group: Path) -> tuple[int, ...]:
    """Return the processes in a group."""
    try:
        return tuple(int(line) for line in (group / "cgroup.procs").read_text().split())
    except OSError:
        return ()


def kill_all(group: Path) -> None:
    """Kill every process in a group but the lab itself, which goes back to the parent.

    It is there where an interruption fell between the spawn of a service and the way back.
    """
    _leave(group)
    for pid in processes(group):
        if pid != os.getpid():
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)


def _leave(group: Path) -> None:
    """Move the lab's threads out of a group of version 1, which has them one by one."""
    own = {entry.name for entry in Path("/proc/self/task").iterdir()}
    with suppress(OSError):
        for thread in (group / "tasks").read_text().split():
            if thread in own:
                write(group.parent / "tasks", thread)


def remove(group: Path) -> bool:
    """Remove a group that is empty, or will be in a moment; return whether it is gone.

    One of another user's lab is not waited for: it stays.
    """
    deadline = time.monotonic() + REMOVAL_SECONDS
    while True:
        try:
            group.rmdir()
        except FileNotFoundError:
            return True
        except OSError as error:
            if error.errno != errno.EBUSY or time.monotonic() > deadline:
                return False
            time.sleep(STEP_SECONDS)
        else:
            return True
