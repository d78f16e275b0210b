"""The engine as a child: its plan in, its events out."""

import json
import os
import time
from pathlib import Path

from pydantic import ValidationError

from loadstone.deploy import process
from loadstone.deploy.binaries import find_engine
from loadstone.errors import StepFailed
from loadstone.machine.priority import nice_of, oom_score_of
from loadstone.measure.loading.load import Ended, Event
from loadstone.measure.loading.secret_text import masked
from loadstone.results import folder
from loadstone.results.engine_summary import EngineSummary
from loadstone.results.record import ProcessFacts
from loadstone.results.write import no_room

POLL_SECONDS = 0.02
"""Soon enough to see a service end, seldom enough to cost the engine's CPU nothing."""


class Engine:
    """A running engine. `events` is polled, never waited on; `result` is there when it has
    finished.
    """

    def __init__(
        self,
        child: process.Child,
        directory: Path,
        *,
        held: bytes | None = None,
        is_told: bool = False,
    ) -> None:
        """`held` is what is left of its plan, which it waits for; `is_told`: it takes commands
        behind."""
        self.child, self.directory = child, directory
        self._held, self._is_told = held, is_told
        self._nice = nice_of(child.pid)  # its first thread stands back for its workers soon
        self.result: EngineSummary | None = None
        self.error: str | None = None
        self.cause: str | None = None
        self._buffer = b""
        os.set_blocking(child.stdout.fileno(), False)

    def events(self) -> list[Event]:
        """Return the events that have come since the last call. Raises StepFailed('load') on a
        broken line.
        """
        self._buffer += self.child.stdout.read() or b""
        *lines, self._buffer = self._buffer.split(b"\n")
        return [self._take(line) for line in lines if line]

    def _take(self, line: bytes) -> Event:
        try:
            event: Event = json.loads(line)
            if event["event"] == "finished":
                self.result = EngineSummary.model_validate(event["summary"])
            elif event["event"] == "failed":
                self.error, self.cause = str(event["error"]), str(event["cause"])
        except (ValueError, KeyError, TypeError, ValidationError) as error:
            raise StepFailed(
                "load", f"the engine said what the lab does not know: {error}"
            ) from error
        return event

    @property
    def processes(self) -> tuple[ProcessFacts, ...]:
        """The engine alone."""
        return (
            ProcessFacts(
                role="engine",
                name="engine",
                command=self.child.command,
                pid=self.child.pid,
                nice=self._nice,
                oom_score=oom_score_of(self.child.pid),
                cpus=self.child.cpus(),
            ),
        )

    def begin(self) -> None:
        """Write the last byte of its plan, where that was held back."""
        if self._held is not None:
            self.child.write(self._held)
            self._held = None
            if not self._is_told:
                self.child.end_input()

    def is_over(self) -> bool:
        """Whether it has ended."""
        return self.child.process.poll() is not None

    def begin_window(self, not_before_ns: int = 0) -> None:
        """End the warm-up of a plan that has one: the window begins with the next full second, or with
        a later one.
        """
        command = {"command": "begin_window", "not_before_ns": not_before_ns}
        self.child.write(json.dumps(command).encode() + b"\n")

    def ended(self) -> Ended:
        """Return what it has left. Raises as `facts`."""
        return Ended(self.facts())

    def stop(self) -> None:
        """End it."""
        self.child.stop()

    def facts(self) -> EngineSummary:
        """Return the summary of an engine that has ended. Raises StepFailed('load') if it gave
        none, RecordsUnwritable if the disk took no more.
        """
        self.events()
        if self.result is not None and self.child.process.poll() == 0:
            return self.result
        if self.error is not None and self.cause == "records":
            raise no_room(self.error, self.directory)
        raise StepFailed(
            "load", self.error or f"the engine {self.child.ending()}", self.child.log_tail()
        )


def start_engine(
    plan: Event, directory: Path, cpus: tuple[int, ...], *, is_held: bool = False
) -> Engine:
    """Start the engine on a plan, with its files in `directory`; the plan is kept beside its log.

    With a warm-up in the plan it is told when to end that, and ends itself where the lab is gone. With
    `is_held` it waits until it is to begin, with all read but the last byte.
    """
    directory = directory.resolve()  # the engine works in it
    logs = directory / folder.LOGS
    logs.mkdir(parents=True, exist_ok=True)
    (logs / "engine-plan.json").write_text(json.dumps(masked(plan), indent=1))
    is_told = plan.get("warm_up") is not None
    command = [str(find_engine()), "run", "--plan", "-", "--out", str(directory)]
    child = process.start(
        "engine",
        [*command, "--control"] if is_told else command,
        directory=directory,
        log_path=logs / "engine.log",
        cpus=cpus,
        pipe_output=True,
        input_bytes=json.dumps(plan).encode() + (b"" if is_held else b"\n"),
        keep_input=is_told or is_held,
    )
    return Engine(child, directory, held=b"\n" if is_held else None, is_told=is_told)


def run_engine(
    plan: Event, directory: Path, cpus: tuple[int, ...], within_seconds: float
) -> EngineSummary:
    """Run the engine on a plan to its end, with nothing beside it, and return its summary.

    Raises StepFailed('load') where it cannot do it or takes longer, RecordsUnwritable as `facts`.
    """
    engine = start_engine(plan, directory, cpus)
    deadline = time.monotonic() + within_seconds
    try:
        while engine.child.process.poll() is None:
            engine.events()
            if time.monotonic() > deadline:
                raise StepFailed("load", f"the engine did not end within {within_seconds:g} s")
            time.sleep(POLL_SECONDS)
        return engine.facts()
    finally:
        engine.child.stop()
