"""The machine of dependencies as a thread of this one, at another address of loopback: no Ray."""

import queue
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import cast

from carrying_out import carry_out

from loadstone.cluster.dependencies.dependency_lab import DependencyLab
from loadstone.cluster.dependencies.messages import (
    DependenciesAt,
    DependenciesLeft,
    DependencyAnswer,
    DependencyCommand,
    DependencyStopped,
    FromDependencies,
    ToDependencies,
    folder_from,
)
from loadstone.cluster.dependencies.remote_dependencies import RemoteDependencies
from loadstone.deploy.placement import available_cpus
from loadstone.study.design.resolve import ResolvedPlan
from loadstone.study.values.manifest import System

APART = "127.0.0.2"
MACHINE = "d"


class Apart:
    """The machine, and what the service's lab has of it."""

    def __init__(self, directory: Path, system: System, cache: Path) -> None:
        resolved = cast(ResolvedPlan, SimpleNamespace(system=system, builds=cache))
        self._there, self._leading = directory / "there", directory / "leading"
        self._there.mkdir()
        self._leading.mkdir()
        self._commands: queue.SimpleQueue[DependencyCommand | None] = queue.SimpleQueue()
        self._inbox: queue.SimpleQueue[FromDependencies | None] = queue.SimpleQueue()
        self.lab = DependencyLab(
            resolved, APART, self._there, available_cpus()[:1], None, (), self._answer
        )
        self.remote = RemoteDependencies(
            DependenciesAt(machine=MACHINE, address=APART), self._leading, self._tell, self._inbox
        )
        self.is_cut = False
        self.thread = threading.Thread(
            target=carry_out, args=(self._commands, self.lab), name=MACHINE
        )

    def hang_up(self) -> None:
        """End what the driver passes on."""
        self._inbox.put(None)

    def end(self) -> None:
        """End it as its lab ends."""
        self._commands.put(None)
        self.thread.join()

    def _tell(self, line: ToDependencies) -> None:
        assert line.machine == MACHINE
        self._commands.put(line.command)

    def _answer(self, answer: DependencyAnswer) -> None:
        """As the driver passes it on: files first."""
        if self.is_cut:
            return
        if isinstance(answer, DependencyStopped | DependenciesLeft):
            shutil.move(self._there / answer.folder, self._leading / folder_from(answer.folder))
        self._inbox.put(FromDependencies(answer=answer))


@contextmanager
def dependencies_apart(directory: Path, system: System, cache: Path) -> Iterator[Apart]:
    """Have such a machine for the length of the block."""
    apart = Apart(directory, system, cache)
    apart.thread.start()
    try:
        yield apart
    finally:
        apart.end()
