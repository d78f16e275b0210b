"""One child of the lab: started on given CPUs in a session of its own, stopped with all its
children.
"""

import os
import shlex
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from loadstone.deploy.confinement.interface import Confinement
from loadstone.deploy.placement import cpus_of
from loadstone.deploy.spawn import spawn
from loadstone.machine import ownership
from loadstone.text.plain import uncoloured

STOP_GRACE_SECONDS = 5.0
"""Between SIGTERM and SIGKILL: as long as the published benchmark scripts give a service."""

LOG_TAIL_LINES = 20
LOG_TAIL_BYTES = 8192


class Child:
    """A running child. Its standard error, and its output unless piped, go to `log_path`."""

    def __init__(
        self,
        name: str,
        process: subprocess.Popen[bytes],
        log_path: Path,
        command: str,
        spawned_ns: int,
    ) -> None:
        self.name, self.process, self.log_path, self.command = name, process, log_path, command
        self.spawned_ns = spawned_ns
        """When it was spawned, on the monotonic clock."""
        self.killed_after_ns: int | None = None
        """How long it was given after the signal until it was killed; none where it ended by itself."""

    @property
    def pid(self) -> int:
        """The leader's process id, which is also its group's and session's."""
        return self.process.pid

    @property
    def stdout(self) -> IO[bytes]:
        """The pipe of its standard output; only when it was started with `pipe_output`."""
        assert self.process.stdout is not None
        return self.process.stdout

    def ending(self) -> str | None:
        """Return in words how it ended, none while it runs."""
        code = self.process.poll()
        if code is None:
            return None
        if code < 0:
            return f"was killed by {signal.Signals(-code).name}"
        return f"exited with code {code}"

    def cpus(self) -> tuple[int, ...]:
        """Return the CPUs that the kernel lets it use, empty when it is gone."""
        return cpus_of(self.pid)

    def log_tail(self) -> str:
        """Return the last lines of its log."""
        return tail(self.log_path)

    def terminate(self) -> None:
        """Ask it to end, without waiting."""
        self._signal_group(signal.SIGTERM)

    def stop(self, number: signal.Signals = signal.SIGTERM) -> None:
        """End it and its group: a signal, a grace period, SIGKILL. Returns when it is reaped."""
        if self.process.poll() is None:
            self._signal_group(number)
            try:
                self.process.wait(STOP_GRACE_SECONDS)
            except subprocess.TimeoutExpired:
                self.killed_after_ns = round(STOP_GRACE_SECONDS * 1e9)
        self._signal_group(signal.SIGKILL)
        self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()
        if self.process.stdin is not None:
            self.end_input()

    def end_input(self) -> None:
        """Close its standard input."""
        assert self.process.stdin is not None
        with suppress(BrokenPipeError):
            self.process.stdin.close()

    def write(self, text: bytes) -> None:
        """Write to its standard input, which was kept open. What ended before reads nothing."""
        assert self.process.stdin is not None
        with suppress(BrokenPipeError):  # its ending is reported instead
            self.process.stdin.write(text)
            self.process.stdin.flush()

    def _signal_group(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, number)


def tail(path: Path) -> str:
    """Return the last lines of a log, at most `LOG_TAIL_BYTES`; empty if there is none."""
    try:
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - LOG_TAIL_BYTES))
            text = file.read().decode("utf-8", "replace")
    except OSError:
        return ""
    return "\n".join(uncoloured(text).splitlines()[-LOG_TAIL_LINES:])


def start(
    name: str,
    command: str | list[str],
    *,
    directory: Path,
    log_path: Path,
    cpus: tuple[int, ...],
    variables: Mapping[str, str] | None = None,
    pipe_output: bool = False,
    input_bytes: bytes | None = None,
    keep_input: bool = False,
    confinement: Confinement | None = None,
) -> Child:
    """Start a child. Raises FileNotFoundError or PermissionError where its program cannot be run.

    `input_bytes` are all of its standard input, or with `keep_input` the first of it.

    No wrapper delays the start-up clock: the child is in its place before its first instruction.
    """
    words = shlex.split(command) if isinstance(command, str) else command
    environment = {**os.environ, **(variables or {}), ownership.VARIABLE: ownership.mark()}
    log_path.parent.mkdir(parents=True, exist_ok=True)
    with log_path.open("ab") as log:
        process, spawned_ns = spawn(
            words,
            directory=directory,
            environment=environment,
            log=log,
            cpus=cpus,
            pipe_output=pipe_output,
            pipe_input=input_bytes is not None,
            confinement=confinement,
        )
    if confinement is not None:
        confinement.started(process.pid)
    child = Child(name, process, log_path, shlex.join(words), spawned_ns)
    if input_bytes is not None:
        child.write(input_bytes)
        if not keep_input:
            child.end_input()
    return child


@contextmanager
def affinity(cpus: tuple[int, ...]) -> Iterator[None]:
    """Restrict the calling thread to these CPUs for the length of the block; empty is no change."""
    if not cpus:
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cpus)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


@contextmanager
def running(child: Child) -> Iterator[Child]:
    """Stop the child at the end of the block, whatever happens in it."""
    try:
        yield child
    finally:
        child.stop()


def wait_for_line(child: Child, prefix: str, timeout_seconds: float) -> str:
    """Return what follows `prefix` on the first line of its piped output that starts so.

    Raises TimeoutError if it does not come in time, ChildProcessError if the child ends first.
    """
    deadline = time.monotonic() + timeout_seconds
    buffer = b""
    os.set_blocking(child.stdout.fileno(), False)
    while time.monotonic() < deadline:
        ending = child.ending()  # before the pipe is read: what it said last counts
        buffer += child.stdout.read() or b""
        for line in buffer.split(b"\n")[:-1]:
            text = line.decode("utf-8", "replace")
            if text.startswith(prefix):
                return text.removeprefix(prefix).strip()
        if ending is not None:
            raise ChildProcessError(f"{child.name} {ending} before it said {prefix!r}")
        time.sleep(0.001)
    raise TimeoutError(f"{child.name} did not say {prefix!r} within {timeout_seconds:g} s")
