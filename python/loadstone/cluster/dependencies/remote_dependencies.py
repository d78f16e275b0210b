"""Dependencies on another machine, as the lab of the service sees them: what it asks of one goes by way
of the driver, and is answered before it goes on.

Left out: a check's hand on one. The whole contract is held before, beside dependencies of the service's
own machine, and faults of them are refused with the study.
"""

import queue
import secrets
import shutil
import time
from collections.abc import Callable, Mapping
from itertools import count
from pathlib import Path
from typing import TypeVar

import polars as pl

from loadstone.cluster.dependencies.messages import (
    AskDependency,
    DependenciesAt,
    DependenciesLeft,
    DependenciesWatched,
    DependencyAnswer,
    DependencyCommand,
    DependencyDid,
    DependencyEnded,
    DependencyFailed,
    DependencyStarted,
    DependencyStopped,
    FromDependencies,
    LeaveDependencies,
    StartDependency,
    StopDependency,
    ToDependencies,
    WatchDependencies,
    folder_from,
)
from loadstone.cluster.engines.datagrams import KEY_BYTES, time_there
from loadstone.deploy.dependencies.interface import Leader
from loadstone.deploy.dependencies.sql import SEED_SECONDS
from loadstone.errors import LoadstoneError, StepFailed
from loadstone.measure.loading.load import Beside
from loadstone.results import folder
from loadstone.results.database_work import DatabaseWork
from loadstone.results.environment import ClockOffset
from loadstone.results.record import ProcessFacts
from loadstone.results.store_work import StoreReading
from loadstone.results.ticks import read_ticks

ANSWER_SECONDS = SEED_SECONDS + 60.0
"""For a template of many rows that is made anew; everything else takes seconds."""

Tell = Callable[[ToDependencies], None]
Inbox = queue.SimpleQueue[FromDependencies | None]
"""None is the end: nobody says anything any more."""
Answer = TypeVar("Answer", bound=DependencyAnswer)


