"""How a service is started, as values."""

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass

_SHELL = re.compile(r"[$`&|;<>()*?~#\n]|^\w+=")
"""Signs that mean something to a shell, and a variable that is set before the program."""
_SEVERAL = re.compile(r"[&|;\n()]")
"""Signs between which several programs stand."""
_SETS_VARIABLE = re.compile(r"\w+=")

ANY_RUNTIME = "command"
"""The runtime of what is started as it stands (`runtimes/command.yaml`)."""


@dataclass(frozen=True)
class Way:
    """One way to start a service."""

    name: str
    """What `--process` calls it: `web`, `cmd/api`, `scripts.start`."""
    command: str
    """As a shell would run it at the top of the project."""
    is_whole: bool = False
    """Whether its signs are no shell's: it is run as it stands."""

    @property
    def run(self) -> str:
        """The command line that is run without a shell."""
        return self.command if self.is_whole else without_shell(self.command)


@dataclass(frozen=True)
class Toolchain:
    """What a manifest of a language tells: how the project is built, and how it may be started."""

    manifest: str
    """The file that tells it."""
    language: str
    framework: str
    build: str
    """A shell command."""
    runtimes: Sequence[str]
    ways: Sequence[Way] = ()
    program: str | None = None
    """What the command must begin with for these runtimes; none: anything."""

    def runtimes_of(self, way: Way) -> Sequence[str]:
        """The runtimes that can execute it."""
        first = way.run.split(maxsplit=1)[0]
        return self.runtimes if self.program in (None, first) else (ANY_RUNTIME,)


NO_TOOLCHAIN = Toolchain(
    manifest="",
    language="not known",
    framework="not known",
    build="true",
    runtimes=(ANY_RUNTIME,),
)
"""Of a project without a manifest that is known: it is started as it is."""


def without_shell(command: str) -> str:
    """A command line that does the same without a shell around it."""
    command = command.strip()
    if not _SHELL.search(command):
        return command
    if _SEVERAL.search(command):
        return f"sh -c {shlex.quote(command)}"
    # The program takes the shell's place, so that signals reach it.
    env = "env " if _SETS_VARIABLE.match(command) else ""
    return f"sh -c {shlex.quote(f'exec {env}{command}')}"
