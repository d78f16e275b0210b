"""Connections of a process as the kernel sees them."""

from pathlib import Path
from typing import Final

ESTABLISHED: Final = "01"
CLOSE_WAIT: Final = "08"
"""The other side has ended it, and this one has not."""

_TABLES = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))
"""A JVM listens by IPv6 on addresses of IPv4, too."""
_LOCAL, _STATE = 1, 3
"""Columns of the table."""


def connections_at(port: int) -> int:
    """How many connections a server on this port of the machine has not closed yet."""
    found = 0
    lines = [
        line for each in _TABLES if each.exists() for line in each.read_text().splitlines()[1:]
    ]
    for line in lines:
        columns = line.split()
        is_open = columns[_STATE] in (ESTABLISHED, CLOSE_WAIT)
        found += is_open and int(columns[_LOCAL].rpartition(":")[2], 16) == port
    return found
