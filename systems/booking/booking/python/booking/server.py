"""Granian, configured: the client leg of the service."""

import asyncio
import socket

from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.log import LogLevels
from granian.server.embed import Server
from starlette.types import ASGIApp

from booking.config import HOST

# Above the users of any workload, so that none is refused while the event loop is busy.
_BACKLOG = 1024
_CONNECTIONS = 16_384
# Longer than any pause between two requests of a load, and than the 60 s of SPEC.md: it also ends
# connections that are idle.
_HEAD_TIMEOUT_MILLISECONDS = 65_000

_POLL_SECONDS = 0.002


def reserve_port(port: int, host: str = HOST) -> socket.socket:
    """Take a port, of the kernel's choice for 0, that Granian can then listen on. Raises OSError.

    Granian cannot say which port it was given. It shares one by SO_REUSEPORT, also with other
    programs; as that is set only after the binding here, a port that is taken is refused.
    """
    reserved = socket.socket()
    try:
        reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        reserved.bind((host, port))
        reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    except BaseException:
        reserved.close()
        raise
    return reserved


def create_server(app: ASGIApp, port: int, host: str = HOST) -> Server:
    """Return a server inside this process: the service has one CPU, and this one loop."""
    return Server(
        app,
        host,
        port,
        # Without ASGI's lifespan: what the application needs is opened around the server.
        interface=Interfaces.ASGINL,
        http=HTTPModes.http1,
        websockets=False,
        backlog=_BACKLOG,
        backpressure=_CONNECTIONS,
        http1_settings=HTTP1Settings(header_read_timeout=_HEAD_TIMEOUT_MILLISECONDS),
        # The service logs for itself, and the server at most why it cannot go on.
        log_level=LogLevels.critical,
    )


async def wait_until_it_accepts(port: int, host: str = HOST) -> None:
    """Return when a connection to the server was accepted."""
    while True:
        try:
            _, writer = await asyncio.open_connection(host, port)
        except ConnectionRefusedError:
            await asyncio.sleep(_POLL_SECONDS)
        else:
            writer.close()
            return
