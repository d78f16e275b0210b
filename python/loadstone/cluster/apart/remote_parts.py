"""A machine that has parts of the system, as the lab that leads the site sees it: what it asks goes by
way of the driver, and is answered before it goes on.

Left out: a check's hand on such a part. The whole contract is held before, with all parts on the
machine that leads, and faults of them are refused with the study.
"""

import queue
import secrets
import shutil
import time
from collections.abc import Callable, Mapping
from itertools import count
from pathlib import Path
from typing import TypeVar

from loadstone.cluster.apart.inboxes import Inbox
from loadstone.cluster.apart.messages import (
    DependencyStarted,
    PartAnswer,
    PartCommand,
    PartEnded,
    PartFailed,
    PartsAt,
    PartsSeen,
    PartsWatched,
    ServiceStarted,
    StartDependency,
    StartService,
    ToParts,
    WatchParts,
    folder_from,
)
from loadstone.cluster.apart.remote_dependency import RemoteDependency
from loadstone.cluster.apart.remote_service import RemoteService
from loadstone.cluster.apart.remote_watch import RemoteWatch
from loadstone.cluster.engines.datagrams import KEY_BYTES, time_there
from loadstone.deploy.dependencies.sql import SEED_SECONDS
from loadstone.errors import StepFailed
from loadstone.measure.loading.probe import GroupTick
from loadstone.results.environment import ClockOffset
from loadstone.study.values.manifest import Service

ANSWER_SECONDS = SEED_SECONDS + 60.0
"""For a template of many rows that is made anew; everything else takes seconds."""

Tell = Callable[[ToParts], None]
Answer = TypeVar("Answer", bound=PartAnswer)


class RemoteParts:
    """One machine. One thread uses it, and asks one thing after the other."""

    def __init__(self, at: PartsAt, results: Path, tell: Tell, inbox: Inbox) -> None:
        """What the driver puts here comes below `results`."""
        self._at, self._results, self._tell, self._inbox = at, results, tell, inbox
        self._calls = count(1)
        self._ended: dict[str, PartEnded] = {}
        self._seen: dict[str, list[GroupTick]] = {}
        self._is_over = False

    @property
    def at(self) -> PartsAt:
        """Its name, its address, and what it is there for."""
        return self._at

    def start(self, name: str, settings: Mapping[str, str], logs: Path) -> RemoteDependency:
        """Start a dependency there, whose logs come into a folder at its end.

        Raises StepFailed('deploy'), or StepFailed('seed') where its seed cannot be taken.
        """
        self._ended.pop(name, None)
        command = StartDependency(call=self.next_call(), name=name, settings=dict(settings))
        return RemoteDependency(self, name, self.ask(command, DependencyStarted, "deploy"), logs)

    def start_service(
        self,
        arm: str,
        is_watched: bool,
        name: str,
        service: Service,
        urls: Mapping[str, str],
        logs: Path,
    ) -> RemoteService:
        """Start a process of a service there, whose logs come into a folder at its end.

        Raises StepFailed('deploy'), or StepFailed('start-up') where it does not answer correctly.
        """
        self._ended.pop(name, None)
        command = StartService(
            call=self.next_call(),
            name=name,
            service=service.service,
            arm=arm,
            urls=dict(urls),
            is_watched=is_watched,
        )
        return RemoteService(self, service, self.ask(command, ServiceStarted, "deploy"), logs)

    def watch(self) -> RemoteWatch:
        """Begin to probe what it has. Raises StepFailed('load')."""
        self._seen.clear()
        key = secrets.token_bytes(KEY_BYTES)
        command = WatchParts(call=self.next_call(), key=key.hex())
        return RemoteWatch(self, self.ask(command, PartsWatched, "load"), key)

    def next_call(self) -> int:
        """Return a number for a call."""
        return next(self._calls)

    def ask(self, command: PartCommand, wanted: type[Answer], step: str) -> Answer:
        """Let that machine do something, and return its answer. Raises StepFailed, of the step that
        failed there, or of this one where nobody answers.
        """
        self._tell(ToParts(machine=self._at.machine, command=command))
        deadline = time.monotonic() + ANSWER_SECONDS
        while not self._is_over:
            try:
                heard = self._take(max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                raise StepFailed(
                    step,
                    f"{self._at.machine}, which has {self._at.has}, has not answered for "
                    f"{ANSWER_SECONDS:g} s: is it there?",
                ) from None
            if heard is not None and heard.call == command.call:
                if isinstance(heard, PartFailed):
                    reason = f"{self._at.machine}: {heard.reason}"
                    raise StepFailed(heard.step, reason, heard.log_tail)
                assert isinstance(heard, wanted), f"{heard.told} answers {command.do}"
                return heard
        raise StepFailed(step, f"{self._at.machine}, which has {self._at.has}, is not there now")

    def ended(self, name: str) -> PartEnded | None:
        """Return how one has ended of itself, as far as that was told; returns at once."""
        self._take_all()
        return self._ended.get(name)

    def seen(self, name: str) -> list[GroupTick]:
        """Return what was told so far of a process since its machine is watched; returns at once."""
        self._take_all()
        return self._seen.get(name, [])

    def _take_all(self) -> None:
        while not self._inbox.empty():
            self._take(0.0)

    def _take(self, seconds: float) -> PartAnswer | None:
        """Wait for what is said next; an answer is returned, and the rest is kept. Raises Empty."""
        said = self._inbox.get(timeout=seconds)
        if said is None:
            self._is_over = True
            return None
        match said.answer:
            case PartEnded():
                self._ended[said.answer.name] = said.answer
            case PartsSeen():
                for name, ticks in said.answer.ticks.items():
                    self._seen.setdefault(name, []).extend(ticks)
            case _:
                return said.answer
        return None

    def take(self, name: str, into: Path) -> None:
        """Move the files of a folder that came from there into one of a run."""
        came = self._results / folder_from(name, self._at.machine)
        into.mkdir(parents=True, exist_ok=True)
        for path in came.iterdir():
            shutil.move(path, into / path.name)
        came.rmdir()

    def time_there(self, port: int, key: bytes) -> ClockOffset:
        """Ask its clock."""
        return time_there(self._at.address, port, key)
