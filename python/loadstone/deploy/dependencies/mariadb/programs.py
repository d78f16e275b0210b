"""The programs of a MariaDB server on this machine, and how to get them."""

import os
import re
import shutil
import subprocess
from dataclasses import dataclass

from loadstone.errors import Unavailable

INSTALL = (
    "As root: `apt-get install --no-install-recommends mariadb-server-core mariadb-client-core`, "
    "or `scripts/install-mariadb`."
)
"""The core packages start no service and make no user."""

TIMEOUT_SECONDS = 20.0
"""For its version, which takes milliseconds."""

_SYSTEM = ("/usr/local/sbin", "/usr/sbin", "/sbin")
"""Where servers are, which the PATH of a normal user may lack."""


@dataclass(frozen=True)
class Programs:
    """What a server is made and run by."""

    server: str
    install_db: str
    """Makes an empty data directory."""
    version: str
    """Of the server, such as `10.11.19-MariaDB-0+deb12u1`."""


def find_programs() -> Programs:
    """Find them. Raises Unavailable where one is not here."""
    path = os.pathsep.join((os.environ.get("PATH", os.defpath), *_SYSTEM))
    found = {name: shutil.which(name, path=path) for name in ("mariadbd", "mariadb-install-db")}
    server, install_db = found["mariadbd"], found["mariadb-install-db"]
    if server is None or install_db is None:
        missing = " and ".join(name for name, program in found.items() if program is None)
        verb = "are" if " and " in missing else "is"
        raise Unavailable(f"MariaDB is not here: {missing} {verb} on no PATH", INSTALL)
    return Programs(server, install_db, _version(server))


def _version(server: str) -> str:
    try:
        said = subprocess.run(
            [server, "--no-defaults", "--version"],
            capture_output=True,
            text=True,
            timeout=TIMEOUT_SECONDS,
            check=True,
        ).stdout
    except (OSError, subprocess.SubprocessError) as error:
        raise Unavailable(f"MariaDB cannot be run: {error}", INSTALL) from error
    version = re.search(r"Ver (\S+)", said)
    if version is None:
        raise Unavailable(f"`{server} --version` names no version: {said.strip()}", INSTALL)
    return version[1]
