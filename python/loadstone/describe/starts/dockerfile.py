"""A Dockerfile: what its container runs. That is a hint: paths and programs are the container's."""

import json
import re
import shlex
from pathlib import Path

from loadstone.describe.starts.project_files import text_of

_CONTINUED = re.compile(r"\\[ \t]*\r?\n")
_INSTRUCTION = re.compile(r"(?im)^[ \t]*(FROM|ENTRYPOINT|CMD)[ \t]+(\S[^\r\n]*)")


def container_command(project: Path) -> str | None:
    """What the last stage of a Dockerfile runs; none where it does not say."""
    text = _CONTINUED.sub(" ", text_of(project / "Dockerfile") or "")
    said: dict[str, str] = {}
    for instruction, typed in _INSTRUCTION.findall(text):
        if instruction.upper() == "FROM":
            said.clear()
        else:
            said[instruction.upper()] = _words(typed.strip())
    return " ".join(said[key] for key in ("ENTRYPOINT", "CMD") if said.get(key)) or None


def _words(typed: str) -> str:
    """The exec form and the shell form as a command line."""
    try:
        words = json.loads(typed)
    except (ValueError, RecursionError):
        return typed
    is_exec = isinstance(words, list) and all(isinstance(each, str) for each in words)
    return shlex.join(words) if is_exec else typed
