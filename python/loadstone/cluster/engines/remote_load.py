"""A load by engines of other machines, as the lab of the service follows it.

What it says to them, and they to it, goes by way of the driver; only the clocks are asked directly. All
engines of a load have one plan, each a share of it, and are followed as if they were one.
"""

import queue
import secrets
import shutil
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from loadstone.cluster.engines.datagrams import KEY_BYTES, time_there
from loadstone.cluster.engines.merged_events import MergedEvents
from loadstone.cluster.engines.messages import (
    BeginLoad,
    BeginWindow,
    EngineAnswer,
    EngineAt,
    EngineCommand,
    EngineSaid,
    FromEngine,
    LeaveLoad,
    LoadFailed,
    LoadLeft,
    LoadPrepared,
    PrepareLoad,
    StopLoad,
    ToEngine,
    folder_from,
)
from loadstone.errors import StepFailed
from loadstone.measure.loading.load import Elsewhere, Ended, Event
from loadstone.measure.loading.network_watch import NetworkWatch
from loadstone.results import folder
from loadstone.results.environment import ClockOffset
from loadstone.results.record import ProcessFacts
from loadstone.results.shares.merge import merge_shares
from loadstone.results.ticks import read_ticks
from loadstone.results.write import no_room, writing

ANSWER_SECONDS = 60.0
"""For engines to start, and for files to come: the longest word of a driver that lives. An engine
tells a line a second, so one that is silent for as long is out of reach."""
SECOND_NS = 10**9
WINDOW_SECONDS = 2
"""Between the last second that all engines have told and the window: for the command to reach them
all."""

_EACH_BY_ITSELF = ("duration", "count")
"""Reasons to stop that every engine comes to without a word."""

Tell = Callable[[ToEngine], None]
Inbox = queue.SimpleQueue[FromEngine]


class RemoteEngines:
    """The engines of a site."""

    def __init__(
        self, engines: Mapping[str, EngineAt], results: Path, tell: Tell, inbox: Inbox
    ) -> None:
        """What the driver puts here comes below `results`."""
        self._engines, self._results, self._tell, self._inbox = engines, results, tell, inbox
        self._loads = 0

    def start(self, workload: str, plan: Event, directory: Path) -> "RemoteLoad":
        """Start all engines on their shares of a plan. Raises StepFailed('load')."""
        self._loads += 1
        name = f"{self._loads:05}"
        load = RemoteLoad(name, self._engines, self._results, directory, self._tell, self._inbox)
        try:
            load.prepare(workload, plan)
        except BaseException:
            load.stop()
            raise
        return load


@dataclass
class _Share:
    """What is known of one engine."""

    at: EngineAt
    prepared: LoadPrepared | None = None
    left: LoadLeft | None = None
    before: ClockOffset | None = None
    after: ClockOffset | None = None
    told: list[Event] = field(default_factory=list)


