"""Who listens on a port of the loopback interface: whether an answer came from the service at all.

A free port is chosen first and bound by the service later; in between another program may take it.
"""

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from loadstone.deploy import ownership

_LISTEN = "0A"
"""The state in /proc/net/tcp; see proc_pid_net(5)."""
_ADDRESS, _STATE, _USER, _INODE = 1, 3, 7, 9
"""Columns of the same file."""


@dataclass(frozen=True)
class Listener:
    """A process that listens, as far as the kernel tells this user."""

    pid: int | None
    command: str
    is_own: bool
    """Whether this lab started it."""

    def __str__(self) -> str:
        return "another user's program" if self.pid is None else f"{self.command} ({self.pid})"


def foreign_listener(port: int) -> Listener | None:
    """Return a listener on a port that is not of this lab; none where there is none or an own one.

    Of another user's socket a normal user sees the owner alone. A socket whose process is not found
    for any other reason was just closed.
    """
    users = _listening(port)
    if not users:
        return None
    listeners = [found for pid in _pids() if (found := _holding(pid, set(users))) is not None]
    if any(found.is_own for found in listeners):
        return None
    if not listeners and os.geteuid() not in {0, *users.values()}:
        return Listener(None, "", is_own=False)
    return listeners[0] if listeners else None


def _listening(port: int) -> dict[str, int]:
    """Return the users of the sockets that listen on a port, of either version of IP, by inode."""
    found = {}
    for name in ("tcp", "tcp6"):
        with suppress(OSError):
            for line in Path(f"/proc/net/{name}").read_text().splitlines()[1:]:
                columns = line.split()
                at_port = int(columns[_ADDRESS].rpartition(":")[2], 16) == port
                if at_port and columns[_STATE] == _LISTEN:
                    found[f"socket:[{columns[_INODE]}]"] = int(columns[_USER])
    return found


def _pids() -> list[int]:
    return [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]


def _holding(pid: int, inodes: set[str]) -> Listener | None:
    process = Path(f"/proc/{pid}")
    with suppress(OSError):
        for descriptor in (process / "fd").iterdir():
            with suppress(OSError):
                if str(descriptor.readlink()) in inodes:
                    command = (process / "cmdline").read_bytes().replace(b"\0", b" ")
                    return Listener(pid, command.decode(errors="replace").strip(), _is_own(pid))
    return None


def _is_own(pid: int) -> bool:
    return pid == os.getpid() or ownership.owner_of(pid) == ownership.mark()
