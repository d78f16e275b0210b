"""Whose a process is: a mark in its environment that outlives the lab.

Everything that the lab starts carries `LOADSTONE_OWNER=<pid>:<start time>` of the lab's process.
Children inherit it, so a wrapper's children are found too, even in another session. A mark whose
owner is gone means a lab that was killed: the next start removes what it left. A program that
overwrites its own environment loses the mark; its process group is still stopped by the lab that
started it.
"""

import os
import shutil
import signal
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

VARIABLE = "LOADSTONE_OWNER"
_SCRATCH = "loadstone-"


@dataclass(frozen=True)
class Leftover:
    """A process of a lab that no longer lives."""

    pid: int
    command: str


def start_time(pid: int) -> str | None:
    """Return the kernel's start time of a process in clock ticks since boot, none if it is gone or
    a zombie.
    """
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return None
    fields = text.rpartition(")")[2].split()  # the name may hold blanks and brackets
    return None if fields[0] in "ZX" else fields[19]


def mark() -> str:
    """Return the value that marks what this process starts."""
    return f"{os.getpid()}:{start_time(os.getpid())}"


def kill_marked(owner: str) -> int:
    """Kill every process that carries this owner's mark; return how many there were."""
    return len(_kill(lambda found: found == owner))


def sweep() -> tuple[Leftover, ...]:
    """Kill what labs that are gone have left running, and say what that was."""
    return _kill(is_orphan)


@contextmanager
def scratch_directory() -> Iterator[Path]:
    """Give a temporary folder, removed at the end of the block, or by a later sweep."""
    prefix = f"{_SCRATCH}{mark().replace(':', '-')}-"
    with tempfile.TemporaryDirectory(prefix=prefix) as directory:
        yield Path(directory)


def sweep_scratch() -> tuple[Path, ...]:
    """Remove the temporary folders of labs that are gone, and say which those were."""
    removed = []
    for directory in Path(tempfile.gettempdir()).glob(f"{_SCRATCH}*"):
        pid, _, rest = directory.name.removeprefix(_SCRATCH).partition("-")
        if directory.stat().st_uid == os.getuid() and is_orphan(f"{pid}:{rest.partition('-')[0]}"):
            shutil.rmtree(directory, ignore_errors=True)
            removed.append(directory)
    return tuple(removed)


def is_orphan(owner: str) -> bool:
    """Whether whoever made this mark is gone."""
    pid, _, started = owner.partition(":")
    return pid.isdigit() and start_time(int(pid)) != started


def _kill(chosen: Callable[[str], bool]) -> tuple[Leftover, ...]:
    killed = []
    for pid, owner in _marked_processes():
        if not chosen(owner):
            continue
        with suppress(OSError, psutil.Error):
            command = " ".join(psutil.Process(pid).cmdline())
            os.kill(pid, signal.SIGKILL)
            killed.append(Leftover(pid, command))
    return tuple(killed)


def _marked_processes() -> Iterator[tuple[int, str]]:
    prefix = f"{VARIABLE}=".encode()
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            environment = (entry / "environ").read_bytes()
        except OSError:  # another user's, or gone
            continue
        for variable in environment.split(b"\0"):
            if variable.startswith(prefix):
                yield int(entry.name), variable[len(prefix) :].decode("ascii", "replace")
                break
