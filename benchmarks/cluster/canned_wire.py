"""A machine whose lab does every run at once, and leaves the same simulated run's folder each time.

All that the driver does is as with a real one, but for Ray: lines are read, folders unpacked and moved.
"""

import queue
import time
from pathlib import Path

from loadstone.cluster.lines import (
    Begin,
    BlockDone,
    DoBlock,
    Line,
    Prepare,
    Prepared,
    Ready,
    read_command,
)
from loadstone.cluster.packing import unpack
from loadstone.cluster.wire import Places, WireLost
from loadstone.measure.told import LoadSecond, RunBegan, RunEnded
from loadstone.results.environment import Environment, SiteFacts

LINES_A_RUN = 20
"""Progress of a load, one a second."""
EVENT = {
    "event": "progress",
    "elapsed_ns": 1_000_000_000,
    "throughput": 1234.5,
    "response_time_p99_ns": 1_500_000,
    "limited_by": [],
}


class CannedWire:
    """One machine."""

    def __init__(self, environment: Environment, archive: Path) -> None:
        """`archive` is what every run leaves."""
        self._environment, self._archive = environment, archive
        self._lines: queue.SimpleQueue[Line | None] = queue.SimpleQueue()

    def start(self) -> Places:
        """Start nothing."""
        return Places("study.yaml", "results", None)

    def clock(self) -> int:
        """Return the wall clock of this machine."""
        return time.time_ns()

    def send(self, line: str) -> None:
        """Answer a command at once."""
        match read_command(line):
            case Begin():
                ready = Ready(pid=1, environment=self._environment, facts=SiteFacts(), swept=None)
                self._lines.put(ready)
            case Prepare():
                self._lines.put(Prepared(builds=()))
            case DoBlock() as command:
                for run in command.runs:
                    self._lines.put(RunBegan(run=run))
                    for _ in range(LINES_A_RUN):
                        self._lines.put(LoadSecond(run=run, event=EVENT))
                    self._lines.put(RunEnded(run=run, status="completed"))
                self._lines.put(BlockDone(block=command.block))

    def receive(self) -> str:
        """Return the next line. Raises WireLost at the end."""
        line = self._lines.get()
        if line is None:
            raise WireLost("it was closed")
        return line.model_dump_json()

    def fetch(self, name: str, into: Path) -> None:
        """Unpack what every run leaves."""
        del name
        unpack(self._archive, into)

    def give(self, directory: Path, name: str) -> None:
        """Nothing is given to one machine alone."""

    def take_builds(self, names: tuple[str, ...]) -> object:
        """Return nothing: nothing is built."""
        return names

    def give_builds(self, builds: object) -> None:
        """Do nothing."""

    def close(self) -> None:
        """End the lines."""
        self._lines.put(None)
