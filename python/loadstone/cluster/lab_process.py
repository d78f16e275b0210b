"""A lab as a process of this machine, started by whoever leads its pipes.

It is no child of who started it: a program of a cluster that dies takes its children with it, and then
nobody would take down what the lab has started.
"""

import os
import select
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from loadstone.cluster.wire import WireLost
from loadstone.machine import ownership
from loadstone.study.systems.roots import VARIABLE

KEPT = frozenset(
    {
        "PATH",
        "HOME",
        "USER",
        "LOGNAME",
        "SHELL",
        "LANG",
        "TZ",
        "TMPDIR",
        "PYTHONPATH",
        "XDG_CACHE_HOME",
    }
)
KEPT_ENDINGS = ("_HOME", "_PROXY", "_proxy")
"""Of variables: where runtimes are, and how builds reach what they download."""
STARTER_VARIABLE = "LOADSTONE_STARTER"
"""Tells a lab the mark of who has started it."""
CLOSING_SECONDS = 60.0
"""A database that is stopped in the middle of a load was seen to need tens of seconds."""
_TAIL_BYTES = 2000


def clean_environment(environment: Mapping[str, str], root: Path) -> dict[str, str]:
    """Return the environment of a lab: what a person's shell has, and nothing of who starts it.

    Ray's workers have variables that change what is measured, such as OMP_NUM_THREADS=1.
    """
    kept = {
        name: value
        for name, value in environment.items()
        if name in KEPT or name.startswith("LC_") or name.endswith(KEPT_ENDINGS)
    }
    return {**kept, VARIABLE: str(root), STARTER_VARIABLE: ownership.mark()}


class LabProcess:
    """A lab, by its pipes."""

    def __init__(self, root: Path, log_path: Path) -> None:
        """Start it for a root; what it prints goes to a log."""
        self._log_path = log_path
        with log_path.open("wb") as log:
            starter = subprocess.Popen(
                [sys.executable, "-m", "loadstone.cluster.lab"],
                cwd=root,
                env=clean_environment(os.environ, root),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                start_new_session=True,
            )
        assert starter.stdin is not None
        assert starter.stdout is not None
        self._stdin, self._stdout = starter.stdin, starter.stdout
        starter.wait()  # it has forked, and only its child goes on

    def send(self, line: str) -> None:
        """Give it a command. Raises WireLost where it has ended."""
        try:
            self._stdin.write(line.encode() + b"\n")
            self._stdin.flush()
        except (OSError, ValueError) as error:
            raise self._lost() from error

    def receive(self) -> str:
        """Wait for its next line. Raises WireLost where it has ended."""
        try:
            line = self._stdout.readline()
        except ValueError:  # closed meanwhile
            line = b""
        if not line.endswith(b"\n"):
            raise self._lost()
        return line.decode()

    def close(self) -> None:
        """End its input, and wait until it has ended; what it still says is lost."""
        with suppress(OSError):  # what was not written yet has no reader
            self._stdin.close()
        if self._stdout.closed:
            return
        deadline, descriptor = time.monotonic() + CLOSING_SECONDS, self._stdout.fileno()
        while (left := deadline - time.monotonic()) > 0:
            if select.select([descriptor], [], [], left)[0] and not os.read(descriptor, 1 << 16):
                self._stdout.close()
                return

    def _lost(self) -> WireLost:
        try:
            tail = self._log_path.read_bytes()[-_TAIL_BYTES:].decode(errors="replace")
        except OSError:
            tail = ""
        last = tail.strip().rpartition("\n")[2]
        return WireLost("its lab ended" + (f": {last}" if last else ""))
