"""A server of one's own as a dependency: the system's file says how it is started, asked and filled.

It is in a control group of its own where there are such, so that nothing of it is left, wherever its
processes go. What runs in a container is not its child: of that the client alone is seen.
"""

import http.client
import os
import socket
import subprocess
import time
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from signal import SIGKILL, Signals

from loadstone.deploy import process
from loadstone.deploy.dependencies.data import DataDirectory
from loadstone.deploy.dependencies.interface import Leader, Place
from loadstone.deploy.ports import free_port
from loadstone.errors import StepFailed
from loadstone.machine import ownership, procfs
from loadstone.study.values.dependency import DATA, PORT, ServerCommands
from loadstone.study.values.model import Limits
from loadstone.text.words import spaced

READY_SECONDS = 60.0
"""From the start until it is ready, as long as a service is given."""
COMMAND_SECONDS = 300.0
"""For a seed or a reset: minutes for a large one. A command that hangs must still end."""
ANSWER_SECONDS = 5.0
"""For one look whether it is ready."""
_STEP_SECONDS = 0.05

ROOM_BYTES = 256 << 20
"""Kept free in memory for what is written below `{data}`."""


class CommandServer:
    """A running server."""

    def __init__(self, place: Place, commands: ServerCommands) -> None:
        """Start it and wait until it is ready. Raises StepFailed('deploy')."""
        self.name, self._place, self._commands = place.name, place, commands
        self._filled = {PORT: str(free_port())}
        with ExitStack() as parts:
            if commands.wants_data:
                data = DataDirectory(memory_bytes=ROOM_BYTES)
                parts.callback(data.remove)
                self._filled[DATA] = str(data.path)
            self._child = self._begin(parts)
            parts.callback(self._end)
            self._wait_until_ready()
            self._parts = parts.pop_all()

    def _begin(self, parts: ExitStack) -> process.Child:
        """Start it, in a control group that goes with the parts."""
        place, confinement = self._place, None
        try:
            if place.confine is not None:
                confinement = place.confine(place.name, Limits())
                parts.callback(confinement.remove)
            return process.start(
                place.name,
                self._fill(self._commands.start),
                directory=place.directory,
                log_path=place.logs / f"{place.name}.log",
                cpus=place.cpus,
                variables=self._variables,
                confinement=confinement,
            )
        except OSError as error:
            raise StepFailed(
                "deploy",
                f"dependency {place.name} cannot be started by `{self._commands.start}`: {error}",
            ) from error

    @property
    def url(self) -> str:
        """What the system's file says, with its port."""
        return self._fill(self._commands.url)

    @property
    def settings(self) -> Mapping[str, str]:
        """The commands, as the system's file has them."""
        told = self._commands.model_dump(exclude_none=True)
        return {spaced(name): text for name, text in told.items()}

    @property
    def leaders(self) -> tuple[Leader, ...]:
        """Its process, which is measured with all below it."""
        child = self._child
        return (Leader(self.name, child.command, child.pid, child.cpus()),)

    @property
    def killed_after_ns(self) -> int | None:
        """How long it was given to end before it was killed; none where it ended by itself."""
        return self._child.killed_after_ns

    def seed(self) -> None:
        """Run its seed. Raises StepFailed('seed')."""
        self._run("seed", self._commands.seed)

    def services_stand(self) -> None:
        """Nothing: its own reset knows what it is brought back to."""

    def reset(self) -> None:
        """Run its reset. Raises StepFailed('reset')."""
        self._run("reset", self._commands.reset)

    def work(self) -> None:
        """Nothing: what it counts is its own."""

    def rows(self) -> None:
        """Nothing: what it holds is its own."""

    def open_connections(self) -> None:
        """Nothing: nobody knows how to ask it."""

    def store(self) -> None:
        """Nothing: what it holds is its own."""

    @property
    def hand(self) -> None:
        """Nothing: how it takes being stopped is its own."""

    def ending(self) -> str | None:
        """Return in words how it ended; none while it runs."""
        return self._child.ending()

    def log_tail(self) -> str:
        """Return the last lines of its log."""
        return self._child.log_tail()

    def stop(self) -> None:
        """End it, and remove its group and its data."""
        self._parts.close()

    def _end(self) -> None:
        below = tuple(procfs.with_descendants(self._child.pid))
        self._child.stop(Signals[self._commands.stop_signal])
        for pid in below:  # some may have left its session
            if ownership.owner_of(pid) == ownership.mark():
                with suppress(ProcessLookupError):
                    os.kill(pid, SIGKILL)

    @property
    def _variables(self) -> dict[str, str]:
        return {"PORT": self._filled[PORT]}

    def _fill(self, text: str) -> str:
        for placeholder, value in self._filled.items():
            text = text.replace(placeholder, value)
        return text

    def _wait_until_ready(self) -> None:
        deadline = time.monotonic() + READY_SECONDS
        while (refusal := self._refusal()) is not None:
            ending = self._child.ending()
            if ending is None and time.monotonic() < deadline:
                time.sleep(_STEP_SECONDS)
                continue
            if ending is None:
                failed = f"is not ready within {READY_SECONDS:g} s: {refusal}"
            else:
                failed = f"{ending} before it was ready; it must stay in the foreground"
            raise StepFailed(
                "deploy",
                f"dependency {self.name} {failed}: `{self._child.command}`",
                self.log_tail(),
            )

    def _refusal(self) -> str | None:
        """Return why it is not ready; none where it is."""
        commands, port = self._commands, int(self._filled[PORT])
        if self._child.ending() is not None:
            return "it has ended"
        if commands.ready_command is not None:
            return self._outcome("ready", commands.ready_command, ANSWER_SECONDS)
        try:
            if commands.ready_path is not None:
                return _answer_to_get(port, commands.ready_path)
            with socket.create_connection(("127.0.0.1", port), ANSWER_SECONDS):
                return None
        except (OSError, http.client.HTTPException) as error:
            return f"{type(error).__name__}: {error}"

    def _run(self, step: str, command: str | None) -> None:
        if command is None:
            return
        wrong = self._outcome(step, command, COMMAND_SECONDS)
        if wrong is not None:
            tail = process.tail(self._log_of(step)) or self.log_tail()
            raise StepFailed(step, f"the {step} of {self.name}, `{command}`, {wrong}", tail)

    def _outcome(self, step: str, command: str, seconds: float) -> str | None:
        """Run a shell command; return in words how it failed, none where it ended with 0."""
        child = process.start(
            f"{step} of {self.name}",
            ["sh", "-c", self._fill(command)],
            directory=self._place.directory,
            log_path=self._log_of(step),
            cpus=self._place.cpus,
            variables=self._variables,
        )
        with process.running(child):
            try:
                child.process.wait(seconds)
            except subprocess.TimeoutExpired:
                return f"did not end within {seconds:g} s"
        return None if child.process.returncode == 0 else child.ending()

    def _log_of(self, step: str) -> Path:
        return self._place.logs / f"{self.name}-{step}.log"


def _answer_to_get(port: int, path: str) -> str | None:
    """Return what is wrong with the answer; none for a status of 2xx. Raises OSError, HTTPException."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=ANSWER_SECONDS)
    try:
        connection.request("GET", path)
        status = connection.getresponse().status
    finally:
        connection.close()
    return None if 200 <= status < 300 else f"GET {path} is answered by {status}"


def start_command(place: Place) -> CommandServer:
    """Start a server of one's own. Raises StepFailed('deploy')."""
    assert place.options.commands is not None, "a dependency of this kind comes with its commands"
    return CommandServer(place, place.options.commands)
