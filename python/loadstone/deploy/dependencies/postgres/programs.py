"""The programs of a PostgreSQL server on this machine, and how to get them."""

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from loadstone.errors import Unavailable

INSTALL = "As root: `scripts/install-postgres`, or `apt-get install postgresql`."
"""The script leaves out the cluster that Debian's package makes and starts."""

TIMEOUT_SECONDS = 20.0
"""For its version, which takes milliseconds."""

_DEBIAN = Path("/usr/lib/postgresql")
"""Where Debian has its versions, each with a `bin` that is on no PATH."""

LEAST_VERSION = 15
"""Of the major versions: `CREATE DATABASE ... STRATEGY` came with it."""


@dataclass(frozen=True)
class Programs:
    """What a server is made and run by."""

    server: str
    install_db: str
    """Makes an empty data directory."""
    version: str
    """Of the server, such as `15.18 (Debian 15.18-0+deb12u1)`."""


def find_programs() -> Programs:
    """Find them, on the PATH first, then the newest of Debian's. Raises Unavailable."""
    own = os.environ.get("PATH", os.defpath)
    for path in (own, *map(str, sorted(_DEBIAN.glob("*/bin"), key=_major, reverse=True))):
        server, install_db = shutil.which("postgres", path=path), shutil.which("initdb", path=path)
        if server is not None and install_db is not None:
            version = _version(server)
            if int(version.partition(".")[0]) >= LEAST_VERSION:
                return Programs(server, install_db, version)
    raise Unavailable(
        f"PostgreSQL is not here: no postgres and initdb from {LEAST_VERSION} on", INSTALL
    )


def _major(path: Path) -> int:
    name = path.parent.name
    return int(name) if name.isdigit() else 0


def _version(server: str) -> str:
    try:
        said = subprocess.run(
            [server, "--version"],
            capture_output=True,
            text=True,
            timeout=TIMEOUT_SECONDS,
            check=True,
        ).stdout
    except (OSError, subprocess.SubprocessError) as error:
        raise Unavailable(f"PostgreSQL cannot be run: {error}", INSTALL) from error
    version = re.search(r"\(PostgreSQL\) (\d+\S*(?: \([^)]*\))?)", said)
    if version is None:
        raise Unavailable(f"`{server} --version` names no version: {said.strip()}", INSTALL)
    return version[1]
