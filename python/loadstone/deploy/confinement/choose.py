"""Which way of confining services this machine allows."""

from pathlib import Path
from typing import NamedTuple

from loadstone.deploy.confinement import version1, version2, without
from loadstone.deploy.confinement.interface import Confine, Isolation
from loadstone.deploy.confinement.lab_groups import LAB, folder
from loadstone.deploy.confinement.own_group import UNIFIED
from loadstone.deploy.confinement.own_group import own_groups_here as own_groups_here
from loadstone.errors import Unavailable


class Way(NamedTuple):
    """How services are confined on this machine."""

    isolation: Isolation
    confine: Confine
    reason: str | None = None
    """Why there is no control group."""


def choose(own: dict[str, Path]) -> Way:
    """Return how services are confined here.

    Version 2 where it has the controllers, else version 1, else none of both, with the reason.
    """
    reasons = []
    if UNIFIED in own:
        try:
            version2.delegate(own[UNIFIED], folder(LAB))
            return Way(
                "cgroup v2",
                lambda name, limits: version2.confine(own[UNIFIED], folder(name), limits),
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
        return Way("cgroup v1", lambda name, limits: version1.confine(own, folder(name), limits))
    reason = "no control group can be made (" + "; ".join(reasons) + ")"
    return Way("affinity and rlimits", lambda _, limits: without.confine(limits, reason), reason)


def _version1_problem(own: dict[str, Path]) -> str | None:
    """Try it: permissions alone do not tell."""
    groups = [own[each] / folder("trial") for each in version1.CONTROLLERS]
    try:
        for group in dict.fromkeys(groups):
            group.mkdir()
    except OSError as error:
        return f"{error.strerror}: {error.filename}"
    finally:
        version1.remove(groups)
    return None
