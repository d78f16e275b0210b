"""One run of one generator against one server, with what both of them cost."""

import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.engine import cpu
from benchmarks.engine.generator_run import Disturbance, Ended, run
from benchmarks.engine.load import Generator, Load, Observed
from benchmarks.engine.pairing import Side
from benchmarks.engine.settings import SERVER_CPU
from loadstone.errors import LoadstoneError
from loadstone.machine import ownership


@dataclass(frozen=True)
class Measured:
    """What a generator said, and what the run cost."""

    observed: Observed
    ended: Ended
    server_cpu_ns: int

    @property
    def side(self) -> Side:
        """As one half of a round. Raises LoadstoneError where no request was answered."""
        if not self.observed.requests:
            raise LoadstoneError(f"no request was answered: {self.observed.failures}")
        return Side(self.observed.requests, self.ended.cpu_ns, self.server_cpu_ns)


def measure(
    generator: Generator,
    load: Load,
    *,
    server_pid: int | None = None,
    disturbances: Sequence[Disturbance] = (),
    directory: Path | None = None,
) -> Measured:
    """Run a generator and read what it says. Raises LoadstoneError if it did not end well.

    Its files are removed, unless a folder for them is given.
    """
    if directory is None:
        with ownership.scratch_directory() as scratch:
            return _measure(generator, load, server_pid, disturbances, scratch)
    shutil.rmtree(directory, ignore_errors=True)
    return _measure(generator, load, server_pid, disturbances, directory)


def _measure(
    generator: Generator,
    load: Load,
    server_pid: int | None,
    disturbances: Sequence[Disturbance],
    directory: Path,
) -> Measured:
    command = generator.command(load, directory)
    before = cpu.process_ns(server_pid) if server_pid else 0
    ended = run(command, directory, seconds=load.seconds, disturbances=disturbances)
    after = cpu.process_ns(server_pid) if server_pid else 0
    observed = generator.read(ended.stdout_or_fail(generator.name), directory)
    return Measured(observed, ended, after - before)


def stay_off_the_generator() -> None:
    """Keep the harness on the server's CPU, so that it is in nobody's account."""
    os.sched_setaffinity(0, {SERVER_CPU})
