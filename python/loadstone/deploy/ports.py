"""Free ports of the loopback interface."""

import socket


def free_port() -> int:
    """Return a port that nothing listened on a moment ago.

    The kernel hands out its ephemeral ports in a scattered order, so another program rarely gets
    the same one in the milliseconds until the service binds it; where it does, the
    run fails and says so.
    """
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port
