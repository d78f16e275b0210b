"""In which control group the lab itself runs, by controller: every group it makes is a child of that.

Sources: cgroups(7), proc_pid_mountinfo(5).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

UNIFIED = ""
"""The name under which the hierarchy of version 2 stands among controllers."""


@dataclass(frozen=True)
class Mount:
    """A mounted hierarchy: which part of it is visible, and where."""

    controllers: tuple[str, ...]
    """Of version 1; `(UNIFIED,)` for version 2."""
    root: PurePosixPath
    point: Path


def own_groups_here() -> dict[str, Path]:
    """Return the folder of the lab's own group by controller; empty without control groups."""
    try:
        mountinfo = Path("/proc/self/mountinfo").read_text()
        memberships = Path("/proc/self/cgroup").read_text()
    except OSError:
        return {}
    return own_groups(mountinfo, memberships)


def own_groups(mountinfo: str, memberships: str) -> dict[str, Path]:
    """Return the folder of the own group by controller, from the texts of /proc/self/mountinfo and
    /proc/self/cgroup.

    A controller that is not mounted here, or whose own group lies outside the mounted part, is left
    out.
    """
    groups = dict(_memberships(memberships))
    found: dict[str, Path] = {}
    for mount in _mounts(mountinfo):
        for controller in mount.controllers:
            group = groups.get(controller)
            if group is not None and group.is_relative_to(mount.root):
                found.setdefault(controller, mount.point / group.relative_to(mount.root))
    return found


def _memberships(text: str) -> Iterator[tuple[str, PurePosixPath]]:
    for line in text.splitlines():
        _, _, rest = line.partition(":")
        controllers, _, path = rest.partition(":")
        for controller in controllers.split(","):
            yield controller, PurePosixPath(path)


def _mounts(text: str) -> Iterator[Mount]:
    for line in text.splitlines():
        before, _, after = line.partition(" - ")
        fields, kind = before.split(), after.split()
        if len(fields) < 5 or len(kind) < 3 or not kind[0].startswith("cgroup"):
            continue
        controllers = (UNIFIED,) if kind[0] == "cgroup2" else tuple(kind[2].split(","))
        yield Mount(controllers, PurePosixPath(_plain(fields[3])), Path(_plain(fields[4])))


def _plain(field: str) -> str:
    """Undo the octal escapes of blanks and backslashes."""
    return field.replace(r"\040", " ").replace(r"\011", "\t").replace(r"\134", "\\")
