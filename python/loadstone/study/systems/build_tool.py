"""Whether the tool that builds a stack is here: told before anything runs, not by a failed build.

Only the program that the build command begins with is looked for. What that one needs in turn is the
build's own matter.
"""

import os
import shlex
import subprocess

from loadstone.errors import Unavailable
from loadstone.study.systems.launch import FoundRuntime
from loadstone.study.values.manifest import Stack


def require_build_tool(stack: Stack, runtime: FoundRuntime) -> None:
    """Look for the tool on the PATH of the build. Raises Unavailable, with its name."""
    tool = build_tool(stack.build)
    variables = runtime.variables(os.environ.get("PATH", os.defpath))
    if tool is None or _is_known(tool, variables.get("PATH")):
        return
    raise Unavailable(
        f"the stack {stack.stack} is built by {tool}, which is not on the PATH",
        f"Install {tool}, from its makers or your distribution.",
    )


def build_tool(command: str) -> str | None:
    """Return the program that a shell command begins with; none where that is no plain word."""
    try:
        words = [word for word in shlex.split(command) if "=" not in word]
    except ValueError:
        return None
    # A path is part of the stack, or made by the command itself.
    return words[0] if words and "/" not in words[0] else None


def _is_known(word: str, path: str | None) -> bool:
    # The shell that will run it is asked, since it knows words of its own, such as `cd`.
    environment = {**os.environ, **({} if path is None else {"PATH": path})}
    asked = ["/bin/sh", "-c", 'command -v "$1"', "sh", word]
    return subprocess.run(asked, env=environment, capture_output=True, check=False).returncode == 0
