"""How often the engine allocates for a step: the difference between a long run and a short one."""

import subprocess
from pathlib import Path

from benchmarks.engine.generator_run import Command, run
from benchmarks.engine.load import Load
from benchmarks.engine.sessions.generators import EngineSessions
from benchmarks.engine.sessions.server import counted, session_server
from benchmarks.engine.settings import Settings
from loadstone.errors import Unavailable
from loadstone.machine import ownership

SOURCE = Path(__file__).parent / "allocations.c"
USERS = 64
SHORT_STEPS = 6_000
"""2,000 sessions: what is kept from session to session has grown by then."""
LONG_STEPS = 66_000
SECONDS = 60


def allocations_per_step(settings: Settings, protocol: str) -> float:
    """Return it for a protocol. Raises Unavailable where there is no C compiler."""
    with ownership.scratch_directory() as scratch:
        library = _library(scratch)
        calls = [
            _calls(settings, protocol, library, count, scratch)
            for count in (SHORT_STEPS, LONG_STEPS)
        ]
    return (calls[1] - calls[0]) / (LONG_STEPS - SHORT_STEPS)


def _library(directory: Path) -> Path:
    library = directory / "allocations.so"
    words = ["cc", "-O2", "-shared", "-fPIC", "-o", str(library), str(SOURCE)]
    try:
        subprocess.run(words, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise Unavailable(
            f"allocations are not counted: {error}", "install a C compiler"
        ) from error
    return library


def _calls(settings: Settings, protocol: str, library: Path, count: int, directory: Path) -> int:
    told = directory / f"{count}.calls"
    generator = EngineSessions(settings.engine, count=count, library=library)
    with session_server(settings.workbench, protocol) as running:
        load = Load(running.server.address, protocol, USERS, SECONDS)
        asked = generator.command(load, directory)
        variables = (*asked.variables, ("ALLOCATIONS", str(told)))
        command = Command(asked.words, asked.input_text, variables)
        run(command, directory, seconds=SECONDS).stdout_or_fail("engine")
        counted(running)
    return int(told.read_text())
