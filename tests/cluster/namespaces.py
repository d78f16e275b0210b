"""Machines made of namespaces, each with network, processes, name, /tmp and /dev/shm of its own.

A bridge joins them. The first process of each reaps what is left without a parent, as that of a real
machine does. They are entered by `nsenter`: `ip netns exec` would hide control groups. Labs in two
process namespaces would sweep each other's control groups, so one machine of a test has them.
"""

import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil

PREFIX = "10.213.7"
WAIT_SECONDS = 60.0

INIT = """
import ctypes, os, signal, socket, subprocess, sys
def run(*words):
    subprocess.run(words, check=True)
run("mount", "--make-rprivate", "/")
for place in ("/tmp", "/dev/shm"):
    run("mount", "-t", "tmpfs", "tmpfs", place)
if sys.argv[2] == "without":
    subprocess.run(["umount", "--recursive", "--lazy", "/sys/fs/cgroup"], stderr=subprocess.DEVNULL)
socket.sethostname(sys.argv[1])
run("ip", "link", "set", "lo", "up")
print("up", flush=True)
signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
while True:
    try:
        os.wait()
    except ChildProcessError:
        signal.sigtimedwait({signal.SIGCHLD}, 1.0)
"""


def reason_for_none() -> str | None:
    """Why no machines can be made here; none where they can."""
    if os.geteuid() != 0:
        return "only root can make namespaces"
    if missing := [each for each in ("ip", "unshare", "nsenter") if shutil.which(each) is None]:
        return f"{missing[0]} is not installed"
    if importlib.util.find_spec("ray") is None:
        return "Ray is not installed: pip install 'loadstone[cluster]'"
    tried = subprocess.run(["unshare", "--net", "--pid", "--fork", "true"], check=False)
    return "namespaces may not be made here" if tried.returncode else None


@dataclass
class Machine:
    """One machine."""

    name: str
    address: str
    unshare: "subprocess.Popen[str]"
    link: str
    """The end of its cable that the bridge has."""
    home: Path
    started: list["subprocess.Popen[str]"] = field(default_factory=list)

    @property
    def init(self) -> int:
        """Its first process, as seen from outside."""
        (child,) = psutil.Process(self.unshare.pid).children()
        return child.pid

    def start(self, *words: str | Path, **variables: str) -> "subprocess.Popen[str]":
        """Start a program on it."""
        entering = ["nsenter", f"--target={self.init}", "--net", "--pid", "--mount", "--uts", "--"]
        child = subprocess.Popen(
            [*entering, *map(str, words)],
            env={**os.environ, **self._own, **variables},
            cwd=self.home,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.started.append(child)
        return child

    @property
    def _own(self) -> dict[str, str]:
        """Variables that machines do not share."""
        cache = str(self.home / ".cache")
        return {"HOME": str(self.home), "XDG_CACHE_HOME": cache, "TMPDIR": "/tmp"}

    def processes(self) -> list[psutil.Process]:
        """All its processes but the first."""
        found = []
        own = Path(f"/proc/{self.init}/ns/pid").readlink()
        for process in psutil.process_iter():
            with suppress(OSError, psutil.Error):
                is_own = Path(f"/proc/{process.pid}/ns/pid").readlink() == own
                if is_own and process.pid != self.init:
                    found.append(process)
        return found

    def process(self, *words: str) -> psutil.Process:
        """Wait for a process that has these words in its command line, and return it."""
        deadline = time.monotonic() + WAIT_SECONDS
        while time.monotonic() < deadline:
            for process in self.processes():
                with suppress(psutil.Error):
                    if all(word in " ".join(process.cmdline()) for word in words):
                        return process
            time.sleep(0.05)
        raise AssertionError(f"{self.name} never had a process of {words}")

    def cut(self, *, is_cut: bool = True) -> None:
        """Pull its cable, or put it in again."""
        _run("ip", "link", "set", self.link, "down" if is_cut else "up")

    def off(self) -> None:
        """Switch it off: no process of it can say a word."""
        self.cut()
        os.kill(self.init, signal.SIGKILL)
        self.unshare.wait()

    def close(self) -> None:
        """Take it away."""
        with suppress(ValueError, psutil.Error):
            os.kill(self.init, signal.SIGKILL)
        self.unshare.wait()
        for child in self.started:
            child.communicate()


class Machines:
    """Machines on one bridge."""

    def __init__(self, directory: Path) -> None:
        self._bridge = f"ls{os.getpid()}"
        self._directory = directory
        self.all: list[Machine] = []
        _run("ip", "link", "add", self._bridge, "type", "bridge")
        _run("ip", "link", "set", self._bridge, "up")

    def add(self, name: str, *, groups: bool = False, shifted_seconds: int = 0) -> Machine:
        """Add a machine, with control groups or without, its monotonic clock shifted by so much."""
        number = len(self.all) + 1
        home = self._directory / name
        home.mkdir()
        shift = ["--time", f"--monotonic={shifted_seconds}"] if shifted_seconds else []
        unshare = subprocess.Popen(
            [
                *["unshare", "--net", "--pid", "--mount", "--uts", "--fork", "--kill-child"],
                *["--mount-proc", *shift, sys.executable, "-c", textwrap.dedent(INIT)],
                *[name, "with" if groups else "without"],
            ],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert unshare.stdout is not None
        assert unshare.stdout.readline() == "up\n"
        unshare.stdout.close()
        link = f"{self._bridge}v{number}"
        machine = Machine(name, f"{PREFIX}.{number + 10}", unshare, link, home)
        self.all.append(machine)
        there = f"{link}p"
        _run("ip", "link", "add", link, "type", "veth", "peer", "name", there)
        _run("ip", "link", "set", there, "netns", str(machine.init))
        _run("ip", "link", "set", link, "master", self._bridge, "up")
        enter = ("nsenter", f"--target={machine.init}", "--net")
        _run(*enter, "ip", "link", "set", there, "name", "eth0")
        _run(*enter, "ip", "address", "add", f"{machine.address}/24", "dev", "eth0")
        _run(*enter, "ip", "link", "set", "eth0", "up")
        return machine

    def close(self) -> None:
        """Take all of them away."""
        for machine in self.all:
            machine.close()
        _run("ip", "link", "delete", self._bridge)


@contextmanager
def machines(directory: Path) -> Iterator[Machines]:
    """Give machines for the length of the block, whose homes are below a folder outside of /tmp."""
    made = Machines(directory)
    try:
        yield made
    finally:
        made.close()


def _run(*words: str) -> None:
    subprocess.run(words, check=True)
