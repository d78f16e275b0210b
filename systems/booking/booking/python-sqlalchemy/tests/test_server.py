import socket

import pytest

from booking.config import HOST
from booking.server import reserve_port


def listen_shared(port: int) -> socket.socket:
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    listener.bind((HOST, port))
    listener.listen()
    return listener


def test_a_port_that_is_reserved_can_be_listened_on_and_takes_every_connection() -> None:
    with reserve_port(0) as reserved:
        port = reserved.getsockname()[1]
        with listen_shared(port) as listener:
            for _ in range(20):
                with socket.create_connection((HOST, port)):
                    listener.settimeout(5)
                    listener.accept()[0].close()


def test_a_port_that_is_taken_is_refused_though_it_could_be_shared() -> None:
    with listen_shared(0) as taken, pytest.raises(OSError, match="in use"):
        reserve_port(taken.getsockname()[1])
