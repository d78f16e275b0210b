"""What `choose` would find on this machine, without changing it beyond a trial group that is removed.

For people who want to know before they measure; a study itself calls `choose`.
"""

import os
from collections.abc import Iterator
from pathlib import Path

from loadstone.deploy.confinement import version1, version2
from loadstone.deploy.confinement.interface import Isolation
from loadstone.deploy.confinement.own_group import UNIFIED
from loadstone.errors import Unavailable
from loadstone.frozen import Frozen
from loadstone.machine import ownership

NO_LIMIT_BYTES = 1 << 60
"""Version 1 writes no memory limit as the largest multiple of a page below 2^63."""


class Controller(Frozen):
    """One of the controllers that hold a service."""

    controller: str
    """Its name: `cpu`, `cpuacct` or `memory`."""
    reason: str | None = None
    """Why the lab cannot make a group of it; none where it can."""


class Outlook(Frozen):
    """How services will be confined, and what confines the lab itself."""

    isolation: Isolation
    """The way that a study would take."""
    controllers: tuple[Controller, ...]
    """Of the version that is in use, or came closest to it."""
    reason: str | None = None
    """Why version 2 is not the way; none where it is."""
    remedy: str | None = None
    """What makes it the way; none where nothing is known."""
    own_cpus: float | None = None
    """The CPU quota of the group that the lab runs in or one above; none where there is none."""
    own_memory_bytes: int | None = None
    """The memory limit of that group or one above; none where there is none."""


def outlook(own: dict[str, Path]) -> Outlook:
    """Look at the lab's own groups, by controller, as `own_groups` returns them."""
    reason, remedy = "it is not mounted here", None
    if UNIFIED in own:
        found = _version2(own[UNIFIED])
        if found is None:
            return Outlook(
                isolation="cgroup v2",
                controllers=tuple(Controller(controller=each) for each in version2.CONTROLLERS),
                own_cpus=_cpus(own),
                own_memory_bytes=_memory_bytes(own),
            )
        reason, remedy = found
    controllers = tuple(_version1(own, each) for each in version1.CONTROLLERS)
    is_whole = all(each.reason is None for each in controllers)
    return Outlook(
        isolation="cgroup v1" if is_whole else "affinity and rlimits",
        controllers=controllers,
        reason=reason,
        remedy=remedy,
        own_cpus=_cpus(own),
        own_memory_bytes=_memory_bytes(own),
    )


def _version2(own: Path) -> tuple[str, str | None] | None:
    """Return why version 2 cannot be used and what to do; none where it can."""
    try:
        wanted = version2.undelegated(own)
    except Unavailable as error:
        return error.message, error.remedy
    except OSError as error:
        return f"{error.strerror}: {error.filename or own}", None
    # The root user may be refused too: by a file system that is mounted read-only.
    asked = (own, *([own / "cgroup.subtree_control"] if wanted else []))
    for path in asked:
        if not os.access(path, os.W_OK):
            return f"{path} is not writable", version2.DELEGATE
    return None


def _version1(own: dict[str, Path], controller: str) -> Controller:
    if controller not in own:
        return Controller(controller=controller, reason="not mounted here")
    # Tried, since permissions alone do not tell. Its owner's mark lets a later start remove it.
    owner = ownership.mark().replace(":", "-")
    trial = own[controller] / f"loadstone-{owner}-outlook-{controller}"
    try:
        trial.mkdir()
        trial.rmdir()
    except OSError as error:
        return Controller(controller=controller, reason=f"{error.strerror}: {own[controller]}")
    return Controller(controller=controller)


def _cpus(own: dict[str, Path]) -> float | None:
    """Return the smallest quota on the way up."""
    return min((*_quotas2(own.get(UNIFIED)), *_quotas1(own.get("cpu"))), default=None)


def _quotas2(group: Path | None) -> Iterator[float]:
    for text in _upwards(group, "cpu.max"):
        quota, _, period = text.partition(" ")
        if quota != "max":
            yield int(quota) / int(period)


def _quotas1(group: Path | None) -> Iterator[float]:
    quotas, periods = (_upwards(group, f"cpu.cfs_{each}_us") for each in ("quota", "period"))
    for quota, period in zip(quotas, periods, strict=False):
        if int(quota) > 0:
            yield int(quota) / int(period)


def _memory_bytes(own: dict[str, Path]) -> int | None:
    limits = (
        *_upwards(own.get(UNIFIED), "memory.max"),
        *_upwards(own.get("memory"), "memory.limit_in_bytes"),
    )
    found = [int(limit) for limit in limits if limit != "max"]
    return min((each for each in found if each < NO_LIMIT_BYTES), default=None)


def _upwards(group: Path | None, name: str) -> Iterator[str]:
    """Yield a file's text in a group and in all above it that have such a file."""
    for folder in () if group is None else (group, *group.parents):
        try:
            yield (folder / name).read_text().strip()
        except OSError:
            return
