"""What serves the driver on each machine: it has the study's files there, and leads the lab's pipes.

Ray runs it as an actor; it knows nothing of Ray. Several threads of Ray call it at once: one waits for
the lab's next line all the while.
"""

import getpass
import os
import shutil
import socket
import subprocess
import sys
import threading
import time
from contextlib import ExitStack
from pathlib import Path

import psutil

from loadstone.cluster.lab_process import LabProcess, clean_environment
from loadstone.cluster.packing import PART_BYTES, SIMULATION, pack, unpack
from loadstone.cluster.wire import Places, WireLost
from loadstone.deploy.whole_folder import whole_folder
from loadstone.errors import LoadstoneError
from loadstone.machine import ownership

_EXAMINE_SECONDS = 120


class MachineHost:
    """One machine, in the service of one driver."""

    def __init__(self, study: str, driver: str) -> None:
        """`driver` tells others who has the machine."""
        self._who = (
            f"{driver} for {study}, since {time.strftime('%Y-%m-%d %H:%M UTC', time.gmtime())}"
        )
        self._held = ExitStack()
        self._scratch = self._held.enter_context(ownership.scratch_directory())
        self._packing = threading.Lock()
        self._process: LabProcess | None = None

    def who(self) -> str:
        """Return who has this machine."""
        return self._who

    def clock(self) -> int:
        """Return the wall clock, in nanoseconds since 1970."""
        return time.time_ns()

    def start(self, files: bytes, study: str, *, is_simulated: bool) -> Places:
        """Put a study's files into a folder and start the lab for it; `study` is seen from there."""
        root, results = self._unpacked(files), self._scratch / "results"
        results.mkdir()
        self._process = LabProcess(root, self._scratch / "lab.log")
        simulation = str(root / SIMULATION) if is_simulated else None
        return Places(str(root / study), str(results), simulation, _raylet())

    def send(self, line: str) -> None:
        """Give the lab a command. Raises WireLost."""
        self._lab.send(line)

    def receive(self) -> str:
        """Wait for the next line of the lab. Raises WireLost."""
        return self._lab.receive()

    def pack_result(self, name: str) -> int:
        """Pack a folder below the lab's results, empty where there is none; return the bytes."""
        directory = self._scratch / "results" / name
        directory.mkdir(parents=True, exist_ok=True)
        return self._pack(directory, name)

    def pack_build(self, name: str) -> int:
        """Pack a build, once for all who ask; return the bytes."""
        return self._pack(_cache() / "builds" / name, name)

    def part(self, name: str, offset: int) -> bytes:
        """Return a part of what was packed under a name."""
        with self._archive(name).open("rb") as file:
            file.seek(offset)
            return file.read(PART_BYTES)

    def forget_result(self, name: str) -> None:
        """Remove what the driver has by now."""
        shutil.rmtree(self._scratch / "results" / name, ignore_errors=True)
        self._archive(name).unlink(missing_ok=True)

    def lacks(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """Return which of these builds are not here."""
        return tuple(name for name in names if not (_cache() / "builds" / name).is_dir())

    def take_part(self, name: str, part: bytes) -> None:
        """Add to the archive of something that is on its way here."""
        with self._archive(name).open("ab") as file:
            file.write(part)

    def keep_result(self, name: str) -> None:
        """Unpack a folder that has come for the lab below its results."""
        archive = self._archive(name)
        unpack(archive, self._scratch / "results" / name)
        archive.unlink()

    def keep_build(self, name: str) -> None:
        """Unpack a build that has come, whole or not at all."""
        archive = self._archive(name)
        with whole_folder(_cache() / "builds" / name) as partial:
            unpack(archive, partial, "tar")
        archive.unlink()

    def examine(self, files: bytes) -> str:
        """Return what this machine is, as JSON; `files` are systems, runtimes and studies.

        Raises LoadstoneError.
        """
        ended = subprocess.run(
            [sys.executable, "-m", "loadstone.cluster.examine"],
            capture_output=True,
            text=True,
            timeout=_EXAMINE_SECONDS,
            env=clean_environment(os.environ, self._unpacked(files)),
            check=False,
        )
        if not ended.stdout:
            last = ended.stderr.strip().rpartition("\n")[2]
            raise LoadstoneError(f"the machine could not be examined: {last}")
        return ended.stdout

    def close(self) -> None:
        """End the lab, wait until it has taken down what it started, and remove all files."""
        if self._process is not None:
            self._process.close()
        self._held.close()

    def _unpacked(self, files: bytes) -> Path:
        root, archive = self._scratch / "root", self._archive("root")
        archive.write_bytes(files)
        unpack(archive, root)
        archive.unlink()
        (root / ".loadstone").symlink_to(_cache())
        return root

    def _pack(self, directory: Path, name: str) -> int:
        archive = self._archive(name)
        with self._packing:
            if not archive.exists():
                pack(directory, archive)
        return archive.stat().st_size

    def _archive(self, name: str) -> Path:
        return self._scratch / f"{name.replace('/', '-')}.tar.gz"

    @property
    def _lab(self) -> LabProcess:
        if self._process is None:
            raise WireLost("its lab was never started")
        return self._process


def this_driver() -> str:
    """Return by what others know who drives: user and machine."""
    return f"{getpass.getuser()}@{socket.gethostname()}"


def _cache() -> Path:
    """Where a machine keeps builds from one study to the next."""
    home = os.environ.get("XDG_CACHE_HOME")
    directory = (Path(home) if home else Path.home() / ".cache") / "loadstone" / "cluster"
    directory.mkdir(parents=True, exist_ok=True)
    return directory


def _raylet() -> int | None:
    """The process of Ray that all others on this machine descend from, this one among them."""
    found = (each.pid for each in psutil.Process().parents() if each.name() == "raylet")
    return next(found, None)
