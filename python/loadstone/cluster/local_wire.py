"""A lab on this machine, by its pipes: for what needs several sites and no cluster.

Sites on one machine disturb each other, so only simulated studies are done so.
"""

import shutil
import time
from pathlib import Path

from loadstone.cluster.lab_process import LabProcess
from loadstone.cluster.wire import Places, WireLost


class LocalWire:
    """A process of this machine in the place of a machine."""

    def __init__(self, root: Path, study: Path, simulation: Path, directory: Path) -> None:
        """`directory` gets the lab's results, and is made."""
        self._root, self._study, self._simulation = root, study, simulation
        self._directory = directory
        self._process: LabProcess | None = None

    def start(self) -> Places:
        """Start the lab."""
        self._directory.mkdir(parents=True)
        self._process = LabProcess(self._root, self._directory / "lab.log")
        return Places(str(self._study.resolve()), str(self._directory), str(self._simulation))

    def clock(self) -> int:
        """Return the wall clock of this machine."""
        return time.time_ns()

    def send(self, line: str) -> None:
        """Give the lab a command. Raises WireLost."""
        self._lab.send(line)

    def receive(self) -> str:
        """Wait for the next line of the lab. Raises WireLost."""
        return self._lab.receive()

    def fetch(self, name: str, into: Path) -> None:
        """Move a folder below its results."""
        found = self._directory / name
        if found.is_dir():
            shutil.move(found, into)
        else:
            into.mkdir()

    def give(self, directory: Path, name: str) -> None:
        """Copy a folder to below its results."""
        shutil.copytree(directory, self._directory / name)

    def take_builds(self, names: tuple[str, ...]) -> object:
        """Return their names: all labs of a machine have the same builds."""
        return names

    def give_builds(self, builds: object) -> None:
        """Do nothing."""

    def close(self) -> None:
        """End the lab."""
        if self._process is not None:
            self._process.close()

    @property
    def _lab(self) -> LabProcess:
        if self._process is None:
            raise WireLost("its lab was never started")
        return self._process