class RemoteLoad:
    """One load."""

    def __init__(
        self,
        name: str,
        engines: Mapping[str, EngineAt],
        results: Path,
        directory: Path,
        tell: Tell,
        inbox: Inbox,
    ) -> None:
        self._name, self._results, self._directory = name, results, directory
        self._tell, self._inbox = tell, inbox
        self._key = secrets.token_bytes(KEY_BYTES)
        self._shares = {machine: _Share(at) for machine, at in engines.items()}
        self._events = MergedEvents(tuple(engines))
        self._failed: tuple[str, LoadFailed] | None = None
        self._network: NetworkWatch | None = None
        self._stops, self._silent_seconds = False, ANSWER_SECONDS
        self._heard_at = time.monotonic()

    def prepare(self, workload: str, plan: Event) -> None:
        """Let every engine read its plan but for the last byte. Raises StepFailed('load')."""
        # Behind its stop an engine waits for answers, and tells nothing.
        self._silent_seconds = ANSWER_SECONDS + plan["grace_ns"] / SECOND_NS
        workers = min(len(share.at.cpus) for share in self._shares.values())
        of = len(self._shares)
        for index, (machine, share) in enumerate(self._shares.items()):
            own = {
                **plan,
                "cpus": list(share.at.cpus[:workers]),
                "share": {"index": index, "of": of} if of > 1 else None,
            }
            self._say(
                machine,
                PrepareLoad(load=self._name, workload=workload, plan=own, key=self._key.hex()),
            )
        self._wait(lambda share: share.prepared is not None, "has started its engine")

    @property
    def processes(self) -> tuple[ProcessFacts, ...]:
        """The engines, the probes beside them, and what joins their machines to this one."""
        return tuple(
            self._named(each, machine)
            for machine, share in self._shares.items()
            if share.prepared is not None
            for each in share.prepared.processes
        )

    def _named(self, process: ProcessFacts, machine: str) -> ProcessFacts:
        is_only = process.role == "engine" and len(self._shares) == 1
        name = process.name if is_only else f"{process.name}@{machine}"
        return process.model_copy(update={"name": name, "machine": machine})

    def begin(self) -> None:
        """Ask all machines for their time, then let all engines begin at once."""
        for share in self._shares.values():
            share.before = self._time_of(share)
        self._network = NetworkWatch()
        for machine in self._shares:
            self._say(machine, BeginLoad(load=self._name))
        self._heard_at = time.monotonic()

    def events(self) -> list[Event]:
        """Return what all engines have told of, as one. Raises StepFailed('load')."""
        self._take_all()
        self._refuse_silence()
        return self._events.take()

    def is_over(self) -> bool:
        """Whether all engines have ended and their files are here, or one has failed.

        Once one has ended of itself before the others, which it does by a stop rule, they are told to.
        """
        self._take_all()
        if self._failed is not None:
            return True
        left = [share.left for share in self._shares.values() if share.left is not None]
        if (
            any(each.summary.stop.reason not in _EACH_BY_ITSELF for each in left)
            and not self._stops
        ):
            self._stops = True
            for machine, share in self._shares.items():
                if share.left is None:
                    self._say(machine, StopLoad(load=self._name))
        return len(left) == len(self._shares)

    def begin_window(self) -> None:
        """Let all engines begin it with the same second."""
        not_before_ns = self._events.elapsed_ns + WINDOW_SECONDS * SECOND_NS
        for machine in self._shares:
            self._say(machine, BeginWindow(load=self._name, not_before_ns=not_before_ns))

    def ended(self) -> Ended:
        """Put the files of all engines together, and return what they left. Raises StepFailed('load'),
        RecordsUnwritable.
        """
        self._refuse_failed()
        network = None if self._network is None else self._network.facts()
        for share in self._shares.values():
            share.after = self._time_of(share)
        self._refuse_windows()
        elsewhere, folders = {}, {}
        for machine, share in self._shares.items():
            assert share.left is not None
            assert share.before is not None
            assert share.after is not None
            folders[machine] = self._kept(machine)
            elsewhere[machine] = Elsewhere(
                load=share.left.summary,
                started_unix_ns=share.left.summary.started_unix_ns,
                ticks=self._ticks(machine, folders[machine]),
                probe=share.left.probe,
                clock_before=share.before,
                clock_after=share.after,
                network=share.left.network,
            )
        shares = [(each.load, folders[machine]) for machine, each in elsewhere.items()]
        began = [
            each.load.started_unix_ns - each.clock_before.offset_ns for each in elsewhere.values()
        ]
        summary = merge_shares(shares, self._directory, started_unix_ns=max(began))
        return Ended(summary, elsewhere, network)

    def stop(self) -> None:
        """Let every machine end what it still has of the load."""
        for machine in self._shares:
            self._say(machine, LeaveLoad(load=self._name))

    def _kept(self, machine: str) -> Path:
        """Move what came from a machine into the folder of the run."""
        kept = self._directory / folder.ENGINES / machine
        with writing(kept):
            kept.parent.mkdir(parents=True, exist_ok=True)
            shutil.move(self._results / folder_from(self._name, machine), kept)
        return kept

    def _ticks(self, machine: str, kept: Path) -> pl.DataFrame:
        """Read what the probe saw there, by the names that its processes have here."""
        ticks = read_ticks(kept / folder.RESOURCES)
        if ticks is None:
            raise StepFailed("load", f"{machine} sent no file of its probe")
        prepared = self._shares[machine].prepared
        assert prepared is not None
        names = {each.name: self._named(each, machine).name for each in prepared.processes}
        return ticks.with_columns(pl.col("name").replace(names))

    def _time_of(self, share: _Share) -> ClockOffset:
        assert share.prepared is not None
        return time_there(share.at.address, share.prepared.port, self._key)

    def _say(self, machine: str, command: EngineCommand) -> None:
        self._tell(ToEngine(machine=machine, command=command))

    def _wait(self, is_there: Callable[[_Share], bool], what: str) -> None:
        deadline = time.monotonic() + ANSWER_SECONDS
        while missing := [name for name, each in self._shares.items() if not is_there(each)]:
            try:
                self._take(self._inbox.get(timeout=max(0.0, deadline - time.monotonic())))
            except queue.Empty:
                raise StepFailed(
                    "load", f"{missing[0]} never told within {ANSWER_SECONDS:g} s that it {what}"
                ) from None
            self._refuse_failed()

    def _take_all(self) -> None:
        while not self._inbox.empty():
            self._take(self._inbox.get())

    def _take(self, heard: FromEngine) -> None:
        answer: EngineAnswer = heard.answer
        if answer.load != self._name:
            return
        share, self._heard_at = self._shares[heard.machine], time.monotonic()
        match answer:
            case LoadPrepared():
                share.prepared = answer
            case EngineSaid():
                self._events.add(heard.machine, self._by_own_clock(share, answer.event))
            case LoadLeft():
                share.left = answer
                self._events.leave(heard.machine)
            case LoadFailed():
                self._failed = self._failed or (heard.machine, answer)

    def _by_own_clock(self, share: _Share, event: Event) -> Event:
        """Of when the load began the engine tells by its clock: here it is by this machine's."""
        if event["event"] != "started" or share.before is None:
            return event
        began_ns = event["started_unix_ns"] - share.before.offset_ns
        return {**event, "started_unix_ns": began_ns}

    def _refuse_failed(self) -> None:
        if self._failed is None:
            return
        machine, failure = self._failed
        if failure.no_room:
            raise no_room(f"{machine}: {failure.reason}", self._directory)
        raise StepFailed("load", f"{machine}: {failure.reason}", failure.log_tail)

    def _refuse_silence(self) -> None:
        if time.monotonic() - self._heard_at > self._silent_seconds:
            raise StepFailed(
                "load",
                f"no engine has told anything for {self._silent_seconds:g} s: is its machine there?",
            )

    def _refuse_windows(self) -> None:
        """Engines whose windows began with different seconds have not made one load."""
        begins = {
            machine: share.left.summary.window.start_ns
            for machine, share in self._shares.items()
            if share.left is not None and share.left.summary.window is not None
        }
        if len(set(begins.values())) > 1:
            told = ", ".join(f"{each / 1e9:g} s on {name}" for name, each in begins.items())
            raise StepFailed(
                "load",
                f"the windows of the engines began with different seconds, since a word to one of them "
                f"took longer than a second: {told}",
            )
