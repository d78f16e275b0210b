"""A machine with parts of a system as a thread of this one, at another address of loopback: no Ray."""

import queue
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import cast

from carrying_out import carry_out

from loadstone.cluster.apart.inboxes import Inbox
from loadstone.cluster.apart.messages import (
    FromParts,
    PartAnswer,
    PartCommand,
    PartsAt,
    PartsLeft,
    PartStopped,
    ToParts,
    folder_from,
)
from loadstone.cluster.apart.parts_lab import PartsLab
from loadstone.cluster.apart.remote_parts import RemoteParts
from loadstone.deploy.confinement.without import Without, confine
from loadstone.deploy.placement import available_cpus
from loadstone.study.design.resolve import ResolvedPlan
from loadstone.study.values.manifest import System
from loadstone.study.values.model import Limits

APART = "127.0.0.2"
MACHINE = "d"


def unconfined(_: str, limits: Limits) -> Without:
    """Hold nothing."""
    return confine(limits, "not asked for")


class Apart:
    """The machine, and what the lab that leads has of it."""

    def __init__(self, directory: Path, resolved: ResolvedPlan, has: str) -> None:
        self._there, self._leading = directory / "there", directory / "leading"
        self._there.mkdir()
        self._leading.mkdir()
        self._commands: queue.SimpleQueue[PartCommand | None] = queue.SimpleQueue()
        self._inbox: Inbox = queue.SimpleQueue()
        self.lab = PartsLab(
            resolved, APART, self._there, available_cpus()[:1], unconfined, (), self._answer
        )
        self.remote = RemoteParts(
            PartsAt(machine=MACHINE, address=APART, has=has),
            self._leading,
            self._tell,
            self._inbox,
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

    def _tell(self, line: ToParts) -> None:
        assert line.machine == MACHINE
        self._commands.put(line.command)

    def _answer(self, answer: PartAnswer) -> None:
        """As the driver passes it on: files first."""
        if self.is_cut:
            return
        if isinstance(answer, PartStopped | PartsLeft):
            shutil.move(
                self._there / answer.folder, self._leading / folder_from(answer.folder, MACHINE)
            )
        self._inbox.put(FromParts(machine=MACHINE, answer=answer))


@contextmanager
def dependencies_apart(directory: Path, system: System, cache: Path) -> Iterator[Apart]:
    """Have a machine with the dependencies of a system for the length of the block."""
    resolved = cast(ResolvedPlan, SimpleNamespace(system=system, builds=cache))
    with _standing(Apart(directory, resolved, "the dependencies")) as apart:
        yield apart


@contextmanager
def services_apart(directory: Path, resolved: ResolvedPlan, name: str) -> Iterator[Apart]:
    """Have a machine for a service of a study for the length of the block."""
    apart = Apart(directory, resolved, f"the service {name}")
    apart.lab.make_ready(directory / "logs")
    with _standing(apart):
        yield apart


@contextmanager
def _standing(apart: Apart) -> Iterator[Apart]:
    apart.thread.start()
    try:
        yield apart
    finally:
        apart.end()
