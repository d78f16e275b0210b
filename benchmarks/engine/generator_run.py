"""One generator as a child on its CPU: started, disturbed at planned times, ended, accounted."""

import os
import resource
import select
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from benchmarks.engine import cpu
from benchmarks.engine.settings import GENERATOR_CPU
from loadstone.deploy import process
from loadstone.errors import LoadstoneError
from loadstone.machine import ownership

PATIENCE_SECONDS = 20.0
"""Beyond its planned time a generator that has not ended is killed."""

REASON_CHARACTERS = 160
"""Of a message in a table."""


@dataclass(frozen=True)
class Command:
    """What is executed."""

    words: list[str]
    input_text: str = ""
    variables: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Disturbance:
    """Something done to the generator's process, or to anything else, while it runs."""

    at_seconds: float
    act: Callable[[int], None]


@dataclass(frozen=True)
class Ended:
    """What a generator left behind."""

    code: int
    stdout: str
    stderr: str
    cpu_ns: int
    """Its processes, and kernel threads of its CPU."""
    wall_seconds: float

    def stdout_or_fail(self, name: str) -> str:
        """Return the output of a generator that ended well. Raises LoadstoneError otherwise."""
        if self.code == 0:
            return self.stdout
        lines = (self.stderr or self.stdout).strip().splitlines()
        reason = lines[-1][:REASON_CHARACTERS] if lines else "no message"
        raise LoadstoneError(f"{name} ended with {self.code}: {reason}")


def run(
    command: Command,
    directory: Path,
    *,
    seconds: float,
    disturbances: Sequence[Disturbance] = (),
) -> Ended:
    """Run a generator to its end. It is killed after its planned seconds and some patience."""
    directory.mkdir(parents=True, exist_ok=True)
    environment = {**os.environ, **dict(command.variables), ownership.VARIABLE: ownership.mark()}
    files = {name: directory / f"generator.{name}" for name in ("in", "out", "err")}
    files["in"].write_text(command.input_text)
    kernel_before = cpu.kernel_threads_ns(GENERATOR_CPU)
    with files["in"].open() as stdin, files["out"].open("w") as out, files["err"].open("w") as err:
        with process.affinity((GENERATOR_CPU,)):
            started = time.monotonic()
            child = subprocess.Popen(
                command.words,
                cwd=directory,
                env=environment,
                stdin=stdin,
                stdout=out,
                stderr=err,
                start_new_session=True,
            )
        try:
            _attend(child.pid, started, disturbances, started + seconds + PATIENCE_SECONDS)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
    kernel_ns = cpu.grown_ns(kernel_before, cpu.kernel_threads_ns(GENERATOR_CPU))
    return Ended(
        code=child.returncode,
        stdout=files["out"].read_text(errors="replace"),
        stderr=files["err"].read_text(errors="replace"),
        cpu_ns=_used_ns(usage) + kernel_ns,
        wall_seconds=time.monotonic() - started,
    )


def stop_and_continue(
    at_seconds: float, for_seconds: float, pid_of: Callable[[int], int]
) -> list[Disturbance]:
    """Freeze a process group for a while: `pid_of` gets the generator's id and names the leader."""
    return [
        Disturbance(at_seconds, lambda pid: os.killpg(pid_of(pid), signal.SIGSTOP)),
        Disturbance(at_seconds + for_seconds, lambda pid: os.killpg(pid_of(pid), signal.SIGCONT)),
    ]


def _attend(pid: int, started: float, disturbances: Sequence[Disturbance], deadline: float) -> None:
    """Wait for the child to end, sleeping in the kernel between disturbances."""
    descriptor = os.pidfd_open(pid)
    try:
        ended = select.poll()
        ended.register(descriptor, select.POLLIN)
        for disturbance in sorted(disturbances, key=lambda each: each.at_seconds):
            if _ends_before(ended, started + disturbance.at_seconds):
                return
            disturbance.act(pid)
        if not _ends_before(ended, deadline):
            os.killpg(pid, signal.SIGKILL)
    finally:
        os.close(descriptor)


def _ends_before(ended: select.poll, moment: float) -> bool:
    return bool(ended.poll(max(0.0, moment - time.monotonic()) * 1000))


def _used_ns(usage: resource.struct_rusage) -> int:
    return round((usage.ru_utime + usage.ru_stime) * 1e9)