class RemoteDependencies:
    """The machine of a site's dependencies. One thread uses it, and asks one thing after the other."""

    def __init__(self, at: DependenciesAt, results: Path, tell: Tell, inbox: Inbox) -> None:
        """What the driver puts here comes below `results`."""
        self._at, self._results, self._tell, self._inbox = at, results, tell, inbox
        self._calls = count(1)
        self._ended: dict[str, DependencyEnded] = {}
        self._is_over = False

    @property
    def machine(self) -> str:
        """Its name."""
        return self._at.machine

    def start(self, name: str, settings: Mapping[str, str], logs: Path) -> "RemoteDependency":
        """Start one there, whose logs come into a folder at its end.

        Raises StepFailed('deploy'), or StepFailed('seed') where its seed cannot be taken.
        """
        call = next(self._calls)
        self._ended.pop(name, None)
        command = StartDependency(call=call, name=name, settings=dict(settings))
        return RemoteDependency(self, name, self.ask(command, DependencyStarted, "deploy"), logs)

    def watch(self) -> "RemoteWatch":
        """Begin to probe them. Raises StepFailed('load')."""
        key = secrets.token_bytes(KEY_BYTES)
        command = WatchDependencies(call=next(self._calls), key=key.hex())
        return RemoteWatch(self, self.ask(command, DependenciesWatched, "load"), key)

    def next_call(self) -> int:
        """Return a number for a call."""
        return next(self._calls)

    def ask(self, command: DependencyCommand, wanted: type[Answer], step: str) -> Answer:
        """Let that machine do something, and return its answer. Raises StepFailed, of the step that
        failed there, or of this one where nobody answers.
        """
        self._tell(ToDependencies(machine=self._at.machine, command=command))
        deadline = time.monotonic() + ANSWER_SECONDS
        while not self._is_over:
            try:
                heard = self._take(max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                raise StepFailed(
                    step,
                    f"{self._at.machine}, which has the dependencies, has not answered for "
                    f"{ANSWER_SECONDS:g} s: is it there?",
                ) from None
            if heard is not None and heard.call == command.call:
                if isinstance(heard, DependencyFailed):
                    reason = f"{self._at.machine}: {heard.reason}"
                    raise StepFailed(heard.step, reason, heard.log_tail)
                assert isinstance(heard, wanted), f"{heard.told} answers {command.do}"
                return heard
        raise StepFailed(step, f"{self._at.machine}, which has the dependencies, is not there now")

    def ended(self, name: str) -> DependencyEnded | None:
        """Return how one has ended of itself, as far as that was told; returns at once."""
        while not self._inbox.empty():
            self._take(0.0)
        return self._ended.get(name)

    def _take(self, seconds: float) -> DependencyAnswer | None:
        """Wait for what is said next; an answer is returned, and the rest is kept. Raises Empty."""
        said = self._inbox.get(timeout=seconds)
        if said is None:
            self._is_over = True
        elif isinstance(said.answer, DependencyEnded):
            self._ended[said.answer.name] = said.answer
        else:
            return said.answer
        return None

    def take(self, name: str, into: Path) -> None:
        """Move the files of a folder that came from there into one of a run."""
        came = self._results / folder_from(name)
        into.mkdir(parents=True, exist_ok=True)
        for path in came.iterdir():
            shutil.move(path, into / path.name)
        came.rmdir()

    def time_there(self, port: int, key: bytes) -> ClockOffset:
        """Ask its clock."""
        return time_there(self._at.address, port, key)


class RemoteDependency:
    """One of them; see `deploy/dependencies/interface.py`."""

    def __init__(
        self, all_: RemoteDependencies, name: str, started: DependencyStarted, logs: Path
    ) -> None:
        self.name, self.url, self.settings = name, started.url, started.settings
        self._all, self._logs, self._leaders = all_, logs, started.leaders
        self._is_stopped = False
        self.killed_after_ns: int | None = None

    @property
    def leaders(self) -> tuple[Leader, ...]:
        """Its processes, on that machine."""
        return tuple(
            Leader(each.name, each.command, each.pid, each.cpus, self._all.machine)
            for each in self._leaders
        )

    @property
    def hand(self) -> None:
        """Nothing: it is not on this machine."""

    def seed(self) -> None:
        """Bring it to its seed."""
        self._ask("seed", "seed")

    def services_stand(self) -> None:
        """Note what services have made in it."""
        self._ask("services_stand", "start-up")

    def reset(self) -> None:
        """Bring it back to its seed."""
        self._ask("reset", "reset")

    def open_connections(self) -> int | None:
        """How many connections services have to it."""
        return self._ask("open_connections", "reset").open_connections

    def work(self) -> DatabaseWork | None:
        """What all but the lab have asked of it."""
        return self._ask("work", "load").work

    def rows(self) -> dict[str, int] | None:
        """The rows of its tables."""
        return self._ask("rows", "load").rows

    def store(self) -> StoreReading | None:
        """What it has done, where it keeps keys."""
        return self._ask("store", "load").store

    def ending(self) -> str | None:
        """How it ended of itself."""
        ended = self._all.ended(self.name)
        return None if ended is None else f"{ended.ending} on {self._all.machine}"

    def log_tail(self) -> str:
        """The last lines of its log, where it has ended of itself; else they are on that machine."""
        ended = self._all.ended(self.name)
        return "" if ended is None else ended.log_tail

    def stop(self) -> None:
        """End it, and fetch its logs. Where nobody answers its machine ends it with its lab."""
        if self._is_stopped:
            return
        self._is_stopped = True
        command = StopDependency(call=self._all.next_call(), name=self.name)
        try:
            stopped = self._all.ask(command, DependencyStopped, "teardown")
            self.killed_after_ns = stopped.killed_after_ns
            self._all.take(stopped.folder, self._logs)
        except LoadstoneError:
            return

    def _ask(self, what: str, step: str) -> DependencyDid:
        command = AskDependency.model_validate(
            {"call": self._all.next_call(), "name": self.name, "what": what}
        )
        did = self._all.ask(command, DependencyDid, step)
        self._leaders = did.leaders
        return did


class RemoteWatch:
    """What is seen of them in one load."""

    def __init__(self, all_: RemoteDependencies, watched: DependenciesWatched, key: bytes) -> None:
        self._all, self._watched, self._key = all_, watched, key
        self._before: ClockOffset | None = None

    @property
    def processes(self) -> tuple[ProcessFacts, ...]:
        """What is probed there beside the dependencies."""
        machine = self._all.machine
        return tuple(
            each.model_copy(update={"name": f"{each.name}@{machine}", "machine": machine})
            for each in self._watched.processes
        )

    def begin(self) -> None:
        """Ask its clock, before the load. Raises StepFailed('load')."""
        self._before = self._all.time_there(self._watched.port, self._key)

    def left(self, started_unix_ns: int, directory: Path) -> dict[str, Beside]:
        """End the probe, and return what it saw, by machine; its files come into a run's folder.

        `started_unix_ns` is when the load began by this machine's clock. Raises StepFailed('load').
        """
        assert self._before is not None, "a load begins before it ends"
        after = self._all.time_there(self._watched.port, self._key)
        command = LeaveDependencies(call=self._all.next_call())
        left = self._all.ask(command, DependenciesLeft, "load")
        kept = directory / folder.DEPENDENCIES / self._all.machine
        self._all.take(left.folder, kept)
        ticks = read_ticks(kept / folder.RESOURCES)
        if ticks is None:
            raise StepFailed("load", f"{self._all.machine} sent no file of its probe")
        names = {each.name: f"{each.name}@{self._all.machine}" for each in self._watched.processes}
        return {
            self._all.machine: Beside(
                started_unix_ns=started_unix_ns + self._before.offset_ns,
                ticks=ticks.with_columns(pl.col("name").replace(names)),
                probe=left.probe,
                clock_before=self._before,
                clock_after=after,
                network=left.network,
            )
        }
