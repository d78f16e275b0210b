"""Whether an answer came from the service at all.

A free port is chosen first and bound by the service later; in between another program may take it.
"""

import os

from loadstone.deploy.listener import command_of, holders, listening
from loadstone.machine import ownership


def foreign_listener(port: int) -> str | None:
    """Return in words who listens on a port and is not of this lab; none where there is nobody.

    Of another user's socket a normal user sees the owner alone. A socket whose process is not found
    for any other reason was just closed.
    """
    sockets = tuple(listening(port))
    if not sockets:
        return None
    pids = holders({each.inode for each in sockets})
    if any(_is_own(pid) for pid in pids):
        return None
    if pids:
        return " and ".join(f"{command_of(pid)} ({pid})" for pid in sorted(pids))
    hidden = os.geteuid() not in {0, *(each.uid for each in sockets)}
    return "another user's program" if hidden else None


def _is_own(pid: int) -> bool:
    return pid == os.getpid() or ownership.owner_of(pid) == ownership.mark()
