"""The lab of one machine, as the driver follows it: what is told of it comes into one queue.

Threads do what waits for the machine, so that a signal reaches the driver at once and a machine that
hangs holds up nobody else.
"""

import queue
import shutil
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal, NamedTuple

from loadstone.cluster.apart import messages as parts
from loadstone.cluster.apart.messages import (
    FromParts,
    PartCommand,
    PartsAt,
    PartsLeft,
    PartStopped,
)
from loadstone.cluster.clock_offset import clock_offset
from loadstone.cluster.engines.messages import (
    EngineAt,
    EngineCommand,
    FromEngine,
    LoadLeft,
    folder_from,
    folder_of,
)
from loadstone.cluster.lines import (
    Begin,
    Command,
    DoBlock,
    Line,
    Prepare,
    Prepared,
    read_line,
)
from loadstone.cluster.wire import Wire, WireLost
from loadstone.deploy.ports import LOOPBACK
from loadstone.measure.told import RunEnded
from loadstone.results import folder
from loadstone.results.write import writing

LEAVING_SECONDS = 30.0
"""For the answer of a machine that is known to be gone: seen to take less than one."""


class Part(NamedTuple):
    """What a machine is for in its site."""

    address: str = LOOPBACK
    """Its own."""
    is_engine: bool = False
    """Whether it is for an engine alone."""
    engines: Mapping[str, EngineAt] = {}
    """By machine, the engines that load what is on this one; none: its own."""
    has: Literal["dependencies", "services"] | None = None
    """What parts of the system it is for alone; none: it is no such machine."""
    dependencies: PartsAt | None = None
    """Where the dependencies are of what is on this one; none: here, too."""
    services: Mapping[str, PartsAt] = {}
    """By service, where those are that are not on this one."""


ONLY = Part()
"""Of a machine that is a site by itself."""


class Gone(NamedTuple):
    """A lab that will say nothing any more."""

    reason: str


class Broken(NamedTuple):
    """What ends the study: the disk has no room, a machine refuses, the lab has a defect."""

    error: Exception


class Heard(NamedTuple):
    """What came of one site."""

    site: str
    line: Line | Gone | Broken
    files: Path | None = None
    """The folder of a run or of an engine's load that has ended, or of what was printed while arms were
    prepared; the receiver's to move or to remove."""
    builds: object = None
    """What arms are started from, for the wires of others."""


class RemoteLab:
    """One site. What it hears it puts into a queue that it shares with the others."""

    def __init__(
        self, site: str, wire: Wire, heard: "queue.SimpleQueue[Heard]", staging: Path
    ) -> None:
        """`staging` is a folder for what is fetched; it is made where it does not exist."""
        self.site = site
        self._wire, self._heard, self._staging = wire, heard, staging
        self._tasks: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._threads = [
            threading.Thread(target=target, name=f"{site} {name}", daemon=True)
            for name, target in (("tasks", self._do_tasks), ("lines", self._follow))
        ]

    def begin(self, profile: str | None, plan: str, part: Part = ONLY) -> None:
        """Start the lab and tell it the study, and its part; it answers Ready, or Refused."""

        def task() -> None:
            places = self._wire.start()
            offset = clock_offset(self._wire.clock)
            self._wire.send(
                Begin(
                    site=self.site,
                    study=places.study,
                    profile=profile,
                    plan=plan,
                    results=places.results,
                    simulation=places.simulation,
                    clock=offset,
                    cluster_pid=places.cluster_pid,
                    address=part.address,
                    is_engine=part.is_engine,
                    engines=dict(part.engines),
                    has=part.has,
                    dependencies=part.dependencies,
                    services=dict(part.services),
                ).model_dump_json()
            )
            self._threads[1].start()

        self._tasks.put(task)
        self._threads[0].start()

    def prepare(self, builds: object) -> None:
        """Give the lab the builds of another, if there are any, and let it prepare every arm."""

        def task() -> None:
            if builds is not None:
                self._wire.give_builds(builds)
            self._wire.send(Prepare().model_dump_json())

        self._tasks.put(task)

    def do_block(self, command: DoBlock) -> None:
        """Let it do runs of a block."""
        self._send(command)

    def do_engine(self, command: EngineCommand) -> None:
        """Let its engine do something."""
        self._send(command)

    def hear_engine(self, said: FromEngine, files: Path | None) -> None:
        """Tell it what an engine of its site said, behind the files that came with it."""

        def task() -> None:
            if files is not None:
                self._wire.give(files, folder_from(said.answer.load, said.machine))
                shutil.rmtree(files, ignore_errors=True)
            self._wire.send(said.model_dump_json())

        self._tasks.put(task)

    def do_parts(self, command: PartCommand) -> None:
        """Let it do something with the parts that it has."""
        self._send(command)

    def hear_parts(self, said: FromParts, files: Path | None) -> None:
        """Tell it what a machine with parts said, behind the files that came with it."""

        def task() -> None:
            if files is not None:
                assert isinstance(said.answer, PartStopped | PartsLeft)
                self._wire.give(files, parts.folder_from(said.answer.folder, said.machine))
                shutil.rmtree(files, ignore_errors=True)
            self._wire.send(said.model_dump_json())

        self._tasks.put(task)

    def _send(self, command: Command) -> None:
        self._tasks.put(lambda: self._wire.send(command.model_dump_json()))

    def close(self) -> None:
        """End it, and wait until it has taken down what it started, and nobody uses its wire."""
        self._tasks.put(None)
        self._wire.close()
        for thread in self._threads:
            if thread.is_alive():
                thread.join(LEAVING_SECONDS)

    def _do_tasks(self) -> None:
        while (task := self._tasks.get()) is not None:
            if not self._guarded(task):
                return

    def _follow(self) -> None:
        def hear() -> None:
            self._heard.put(self._with_files(read_line(self._wire.receive())))

        while self._guarded(hear):
            pass

    def _guarded(self, work: Callable[[], None]) -> bool:
        """Do something that waits for the machine; return whether the lab goes on.

        Nobody sees an exception of a thread, so whatever it is, the receiver is told.
        """
        try:
            work()
        except WireLost as lost:
            self._heard.put(Heard(self.site, Gone(lost.message)))
            self._wire.close()
        except Exception as error:
            self._heard.put(Heard(self.site, Broken(error)))
        else:
            return True
        return False

    def _with_files(self, line: Line) -> Heard:
        match line:
            case RunEnded():
                return Heard(self.site, line, self._fetch(f"{folder.RUNS}/{line.run}"))
            case Prepared():
                builds = self._wire.take_builds(line.builds) if line.builds else None
                return Heard(self.site, line, self._fetch(folder.LOGS), builds)
            case LoadLeft():
                return Heard(self.site, line, self._fetch(folder_of(line.load)))
            case PartStopped() | PartsLeft():
                return Heard(self.site, line, self._fetch(line.folder))
            case _:
                return Heard(self.site, line)

    def _fetch(self, name: str) -> Path:
        into = self._staging / name.replace("/", "-")
        with writing(self._staging):
            self._staging.mkdir(parents=True, exist_ok=True)
            self._wire.fetch(name, into)
        return into
