"""The programs of a database server on this machine."""

import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass

from loadstone.errors import Unavailable

TIMEOUT_SECONDS = 20.0
"""For its version, which takes milliseconds."""


@dataclass(frozen=True)
class Programs:
    """What a server is made and run by."""

    server: str
    install_db: str
    """Makes an empty data directory."""
    version: str
    """Of the server, as it says itself: `10.11.19-MariaDB-0+deb12u1`."""


def version_of(title: str, command: Sequence[str], pattern: str, install: str) -> str:
    """Ask a server for its version, the first group of a pattern.

    Raises Unavailable where it cannot be run or names none, with how to `install` it.
    """
    try:
        said = subprocess.run(
            command, capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=True
        ).stdout
    except (OSError, subprocess.SubprocessError) as error:
        raise Unavailable(f"{title} cannot be run: {error}", install) from error
    version = re.search(pattern, said)
    if version is None:
        raise Unavailable(f"`{' '.join(command)}` names no version: {said.strip()}", install)
    return version[1]
