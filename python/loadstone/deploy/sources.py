"""The sources of a stack: one walk says what is copied for a build, and what its digest is of.

Links are followed, so that the copy stands alone and the digest is of what the build sees. What cannot
be copied fails the build by name, and the digest has its name alone.
"""

import hashlib
import os
import shutil
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Protocol

from loadstone.errors import StepFailed
from loadstone.results.folder import PLAN, RUNS
from loadstone.study.systems.roots import MARKER

OUTPUTS = frozenset({"bin", "node_modules", "target", ".venv"})
"""Folders that builds make at the top of a stack. Deeper ones are sources, as Cargo's `src/bin` is."""

CACHES = frozenset({"__pycache__", ".mypy_cache", ".pytest_cache", ".ruff_cache"})
"""Folders that tools make beside any source, and that nobody keeps sources in."""

PROJECT_OUTPUTS = CACHES | {"node_modules", ".gradle"}
"""Folders that nobody keeps sources of a project in, wherever they stand."""
_VIRTUAL_ENVIRONMENT = "pyvenv.cfg"
"""The file of a virtual environment of Python, whatever its folder is called (PEP 405)."""

_NOT_COPIED = (
    "it cannot be read, is neither file nor folder, or is a link to a folder that holds it"
)


class Kind(Enum):
    """What an entry of a folder is, behind its links; each value is one byte of the digest."""

    FOLDER = b"d"
    FILE = b"f"
    PROGRAM = b"x"
    """A file that its owner may execute: the bit that Git keeps, too."""
    OTHER = b"?"
    """What cannot be copied: a pipe, a link that leads nowhere or to a folder that holds it."""


@dataclass(frozen=True)
class Source:
    """One file or folder."""

    name: str
    """Below the stack's folder."""
    path: Path
    kind: Kind


class LeaveOut(Protocol):
    """Whether an entry of a folder is no source."""

    def __call__(self, path: Path, *, at_top: bool) -> bool:
        """Whether it is not, where it stands at the top of the sources or below."""


def sources(directory: Path, *, is_project: bool = False) -> Iterator[Source]:
    """Every source, each folder before what is in it, by name."""
    leave_out = is_left_out_of_project if is_project else is_left_out
    return _below(directory, "", (directory.resolve(),), leave_out)


def digest(directory: Path, *, is_project: bool = False) -> bytes:
    """SHA-256 over names, kinds and contents. Every part has a length, so no two trees share it."""
    whole = hashlib.sha256()
    for source in sources(directory, is_project=is_project):
        name = os.fsencode(source.name)
        whole.update(b"%b %d %b" % (source.kind.value, len(name), name))
        if source.kind in (Kind.FILE, Kind.PROGRAM):
            whole.update(_content_digest(source.path))
    return whole.digest()


def copy(directory: Path, destination: Path, *, is_project: bool = False) -> None:
    """Copy every source into a new folder. Of a project a link that cannot be followed stays a link,
    and what a running program listens at is left out.

    Raises StepFailed('build') for the first that cannot be copied.
    """
    destination.mkdir()
    for source in sources(directory, is_project=is_project):
        path = destination / source.name
        try:
            match source.kind:
                case Kind.FOLDER:
                    path.mkdir()
                case Kind.FILE | Kind.PROGRAM:
                    shutil.copy2(source.path, path)
                case Kind.OTHER if is_project and source.path.is_symlink():
                    path.symlink_to(source.path.readlink())
                case Kind.OTHER if is_project and _is_listened_at(source.path):
                    pass
                case Kind.OTHER:
                    source.path.stat()  # a link that leads nowhere says so itself
                    raise OSError(_NOT_COPIED)
        except OSError as error:
            raise StepFailed("build", f"the sources cannot be copied to {path}: {error}") from error


def _is_listened_at(path: Path) -> bool:
    """Whether it is a socket or a pipe."""
    mode = path.lstat().st_mode
    return stat.S_ISSOCK(mode) or stat.S_ISFIFO(mode)


def is_left_out(path: Path, *, at_top: bool) -> bool:
    """Whether a build or a tool made it."""
    return (path.name in CACHES or (at_top and path.name in OUTPUTS)) and path.is_dir()


def is_left_out_of_project(path: Path, *, at_top: bool) -> bool:
    """Whether it is no source of a project: Git's, the lab's own, or made by a build or a tool.

    A `bin` is a source, since projects keep programs there.
    """
    if path.name == ".git":  # a file in a further worktree
        return True
    if not path.is_dir() or not os.access(path, os.R_OK | os.X_OK):
        return False  # what cannot be read fails the copy by name
    return (
        path.name in PROJECT_OUTPUTS
        or (at_top and path.name in OUTPUTS - {"bin"})
        or (path / _VIRTUAL_ENVIRONMENT).is_file()
        or (path / MARKER).is_file()
        or any((plan.parent / RUNS).is_dir() for plan in path.glob(f"*/{PLAN}"))
    )


def _below(
    folder: Path, prefix: str, holders: tuple[Path, ...], leave_out: LeaveOut
) -> Iterator[Source]:
    """`holders` are the folder and those that hold it, without links."""
    for path in sorted(folder.iterdir(), key=os.fsencode):
        if leave_out(path, at_top=not prefix):
            continue
        name = f"{prefix}{path.name}"
        kind = _kind(path, holders)
        yield Source(name, path, kind)
        if kind is Kind.FOLDER:
            yield from _below(path, f"{name}/", (*holders, path.resolve()), leave_out)


def _kind(path: Path, holders: tuple[Path, ...]) -> Kind:
    if not os.access(path, os.R_OK):
        return Kind.OTHER
    if path.is_dir():
        return Kind.OTHER if path.resolve() in holders else Kind.FOLDER
    if path.is_file():
        return Kind.PROGRAM if path.stat().st_mode & stat.S_IXUSR else Kind.FILE
    return Kind.OTHER


def _content_digest(path: Path) -> bytes:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").digest()
