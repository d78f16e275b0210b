"""Granian, configured: the leg of the service."""

import asyncio
import socket

from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings, HTTP2Settings
from granian.log import LogLevels
from granian.server.embed import Server
from starlette.types import ASGIApp

from users.config import HOST, Config

# Above the users of any workload, so that none is refused while the event loop is busy.
_BACKLOG = 1024
_CONNECTIONS = 16_384
# Longer than any pause between two requests of a load, and than the 60 s of SPEC.md: it also ends
# connections that are idle.
_HEAD_TIMEOUT_MILLISECONDS = 65_000
_STREAMS = 250
# The gateway passes heads of up to 15 KiB on, and adds to them; HTTP/2 counts 32 bytes a field besides.
_HEAD_BYTES = 64 << 10

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


def create_server(app: ASGIApp, port: int, config: Config) -> Server:
    """Return a server inside this process: the service has one CPU, and this one loop."""
    pair = config.key_pair
    return Server(
        app,
        config.host,
        port,
        # Without ASGI's lifespan: what the application needs is opened around the server.
        interface=Interfaces.ASGINL,
        http=HTTPModes.http2 if config.is_http2 else HTTPModes.http1,
        websockets=False,
        backlog=_BACKLOG,
        backpressure=_CONNECTIONS,
        http1_settings=HTTP1Settings(header_read_timeout=_HEAD_TIMEOUT_MILLISECONDS),
        http2_settings=HTTP2Settings(
            max_concurrent_streams=_STREAMS,
            max_headers_size=_HEAD_BYTES,
            initial_connection_window_size=_STREAMS * (64 << 10),
        ),
        ssl_cert=None if pair is None else pair.chain,
        ssl_key=None if pair is None else pair.key,
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
