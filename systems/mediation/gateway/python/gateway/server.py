"""Granian, configured: the client leg of the gateway."""

import asyncio
import socket

from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings, HTTP2Settings
from granian.log import LogLevels
from granian.server.embed import Server
from starlette.types import ASGIApp

from gateway.config import HOST, Config, Protocol

_HTTP_MODES = {
    Protocol.H1C: HTTPModes.http1,
    Protocol.H1: HTTPModes.http1,
    Protocol.H2C: HTTPModes.http2,
    Protocol.H2: HTTPModes.http2,
    Protocol.H2_DOWNGRADE: HTTPModes.auto,
}

# Above the users of any workload, so that none is refused while the event loop is busy.
_BACKLOG = 1024
_CONNECTIONS = 16_384
# Longer than any pause between two requests of a load: it also ends connections that are idle.
_HEAD_TIMEOUT_MILLISECONDS = 60_000
_STREAMS = 250
_STREAM_WINDOW_BYTES = 128 << 10

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


def create_server(app: ASGIApp, config: Config, port: int) -> Server:
    """Return a server inside this process: the service has one CPU, and this one loop."""
    certificate = config.certificate
    return Server(
        app,
        config.host,
        port,
        # Without ASGI's lifespan: what the application needs is opened around the server.
        interface=Interfaces.ASGINL,
        http=_HTTP_MODES[config.client_protocol],
        websockets=False,
        backlog=_BACKLOG,
        backpressure=_CONNECTIONS,
        http1_settings=HTTP1Settings(header_read_timeout=_HEAD_TIMEOUT_MILLISECONDS),
        http2_settings=HTTP2Settings(
            max_concurrent_streams=_STREAMS,
            initial_stream_window_size=_STREAM_WINDOW_BYTES,
            # Room for every stream, so that a body nobody reads holds up no other.
            initial_connection_window_size=_STREAMS * _STREAM_WINDOW_BYTES,
        ),
        ssl_cert=certificate.chain if certificate else None,
        ssl_key=certificate.key if certificate else None,
        # The gateway logs for itself, and the server at most why it cannot go on.
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
