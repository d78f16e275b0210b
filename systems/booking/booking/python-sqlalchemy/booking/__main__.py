"""Wires the service, and handles signals."""

import asyncio
import logging
import os
import signal
import sys
import time

import uvloop

from booking.config import Config, ConfigurationError, read_config
from booking.database import Database
from booking.database_stores import database_stores
from booking.passwords import Passwords
from booking.server import create_server, reserve_port, wait_until_it_accepts
from booking.service import create_service
from booking.tokens import Tokens

EXIT_DONE = 0
EXIT_FAILED = 1
EXIT_CONFIGURATION = 2

_log = logging.getLogger("booking")

# How long requests in flight may still take after the stop was asked for: less than 5 s, since
# ending takes time, too.
SHUTDOWN_GRACE_SECONDS = 4.5


def main() -> int:
    """Return the exit code."""
    logging.basicConfig(format="booking: %(message)s", level=logging.ERROR)
    try:
        config = read_config(os.environ)
        _log.setLevel(config.log_level.upper())
        return uvloop.run(run(config))
    except ConfigurationError as error:
        _log.critical(error)
        return EXIT_CONFIGURATION
    except OSError as error:
        _log.critical(error)
        return EXIT_FAILED


async def run(config: Config) -> int:
    """Serve until a signal asks for the end."""
    stopped = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    with reserve_port(config.port, config.host) as reserved:
        port = reserved.getsockname()[1]
        database = Database(config.database)
        passwords = Passwords(config.password_cost)
        tokens = Tokens(config.tokens, time.time)
        service = create_service(database_stores(database), passwords, tokens)
        server = create_server(service, port, config.host)
        serving = asyncio.ensure_future(server.serve())
        await wait_until_it_accepts(port, config.host)
        print(f"listening on {config.host}:{port}", flush=True)
        await stopped.wait()
        server.stop()  # type: ignore[no-untyped-call]
        _, unfinished = await asyncio.wait([serving], timeout=SHUTDOWN_GRACE_SECONDS)
    if unfinished:
        # The server cannot be made to drop what is in flight; the kernel does, by a broken connection.
        os._exit(EXIT_DONE)
    passwords.close()
    await database.close()
    return EXIT_DONE


if __name__ == "__main__":
    sys.exit(main())
