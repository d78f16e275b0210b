"""Whether Ray runs here, and where it listens: whoever reaches it with the token runs programs."""

from collections.abc import Iterator
from contextlib import suppress

import psutil

from loadstone.doctor.row import Row, fact

SECTION = "Right now"
_NAMES = ("raylet", "gcs_server")
_WORKERS = "ray::"
_ALL_ADDRESSES = ("0.0.0.0", "::")


def ray_ports() -> tuple[int, ...]:
    """Return the ports on which programs of Ray listen on all addresses of this machine."""
    ports = set()
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if process.name() in _NAMES or process.name().startswith(_WORKERS):
                ports |= {
                    each.laddr.port
                    for each in process.net_connections("tcp")
                    if each.status == psutil.CONN_LISTEN and each.laddr.ip in _ALL_ADDRESSES
                }
    return tuple(sorted(ports))


def ray_rows(ports: tuple[int, ...]) -> Iterator[Row]:
    """Yield a row where Ray listens; none where it does not run."""
    if ports:
        yield fact(
            SECTION,
            "Ray",
            f"listens on all addresses, on the ports {', '.join(map(str, ports))}",
            "Let a firewall pass these ports among the machines of the cluster alone.",
        )
