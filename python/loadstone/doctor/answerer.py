"""The far end of the round trips: sends back what it receives, until the connection ends.

Run as a script by a bare interpreter, so it imports nothing of the lab.
"""

import socket
import sys

MESSAGE_BYTES = 64
"""A small message; one packet in any case."""


def main() -> None:
    """Connect to the port of 127.0.0.1 that the first argument names, and answer."""
    with socket.create_connection(("127.0.0.1", int(sys.argv[1]))) as peer:
        peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        while message := peer.recv(MESSAGE_BYTES):
            peer.sendall(message)


if __name__ == "__main__":
    main()
