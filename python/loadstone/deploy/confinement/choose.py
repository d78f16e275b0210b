"""Which way of confining services this machine allows, and removing the groups of labs that died."""

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from loadstone.deploy import ownership
from loadstone.deploy.confinement import files, version1, version2, without
from loadstone.deploy.confinement.interface import Confine, Isolation
from loadstone.deploy.confinement.own_group import UNIFIED, own_groups
from loadstone.errors import Unavailable

PREFIX = "loadstone-"
_LAB = "lab"
_numbers = itertools.count(1)


class Way(NamedTuple):
    """How services are confined on this machine."""

    isolation: Isolation
    confine: Confine
    reason: str | None = None
    """Why there is no control group."""


def own_groups_here() -> dict[str, Path]:
    """Return the folder of the lab's own group by controller; empty without control groups."""
    try:
        mountinfo = Path("/proc/self/mountinfo").read_text()
        memberships = Path("/proc/self/cgroup").read_text()
    except OSError:
        return {}
    return own_groups(mountinfo, memberships)


def choose(own: dict[str, Path]) -> Way:
    """Return how services are confined here.

    Version 2 where it has the controllers, else version 1, else none of both, with the reason.
    """
    reasons = []
    if UNIFIED in own:
        try:
            version2.delegate(own[UNIFIED], _folder(_LAB))
            return Way(
                "cgroup v2",
                lambda name, limits: version2.confine(own[UNIFIED], _folder(name), limits),
            )
        except Unavailable as error:
            reasons.append(f"version 2: {error.message}")
        except OSError as error:
            reasons.append(f"version 2: {error.strerror}: {error.filename or own[UNIFIED]}")
    if lacking := [each for each in version1.CONTROLLERS if each not in own]:
        reasons.append(f"version 1: {', '.join(lacking)} not mounted here")
    elif problem := _version1_problem(own):
        reasons.append(f"version 1: {problem}")
    else:
        return Way("cgroup v1", lambda name, limits: version1.confine(own, _folder(name), limits))
    reason = "no control group can be made (" + "; ".join(reasons) + ")"
    return Way("affinity and rlimits", lambda _, limits: without.confine(limits, reason), reason)


def sweep(own: dict[str, Path]) -> tuple[Path, ...]:
    """Remove the groups of labs that are gone, with what still runs in them; return which."""
    removed = []
    for group in _orphans(own):
        files.kill_all(group)
        if files.remove(group):
            removed.append(group)
    return tuple(removed)


def _orphans(own: dict[str, Path]) -> Iterator[Path]:
    for parent in dict.fromkeys(own.values()):
        # A lab that moved into its own leaf left its groups beside that leaf.
        for group in sorted(parent.glob(f"{PREFIX}*")):
            pid, _, rest = group.name.removeprefix(PREFIX).partition("-")
            if ownership.is_orphan(f"{pid}:{rest.partition('-')[0]}"):
                yield group


def _folder(name: str) -> str:
    owner = ownership.mark().replace(":", "-")
    return f"{PREFIX}{owner}-{next(_numbers)}-{name}"


def _version1_problem(own: dict[str, Path]) -> str | None:
    """Try it: permissions alone do not tell."""
    groups = [own[each] / _folder("trial") for each in version1.CONTROLLERS]
    try:
        for group in dict.fromkeys(groups):
            group.mkdir()
    except OSError as error:
        return f"{error.strerror}: {error.filename}"
    finally:
        version1.remove(groups)
    return None
