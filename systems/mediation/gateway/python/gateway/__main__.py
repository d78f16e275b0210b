"""Wires the gateway, and handles signals. It leaves out whatever the scenarios do not ask for.

That is: routing tables, retries, caches, metrics.
"""

import asyncio
import logging
import os
import signal
import ssl
import sys

import uvloop

from gateway.config import Config, ConfigurationError, read_config
from gateway.gateway import create_gateway
from gateway.server import create_server, reserve_port, wait_until_it_accepts
from gateway.tls import check_certificate, upstream_context
from gateway.upstream import Upstream
from gateway.upstream_http1 import Http1Upstream
from gateway.upstream_http2 import Http2Upstream

EXIT_DONE = 0
EXIT_FAILED = 1
EXIT_CONFIGURATION = 2

_log = logging.getLogger("gateway")

# How long requests in flight may still take after the stop was asked for.
SHUTDOWN_GRACE_SECONDS = 5.0


def main() -> int:
    """Return the exit code."""
    logging.basicConfig(format="gateway: %(message)s", level=logging.ERROR)
    try:
        config = read_config(os.environ)
        tls = upstream_context(config)
        if config.certificate is not None:
            check_certificate(config.certificate)
        return uvloop.run(run(config, tls))
    except ConfigurationError as error:
        _log.critical(error)
        return EXIT_CONFIGURATION
    except OSError as error:
        _log.critical(error)
        return EXIT_FAILED


async def run(config: Config, tls: ssl.SSLContext | None) -> int:
    """Serve until a signal asks for the end."""
    stopped = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    with reserve_port(config.port, config.host) as reserved:
        port = reserved.getsockname()[1]
        upstream = open_upstream(config, tls)
        server = create_server(create_gateway(upstream), config, port)
        serving = asyncio.ensure_future(server.serve())
        await wait_until_it_accepts(port, config.host)
        print(f"listening on {config.host}:{port}", flush=True)
        await stopped.wait()
        server.stop()  # type: ignore[no-untyped-call]
        _, unfinished = await asyncio.wait([serving], timeout=SHUTDOWN_GRACE_SECONDS)
    if unfinished:
        # The server cannot be made to drop what is in flight; the kernel does, by a broken connection.
        os._exit(EXIT_DONE)
    await upstream.close()
    return EXIT_DONE


def open_upstream(config: Config, tls: ssl.SSLContext | None) -> Upstream:
    """Return the client of the upstream leg."""
    client = Http2Upstream if config.upstream_protocol.is_http2 else Http1Upstream
    return client(config.upstream, tls)


if __name__ == "__main__":
    sys.exit(main())
