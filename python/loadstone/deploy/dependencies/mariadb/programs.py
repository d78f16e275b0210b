"""The programs of a MariaDB server on this machine, and how to get them."""

import os
import shutil

from loadstone.deploy.dependencies.server_programs import Programs, version_of
from loadstone.errors import Unavailable

INSTALL = (
    "As root: `apt-get install --no-install-recommends mariadb-server-core mariadb-client-core`, "
    "or `scripts/install-mariadb`."
)
"""The core packages start no service and make no user."""

_SYSTEM = ("/usr/local/sbin", "/usr/sbin", "/sbin")
"""Where servers are, which the PATH of a normal user may lack."""


def find_programs() -> Programs:
    """Find them. Raises Unavailable where one is not here."""
    path = os.pathsep.join((os.environ.get("PATH", os.defpath), *_SYSTEM))
    found = {name: shutil.which(name, path=path) for name in ("mariadbd", "mariadb-install-db")}
    server, install_db = found["mariadbd"], found["mariadb-install-db"]
    if server is None or install_db is None:
        missing = " and ".join(name for name, program in found.items() if program is None)
        verb = "are" if " and " in missing else "is"
        raise Unavailable(f"MariaDB is not here: {missing} {verb} on no PATH", INSTALL)
    command = (server, "--no-defaults", "--version")
    return Programs(server, install_db, version_of("MariaDB", command, r"Ver (\S+)", INSTALL))
