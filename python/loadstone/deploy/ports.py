"""Free ports of one address, which is that of the loopback interface unless a service is loaded from
another machine.
"""

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
