"""The roots: folders that hold `systems`, `runtimes` and `studies`.

Loadstone ships one: the checkout, or what a wheel installs beside the lab's code. A user may have
another, marked by `loadstone.yaml`.
"""

import os
import stat
from collections.abc import Mapping
from pathlib import Path

import loadstone
from loadstone.errors import InputError, Unavailable
from loadstone.machine.user_cache import user_cache
from loadstone.study.files.root_file import FORMAT, read_root

MARKER = "loadstone.yaml"
OPTION = "--root"
VARIABLE = "LOADSTONE_ROOT"
DESCRIBED = "loadstone"
"""The folder of a project that `loadstone init` writes."""

INSTALLED = Path(loadstone.__file__).resolve().parent / "shipped"
"""Where a wheel puts the shipped root (`pyproject.toml`). A checkout has no such folder."""


def checkout() -> Path | None:
    """Return the checkout that the lab's code is in; none where it is installed from a wheel."""
    return None if INSTALLED.is_dir() else INSTALLED.parents[2]


def shipped_root() -> Path:
    """Return the root that comes with Loadstone. Raises Unavailable where it is not there."""
    root = checkout() or INSTALLED
    if not (root / "systems").is_dir():
        raise Unavailable(
            f"the systems that come with Loadstone are not in {root}", "install Loadstone again"
        )
    return root


def own_root(
    start: Path, named: Path | None = None, environment: Mapping[str, str] | None = None
) -> Path | None:
    """Return the user's root, without links: the one that is `named`, else $LOADSTONE_ROOT, else the
    nearest folder from `start` upwards that has `loadstone.yaml`; none where there is none.

    Raises InputError for one that is named and has no such file, or a wrong one, and for one that is
    found where anyone could have put it: its checks and builds are run as the user.
    """
    environment = os.environ if environment is None else environment
    if named is not None:
        return _named(named, OPTION)
    if text := environment.get(VARIABLE):
        return _named(Path(text), VARIABLE)
    start = start.resolve()
    for folder in (start, *start.parents):
        if _is_marked(folder):
            return _found(folder)
    return None


def root_below(folder: Path) -> Path | None:
    """Return the root that `loadstone init` wrote into a project, seen from the project; none where
    there is none.
    """
    below = Path(DESCRIBED)
    return below if _is_marked(folder / below) else None


def builds_of(root: Path) -> Path:
    """Return where stacks of a root are built and kept, by digest: in it, or in the user's cache where
    it is installed or cannot be written. Raises Unavailable for a user without a home then.
    """
    inside = root / ".loadstone" / "builds"
    if root != INSTALLED and _is_writable(inside, root):
        return inside
    try:
        return user_cache() / "builds"
    except RuntimeError as error:
        raise Unavailable(
            f"nothing can be built: {root} is not to be written, and this user has no home",
            "set XDG_CACHE_HOME to a folder that this user can write",
        ) from error


def _named(folder: Path, by: str) -> Path:
    if not _is_marked(folder):
        raise InputError(
            f"{by} names it, and there is no {MARKER} in it",
            path=folder,
            remedy=f"write {folder / MARKER} with the line `format: {FORMAT}`, or name another folder",
        )
    read_root(folder / MARKER)
    return folder.resolve()


def _found(folder: Path) -> Path:
    if folder != checkout() and folder.stat().st_mode & stat.S_IWOTH:
        raise InputError(
            "anyone may write to its folder, so that its checks and builds could be anyone's",
            path=folder / MARKER,
            remedy=f"name it: {OPTION} {folder}, or take that right away: chmod o-w {folder}",
        )
    read_root(folder / MARKER)
    return folder


def _is_marked(folder: Path) -> bool:
    try:
        return (folder / MARKER).is_file()
    except OSError:  # a folder above that this user may not look into
        return False


def _is_writable(folder: Path, root: Path) -> bool:
    """Whether a folder of a root can be written, or made where it is not there."""
    while not folder.exists() and folder != root:
        folder = folder.parent
    return os.access(folder, os.W_OK | os.X_OK)
