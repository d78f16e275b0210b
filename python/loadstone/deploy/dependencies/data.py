"""The data directory of a dependency: its own, for one run, removed with it.

It lies in a scratch folder that carries the lab's mark, so that a sweep removes it after a lab that was
killed, whoever owns what is in it: servers such as PostgreSQL refuse to run as root, and get a data
directory of another user.

A database that keeps its promises waits for the disk at each commit, and how long that takes depends on
whatever else writes meanwhile. So its data stay in memory. Where there is no room for them nothing else
is taken instead: a study whose runs were partly on a disk would compare disks.
"""

import os
import pwd
import shutil
from contextlib import ExitStack
from pathlib import Path

import psutil

from loadstone.errors import StepFailed
from loadstone.machine import ownership
from loadstone.results.write import MEGABYTE


class DataDirectory:
    """An empty folder until `remove`; of mode 0700, as servers ask of their data."""

    def __init__(self, user: str | None = None, *, memory_bytes: int | None = None) -> None:
        """Make it for `user`, else for the user who runs the lab.

        With `memory_bytes` it lies in memory, where that much is free. Raises StepFailed('deploy')
        where it is not, where there is no such user, or the lab may not give it away.
        """
        if memory_bytes is not None:
            refuse_little_memory(ownership.MEMORY, memory_bytes)
        with ExitStack() as parts:
            parent = None if memory_bytes is None else ownership.MEMORY
            scratch = parts.enter_context(ownership.scratch_directory(parent))
            self.path = scratch / "data"
            self.path.mkdir(mode=0o700)
            if user is not None:
                scratch.chmod(0o711)  # the user must get through to it, and see nothing else
                give_to(user, self.path)
            self._parts = parts.pop_all()

    def remove(self) -> None:
        """Remove it with what is in it; once more does nothing."""
        self._parts.close()


def refuse_little_memory(folder: Path, wanted_bytes: int) -> None:
    """Raise StepFailed('deploy') where files in this folder are not in memory, or too few fit."""
    remedy = (
        f"make room for it (`mount -o remount,size=1G {folder}`, "
        "or `docker run --shm-size=1g` for a container)"
    )
    if not _is_in_memory(folder):
        raise StepFailed(
            "deploy", f"{folder}, which keeps data in memory, is no tmpfs here: {remedy}"
        )
    free_bytes = min(shutil.disk_usage(folder).free, psutil.virtual_memory().available)
    if free_bytes < wanted_bytes:
        raise StepFailed(
            "deploy",
            f"data in memory need {wanted_bytes / MEGABYTE:.0f} MiB, and {folder} has "
            f"{free_bytes / MEGABYTE:.0f} MiB: {remedy}",
        )


def _is_in_memory(folder: Path) -> bool:
    mounts = (line.split() for line in Path("/proc/self/mounts").read_text().splitlines())
    return any(fields[1] == str(folder) and fields[2] == "tmpfs" for fields in mounts)


def give_to(user: str, path: Path) -> None:
    """Make a user the owner of a file or folder. Raises StepFailed('deploy')."""
    try:
        found = pwd.getpwnam(user)
        os.chown(path, found.pw_uid, found.pw_gid)
    except KeyError as error:
        raise StepFailed("deploy", f"there is no user {user} to own {path}") from error
    except PermissionError as error:
        raise StepFailed(
            "deploy", f"{path} cannot be given to {user}: only root may do that"
        ) from error
