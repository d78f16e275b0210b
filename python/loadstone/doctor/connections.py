"""How many connections fit: open files of a process, and ports of the loopback interface."""

import re
import resource

from loadstone.deploy.ports import free_port
from loadstone.doctor.kernel_files import KernelFiles
from loadstone.frozen import Frozen

MANY_CONNECTIONS = 10_000
"""The classic hard case of a server, and a round number of users."""
OTHER_FILES = 100
"""Of a process beside its connections: logs, listeners, event loops, libraries. A round number."""


class Connections(Frozen):
    """What bounds the number of connections between two processes of this machine."""

    open_files: int | None
    """Open files that a process may have; it can raise this itself up to the next figure.
    None: no limit."""
    most_open_files: int | None
    """What a process without privileges can raise it to; none: no limit."""
    ephemeral_ports: int
    """Ports that the kernel may choose for the near end of a connection; 0 where it does not tell."""
    waiting_ports: int
    """Sockets that keep their ports after their end (TIME_WAIT), now."""
    port: bool
    """Whether a free port of 127.0.0.1 could be had."""

    @property
    def fit(self) -> int:
        """Connections from one process to one address: what both limits leave."""
        files = self.most_open_files
        ports = self.ephemeral_ports
        return ports if files is None else max(0, min(ports, files - OTHER_FILES))


def connections(sources: KernelFiles, limits: tuple[int, int] | None = None) -> Connections:
    """Read the limits; `limits` are the soft and hard ones of open files, by default this process's."""
    soft, hard = limits or resource.getrlimit(resource.RLIMIT_NOFILE)
    bounds = (sources.text("proc/sys/net/ipv4/ip_local_port_range") or "").split()
    waiting = re.search(r"^TCP:.* tw (\d+)", sources.text("proc/net/sockstat") or "", re.MULTILINE)
    return Connections(
        open_files=None if soft == resource.RLIM_INFINITY else soft,
        most_open_files=None if hard == resource.RLIM_INFINITY else hard,
        ephemeral_ports=int(bounds[1]) - int(bounds[0]) + 1 if len(bounds) == 2 else 0,
        waiting_ports=int(waiting[1]) if waiting else 0,
        port=_has_port(),
    )


def _has_port() -> bool:
    try:
        return free_port() > 0
    except OSError:
        return False
