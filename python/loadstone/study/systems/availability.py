"""Whether a runtime is on this machine: its own command is asked, and bounded in time."""

import os
import shlex
import signal
import subprocess
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from loadstone.errors import Unavailable
from loadstone.frozen import Frozen
from loadstone.study.systems.launch import ARTIFACTS, FoundRuntime
from loadstone.study.systems.runtime_home import find_home
from loadstone.study.values.manifest import Runtime

TIMEOUT_SECONDS = 20.0
"""`--version` of a runtime on a JVM takes seconds on a busy machine; beyond this it hangs."""


class Availability(Frozen):
    """A runtime's version, or the reason why there is none."""

    runtime: str
    version: str | None
    """The first line that the command printed; none where the runtime is not here."""
    home: Path | None = None
    """Its folder, for those of which a machine can have several."""
    reason: str | None
    """Why it is not here; none where it is."""

    def found(self, runtime: Runtime) -> FoundRuntime | None:
        """Return the runtime as a build takes it; none where it is not here."""
        if self.version is None:
            return None
        return FoundRuntime(runtime=runtime, version=self.version, home=self.home)


def availability(runtime: Runtime, timeout_seconds: float = TIMEOUT_SECONDS) -> Availability:
    """Run the detect command, without a shell. Its children do not outlive the call."""
    try:
        home = None if runtime.home is None else find_home(runtime.home)
    except Unavailable as error:
        return Availability(runtime=runtime.runtime, version=None, reason=error.message)
    command = runtime.detect.format(home=home or "", artifacts=ARTIFACTS, arguments="")
    try:
        answer = _asked(shlex.split(command), timeout_seconds)
    except ValueError as error:
        answer = _Answer(missing=str(error))
    if answer.version is None:
        reason = f"`{command}` {answer.missing}"
        return Availability(runtime=runtime.runtime, version=None, reason=reason)
    return Availability(runtime=runtime.runtime, version=answer.version, home=home, reason=None)


def availabilities(runtimes: Iterable[Runtime]) -> dict[str, Availability]:
    """Look for many at once, by name: together they take as long as the slowest of them."""
    asked = tuple(runtimes)
    with ThreadPoolExecutor(max_workers=len(asked) or 1) as pool:
        found = pool.map(availability, asked)
        return {each.runtime: each for each in found}


def require_runtime(runtime: Runtime) -> FoundRuntime:
    """Find a runtime. Raises Unavailable, with how to get it, where it is not here."""
    state = availability(runtime)
    if (found := state.found(runtime)) is not None:
        return found
    raise Unavailable(f"the runtime {runtime.runtime} is not here: {state.reason}", runtime.install)


class _Answer(NamedTuple):
    """What a detect command said."""

    version: str | None = None
    """Its first line; none where it gave none."""
    missing: str = ""
    """What it did instead; completes the sentence `command` ..."""


def _asked(command: list[str], timeout_seconds: float) -> _Answer:
    try:
        child = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,  # java -version, for one, prints there
            start_new_session=True,  # so that whatever it starts ends with it
        )
    except OSError as error:
        return _Answer(missing=f"cannot be started: {error.strerror}")
    try:
        output, _ = child.communicate(timeout=timeout_seconds)
    except subprocess.TimeoutExpired:
        _end(child)
        return _Answer(missing=f"gave no answer within {timeout_seconds:g} s")
    except BaseException:  # a signal's exception among them
        _end(child)
        raise
    lines = [line.strip() for line in output.decode(errors="replace").splitlines() if line.strip()]
    if child.returncode != 0:
        said = f": {lines[-1]}" if lines else ""
        return _Answer(missing=f"ended with code {child.returncode}{said}")
    if not lines:
        return _Answer(missing="printed no version")
    return _Answer(version=lines[0])


def _end(child: subprocess.Popen[bytes]) -> None:
    # The group, even where its leader is gone: something in it still holds the output open.
    with suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()
    if child.stdout is not None:
        child.stdout.close()
