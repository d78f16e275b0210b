"""A Procfile: processes by name, each with its command line."""

import re
from collections.abc import Iterator
from pathlib import Path

from loadstone.describe.starts.model import Way
from loadstone.describe.starts.project_files import text_of

_NAME = re.compile(r"[A-Za-z0-9_-]+")
_RELEASE = "release"
"""What is run once before a deployment, and is no process."""


def procfile(project: Path) -> tuple[Way, ...]:
    """The processes; empty where there is no Procfile, or none in it."""
    return tuple(_ways(text_of(project / "Procfile") or ""))


def _ways(text: str) -> Iterator[Way]:
    for line in text.splitlines():
        name, _, command = line.partition(":")
        if _NAME.fullmatch(name) and command.strip() and name != _RELEASE:
            yield Way(name, command.strip())
