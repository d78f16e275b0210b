"""Whose a process is: a mark in its environment that outlives the lab.

Everything that the lab starts carries `LOADSTONE_OWNER=<pid>:<start time>` of the lab's process.
Children inherit it, so a wrapper's children are found too, even in another session. A mark whose
owner is gone means a lab that was killed: the next start removes what it left. A program that
overwrites its own environment, as nginx does, has the mark of the process that started it for as
long as that lives; its process group is stopped in any case by the lab that started it. Where the
environment of another user's process is hidden, as from root in a container, its command line tells:
a server of the lab's is given a folder that bears the mark.

A number of a process means something in its own namespace alone (pid_namespaces(7)). So a mark that was
made in a container, or on a machine that is a namespace, says in which: whoever lives in another one
cannot tell whether its lab is gone, and leaves it alone.
"""

import os
import re
import shutil
import signal
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import psutil

from loadstone.errors import RecordsUnwritable
from loadstone.machine.shared_memory import remove_segments_of

VARIABLE = "LOADSTONE_OWNER"
NAME = "loadstone-"
"""Begins the name of every folder and control group of a lab."""
FIRST_NAMESPACE = 0xEFFFFFFC
"""The number of the first process namespace (`PROC_PID_INIT_INO` of the kernel's proc_ns.h)."""
MEMORY = Path("/dev/shm")
"""Where files stay in memory: a tmpfs on every Linux that has it."""


@dataclass(frozen=True)
class Leftover:
    """A process of a lab that no longer lives."""

    pid: int
    command: str

    @property
    def name(self) -> str:
        """The program's name."""
        return Path(self.command.partition(" ")[0]).name or str(self.pid)


def start_time(pid: int) -> str | None:
    """Return the kernel's start time of a process in clock ticks since boot, none if it is gone or
    a zombie.
    """
    fields = stat_fields(pid)
    return None if not fields or fields[0] in "ZX" else fields[19]


def stat_fields(pid: int) -> list[str]:
    """Return what `/proc/PID/stat` says behind the name; nothing where the process is gone."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return []
    return text.rpartition(")")[2].split()  # the name may hold blanks and brackets


def mark() -> str:
    """Return the value that marks what this process starts."""
    return mark_of(os.getpid(), start_time(os.getpid()))


def mark_of(pid: int, started: str | None) -> str:
    """Return the mark of a process of this namespace."""
    return f"{_namespace()}{pid}:{started}"


@cache
def _namespace() -> str:
    """What numbers of processes are to begin with: nothing in the first namespace of a machine."""
    try:
        number = Path("/proc/self/ns/pid").stat().st_ino
    except OSError:  # a kernel without namespaces
        return ""
    return "" if number == FIRST_NAMESPACE else f"{number}."


def marked_name(rest: str) -> str:
    """Return a name for something of this lab's that has no environment to bear the mark."""
    return f"{NAME}{mark().replace(':', '-')}-{rest}"


def find_marked(parent: Path) -> Iterator[tuple[Path, str]]:
    """Yield what lies in a folder under such a name, with the mark of whose it is."""
    for path in sorted(parent.glob(f"{NAME}*")):
        pid, _, rest = path.name.removeprefix(NAME).partition("-")
        yield path, f"{pid}:{rest.partition('-')[0]}"


def kill_marked(owner: str) -> int:
    """Kill every process that carries this owner's mark; return how many there were."""
    return len(_kill(lambda found: found == owner))


def sweep() -> tuple[Leftover, ...]:
    """Kill what labs that are gone have left running, and say what that was."""
    return _kill(is_orphan)


@contextmanager
def scratch_directory(parent: Path | None = None) -> Iterator[Path]:
    """Give a temporary folder, removed at the end of the block, or by a later sweep.

    A `parent` is `MEMORY`: nowhere else is one swept that lies beside the temporary files.
    Raises RecordsUnwritable where there is no room for one.
    """
    try:
        parent = parent or Path(tempfile.gettempdir())
    except FileNotFoundError as error:
        raise RecordsUnwritable(
            f"no temporary folder can be written: {error.strerror}",
            "free disk space, or set TMPDIR to a folder that has some",
        ) from error
    with tempfile.TemporaryDirectory(prefix=marked_name(""), dir=parent) as directory:
        yield Path(directory)


def sweep_scratch() -> tuple[Path, ...]:
    """Remove the temporary folders of labs that are gone, and say which those were."""
    return _remove_scratch(is_orphan)


def remove_scratch(owner: str) -> None:
    """Remove every temporary folder of this owner."""
    _remove_scratch(lambda found: found == owner)


def is_orphan(owner: str) -> bool:
    """Whether whoever made this mark is gone; never of one that was made in another namespace."""
    own = _namespace()
    pid, _, started = owner.removeprefix(own).partition(":")
    is_of_here = owner.startswith(own) and pid.isdigit()
    return is_of_here and start_time(int(pid)) != started


def _remove_scratch(chosen: Callable[[str], bool]) -> tuple[Path, ...]:
    parents = [MEMORY]
    with suppress(FileNotFoundError):  # there is no room for any
        parents.append(Path(tempfile.gettempdir()))
    removed = []
    for directory, owner in (found for parent in parents for found in find_marked(parent)):
        with suppress(FileNotFoundError):  # another lab was faster
            if directory.stat().st_uid == os.getuid() and chosen(owner):
                shutil.rmtree(directory, ignore_errors=True)
                removed.append(directory)
    return tuple(removed)


def _kill(chosen: Callable[[str], bool]) -> tuple[Leftover, ...]:
    killed = []
    # All are found before the first is killed: a child without the mark has it by its parent alone.
    for pid, owner in tuple(_marked_processes()):
        if not chosen(owner):
            continue
        with suppress(OSError, psutil.Error):
            command = " ".join(psutil.Process(pid).cmdline())
            os.kill(pid, signal.SIGKILL)
            killed.append(Leftover(pid, command))
    remove_segments_of([each.pid for each in killed])
    return tuple(killed)


def owner_of(pid: int) -> str | None:
    """Return the mark that a process carries, or else the nearest of those that it descends from;
    none without one, or where they cannot be read.
    """
    while pid > 1:
        if (owner := _carried(pid)) is not None:
            return owner
        fields = stat_fields(pid)
        pid = int(fields[1]) if fields else 0
    return None


def _carried(pid: int) -> str | None:
    try:
        environment = Path(f"/proc/{pid}/environ").read_bytes()
    except PermissionError:  # another user's
        return _named(pid)
    except OSError:  # gone
        return None
    prefix = f"{VARIABLE}=".encode()
    for variable in environment.split(b"\0"):
        if variable.startswith(prefix):
            return variable[len(prefix) :].decode("ascii", "replace")
    return None


def _named(pid: int) -> str | None:
    """Return the mark of the folder of a lab that is named in a command line."""
    try:
        command = Path(f"/proc/{pid}/cmdline").read_text(errors="replace")
    except OSError:
        return None
    found = re.search(rf"[=\0][^\0]*/{NAME}([\d.]+)-(\d+)-", command)
    return None if found is None else f"{found[1]}:{found[2]}"


def _marked_processes() -> Iterator[tuple[int, str]]:
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            owner = owner_of(int(entry.name))
            if owner is not None:
                yield int(entry.name), owner
