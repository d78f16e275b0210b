"""The programs of a PostgreSQL server on this machine, and how to get them."""

import os
import shutil
from pathlib import Path

from loadstone.deploy.dependencies.server_programs import Programs, version_of
from loadstone.errors import Unavailable

INSTALL = "As root: `scripts/install-postgres`, or `apt-get install postgresql`."
"""The script leaves out the cluster that Debian's package makes and starts."""

_DEBIAN = Path("/usr/lib/postgresql")
"""Where Debian has its versions, each with a `bin` that is on no PATH."""

_VERSION = r"\(PostgreSQL\) (\d+\S*(?: \([^)]*\))?)"
"""Such as `15.18 (Debian 15.18-0+deb12u1)`."""

LEAST_VERSION = 15
"""Of the major versions: `CREATE DATABASE ... STRATEGY` came with it."""


def find_programs() -> Programs:
    """Find them, on the PATH first, then the newest of Debian's. Raises Unavailable."""
    own = os.environ.get("PATH", os.defpath)
    for path in (own, *map(str, sorted(_DEBIAN.glob("*/bin"), key=_major, reverse=True))):
        server, install_db = shutil.which("postgres", path=path), shutil.which("initdb", path=path)
        if server is not None and install_db is not None:
            version = version_of("PostgreSQL", (server, "--version"), _VERSION, INSTALL)
            if int(version.partition(".")[0]) >= LEAST_VERSION:
                return Programs(server, install_db, version)
    raise Unavailable(
        f"PostgreSQL is not here: no postgres and initdb from {LEAST_VERSION} on", INSTALL
    )


def _major(path: Path) -> int:
    name = path.parent.name
    return int(name) if name.isdigit() else 0
