"""The program of a Redis server on this machine, and how to get it."""

import os
import shutil
from typing import NamedTuple

from loadstone.deploy.dependencies.server_programs import version_of
from loadstone.errors import Unavailable

INSTALL = (
    "As root: `scripts/install-redis`, or `apt-get install --no-install-recommends redis-server`."
)
"""The script lets the package start no service."""

_SYSTEM = ("/usr/local/bin", "/usr/local/sbin", "/usr/sbin", "/sbin")
"""Where servers are, which the PATH of a normal user may lack."""

LEAST_VERSION = (6, 2)
"""`set-proc-title` came with it: before, a Redis wrote over its environment, and with it over the mark
by which a sweep finds what a killed lab has left."""


class RedisProgram(NamedTuple):
    """What is started."""

    server: str
    version: str
    """As it says itself: `7.0.15`."""


def find_program() -> RedisProgram:
    """Find it. Raises Unavailable where it is not here, or is older than the lab can use."""
    path = os.pathsep.join((os.environ.get("PATH", os.defpath), *_SYSTEM))
    server = shutil.which("redis-server", path=path)
    if server is None:
        raise Unavailable("Redis is not here: redis-server is on no PATH", INSTALL)
    version = version_of("Redis", (server, "--version"), r"\bv=(\d+\.\d+\S*)", INSTALL)
    major, minor = (int(part) for part in version.split(".")[:2])
    if (major, minor) < LEAST_VERSION:
        least = ".".join(map(str, LEAST_VERSION))
        raise Unavailable(f"Redis is {version} here, and the lab needs {least} or later", INSTALL)
    return RedisProgram(server, version)
