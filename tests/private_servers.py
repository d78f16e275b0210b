"""What tests of the lab's database servers have in common, whatever the server."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from loadstone.deploy.dependencies.interface import Place, Seed, Start
from loadstone.errors import Unavailable

ROOT_ONLY = pytest.mark.skipif(os.getuid() != 0, reason="only root may become another user")
WAIT_SECONDS = 10.0

_LAB = """
import encodings.idna  # which names of hosts are written in
import os, sys
from importlib import import_module
from pathlib import Path
from private_servers import place_of
def named(text):
    module, _, name = text.rpartition(".")
    return getattr(import_module(module), name)
start, write_seed = map(named, sys.argv[3:5])
if len(sys.argv) > 5:  # what it is made of is imported, which that user may not read
    os.setgroups([])
    os.setgid(int(sys.argv[6]))
    os.setuid(int(sys.argv[5]))
folder = Path(sys.argv[1])
database = start(place_of(write_seed(folder / "seed"), folder, Path(sys.argv[2])))
database.seed()
print(database.leaders[0].pid, database.url, flush=True)
sys.stdin.read()
database.stop()
"""
"""A lab of its own, until its standard input ends; perhaps as another user."""


def require(find_programs: Callable[[], object]) -> None:
    """Skip the test where there is no server to start, with the reason."""
    try:
        find_programs()
    except Unavailable as error:
        pytest.skip(f"{error.message}: {error.remedy}")


def place_of(seed: Seed, logs: Path, cache: Path) -> Place:
    """A place on the first CPU."""
    cpus = tuple(sorted(os.sched_getaffinity(0)))[:1]
    return Place("database", cpus, logs, cache=cache, seed=seed)


def a_lab_of_its_own(
    start: Start, write_seed: Callable[[Path], Seed], folder: Path, cache: Path, *user: str
) -> "subprocess.Popen[bytes]":
    """Start a lab with a server in another process; `user` is user and group by number."""
    paths = os.pathsep.join((str(Path(__file__).parent), *(each for each in sys.path if each)))
    functions = (f"{each.__module__}.{each.__qualname__}" for each in (start, write_seed))
    return subprocess.Popen(
        [sys.executable, "-c", _LAB, str(folder), str(cache), *functions, *user],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=folder,
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": paths, "TMPDIR": str(folder)},
    )


def told_by(lab: "subprocess.Popen[bytes]") -> tuple[int, str]:
    """Process and address of its server."""
    assert lab.stdout is not None
    pid, _, url = lab.stdout.readline().decode().strip().partition(" ")
    assert pid, lab.communicate()[1].decode()
    return int(pid), url
