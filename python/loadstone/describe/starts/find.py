"""How a project is built, and all ways to start it that its files tell."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from loadstone.describe.starts.dockerfile import container_command
from loadstone.describe.starts.go import go
from loadstone.describe.starts.java import java
from loadstone.describe.starts.model import NO_TOOLCHAIN, Toolchain, Way
from loadstone.describe.starts.node import node
from loadstone.describe.starts.procfile import procfile
from loadstone.describe.starts.python import python
from loadstone.describe.starts.rust import rust

_READERS = (go, java, rust, python, node)
"""Those of services before that of pages: many a project has a package.json for its page beside it."""


@dataclass(frozen=True)
class FoundStarts:
    """What the files of a project tell."""

    toolchain: Toolchain
    """How it is built."""
    ways: Sequence[Way]
    """Ways to start it, all that are told."""
    told_by: str
    """The file that tells them."""
    container_command: str | None
    """What a container of it runs: a hint."""


def find_starts(project: Path) -> FoundStarts:
    """Look for manifests and a Procfile. What makes no sense tells nothing."""
    found = [each for reader in _READERS if (each := reader(project)) is not None]
    with_ways = [each for each in found if each.ways]
    toolchain = next(iter((*with_ways, *found)), NO_TOOLCHAIN)
    processes = procfile(project)
    return FoundStarts(
        toolchain=toolchain,
        ways=tuple(_with_path(each, toolchain) for each in processes) or toolchain.ways,
        told_by="Procfile" if processes else toolchain.manifest,
        container_command=container_command(project),
    )


def _with_path(process: Way, toolchain: Toolchain) -> Way:
    """Call a built program by its path: hosts that run a Procfile have its folder on their PATH."""
    program, *rest = process.command.split(maxsplit=1)
    for built in toolchain.ways:
        if built.command.endswith(f"/{program}") and len(built.command.split()) == 1:
            return replace(process, command=" ".join((built.command, *rest)))
    return process
