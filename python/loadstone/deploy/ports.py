"""Free ports of one address, which is that of the loopback interface unless a service is loaded from
another machine.
"""

import ipaddress
import socket
from typing import Final

LOOPBACK: Final = "127.0.0.1"


def free_port(address: str = LOOPBACK) -> int:
    """Return a port of this machine's address that nothing listened on a moment ago.

    The kernel hands out its ephemeral ports in a scattered order, so another program rarely gets
    the same one in the milliseconds until the service binds it; where it does, the
    run fails and says so.
    """
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(family) as listener:
        listener.bind((address, 0))
        port: int = listener.getsockname()[1]
        return port


def at_port(address: str, port: int) -> str:
    """Return an IP address and a port as a URL has them."""
    return (
        f"[{address}]:{port}" if ipaddress.ip_address(address).version == 6 else f"{address}:{port}"
    )
