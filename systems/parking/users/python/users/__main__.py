"""Wires the service, and handles signals."""

import asyncio
import logging
import os
import signal
import sys
import time

import uvloop

from users.complaints import Complaints, log
from users.config import Address, Config, read_config
from users.database import Database
from users.database_stores import database_stores
from users.passwords import Passwords
from users.registrar import Registrar
from users.server import create_server, reserve_port, wait_until_it_accepts
from users.service import create_service
from users.tls import ConfigurationError
from users.tokens import Tokens

EXIT_DONE = 0
EXIT_FAILED = 1
EXIT_CONFIGURATION = 2

# How long requests in flight may still take after the stop was asked for: less than 5 s, since
# ending takes time, too.
SHUTDOWN_GRACE_SECONDS = 4.5


def main() -> int:
    """Return the exit code."""
    logging.basicConfig(format="users: %(message)s", level=logging.CRITICAL)
    log.setLevel(logging.ERROR)
    try:
        return uvloop.run(run(read_config(os.environ)))
    except ConfigurationError as error:
        log.critical(error)
        return EXIT_CONFIGURATION
    except OSError as error:
        log.critical(error)
        return EXIT_FAILED


async def run(config: Config) -> int:
    """Serve until a signal asks for the end."""
    stopped = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    with reserve_port(config.port, config.host) as reserved:
        port = reserved.getsockname()[1]
        complaints = Complaints()
        database = Database(config.database)
        passwords = Passwords()
        service = create_service(
            database_stores(database),
            passwords,
            Tokens(config.tokens, time.time),
            complaints,
            internal_key=config.internal_key,
            instance=f"users-{port}",
        )
        server = create_server(service, port, config)
        serving = asyncio.ensure_future(server.serve())
        await wait_until_it_accepts(port, config.host)
        print(f"listening on {config.host}:{port}", flush=True)
        ending = [serving]
        if config.registry is not None:
            registrar = Registrar(
                config.registry, Address(config.host, port), config.is_tls, complaints
            )
            ending.append(asyncio.ensure_future(registrar.run(stopped)))
        await stopped.wait()
        server.stop()  # type: ignore[no-untyped-call]
        _, unfinished = await asyncio.wait(ending, timeout=SHUTDOWN_GRACE_SECONDS)
    if unfinished:
        # The server cannot be made to drop what is in flight; the kernel does, by a broken connection.
        os._exit(EXIT_DONE)
    passwords.close()
    await database.close()
    return EXIT_DONE


if __name__ == "__main__":
    sys.exit(main())
