"""Control groups by the lab that made them: their names, and removing those of one lab or of all that
are gone.
"""

import itertools
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from loadstone.deploy.confinement import files
from loadstone.deploy.confinement.own_group import own_groups_here
from loadstone.machine import ownership

LAB = "lab"
"""The name of the group that a lab moves itself into; empty once it has ended."""

_numbers = itertools.count(1)


def folder(name: str) -> str:
    """Return a name for a new group of this lab, with its mark in it."""
    return ownership.marked_name(f"{next(_numbers)}-{name}")


def sweep() -> tuple[Path, ...]:
    """Remove the groups of labs that are gone, with what still runs in them; return which.

    Left out of the answer are the groups that labs had moved themselves into: none can remove its own.
    """
    removed = _remove(ownership.is_orphan)
    return tuple(group for group in removed if not group.name.endswith(f"-{LAB}"))


def remove_own() -> None:
    """Remove whatever groups this lab still has, the one that it moved into among them."""
    own = ownership.mark()
    _remove(lambda owner: owner == own)
    for group in dict.fromkeys(own_groups_here().values()):
        if _is_labs_own(group):
            with suppress(OSError):
                _leave(group)


def _leave(group: Path) -> None:
    """Go back to the parent, which may hold processes only while it hands no controllers on."""
    handed = (group.parent / "cgroup.subtree_control").read_text().split()
    files.write(group.parent / "cgroup.subtree_control", " ".join(f"-{each}" for each in handed))
    files.write(group.parent / "cgroup.procs", os.getpid())
    files.remove(group)


def _remove(chosen: Callable[[str], bool]) -> tuple[Path, ...]:
    removed = []
    for group, owner in _labs_groups():
        if chosen(owner):
            files.kill_all(group)
            if files.remove(group):
                removed.append(group)
    return tuple(removed)


def _labs_groups() -> Iterator[tuple[Path, str]]:
    inside = set(own_groups_here().values())
    # A lab that moved into its own leaf has its groups beside that leaf.
    parents = [group.parent if _is_labs_own(group) else group for group in inside]
    for parent in dict.fromkeys(parents):
        for group, owner in ownership.find_marked(parent):
            if group not in inside:
                yield group, owner


def _is_labs_own(group: Path) -> bool:
    return group.name.startswith(ownership.NAME) and group.name.endswith(f"-{LAB}")
