"""The template of a PostgreSQL: a server with a seed, and with one level of it where it has some.

It holds the database `seed`, vacuumed and analysed, which nobody may connect to. A run's data are a
copy of it: all runs so begin with the same pages, statistics and sequences.
"""

import signal
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from loadstone.deploy.dependencies import server_template
from loadstone.deploy.dependencies.interface import Place
from loadstone.deploy.dependencies.postgres.connection import LAB_USER, PostgresConnection
from loadstone.deploy.dependencies.postgres.settings import ROOM_BYTES, options, places
from loadstone.deploy.dependencies.private_server import (
    PrivateServer,
    as_user,
    install,
    server_user,
)
from loadstone.deploy.dependencies.server_programs import Programs
from loadstone.deploy.dependencies.server_template import DATA, account_text, digest_of, filling
from loadstone.deploy.dependencies.sql import SEED_SECONDS
from loadstone.deploy.ports import free_port

SEED_DATABASE = "seed"

_FORMAT = 1
"""Of what this file makes: raise it when a template of before must not be used any more."""

_CLUSTER = (
    *("--encoding=UTF8", "--locale=C.UTF-8", f"--username={LAB_USER}"),
    *("--auth-local=trust", "--auth-host=scram-sha-256"),
)
"""Only the lab reaches the socket, and services come by TCP with a password."""


def find_template(programs: Programs, place: Place, level: str | None) -> Path:
    """Return the folder of a template, made where it is not there yet.

    Raises StepFailed('deploy'), or StepFailed('seed') where a file of the seed is not taken.
    """
    user = server_user()
    files = (*place.seed.files, *(() if level is None else (place.seed.levels[level],)))

    def make(home: Path) -> None:
        command = [programs.install_db, *_CLUSTER, "--no-sync", f"--pgdata={home / DATA}"]
        install(place, as_user(user, command), home)
        _fill(programs, user, home, place, files)

    told = (str(_FORMAT), programs.version, *options(), *_CLUSTER, *account_text(place))
    folder = place.cache / f"postgres-{digest_of(told, files)}"
    return server_template.find_template(folder, user, ROOM_BYTES, make)


def allow_from_elsewhere(data: Path) -> None:
    """Let services of other machines connect, with a password as those of this one."""
    with (data / "pg_hba.conf").open("a", encoding="utf-8") as file:
        file.write("host all all all scram-sha-256\n")


def server_process(
    programs: Programs,
    place: Place,
    user: str | None,
    home: Path,
    log_path: Path,
    addresses: tuple[str, ...],
    connect: Callable[[], None],
) -> PrivateServer:
    """Return a server at this home, which has not been started."""
    return PrivateServer(
        place.name,
        as_user(user, [programs.server, *options(), *places(home), *addresses]),
        directory=home,
        log_path=log_path,
        cpus=place.cpus,
        connect=connect,
        end_signal=signal.SIGINT,  # in order, whoever is connected
        at_once_signal=signal.SIGQUIT,  # SIGKILL would leave a segment of shared memory
    )


def _fill(
    programs: Programs, user: str | None, home: Path, place: Place, files: tuple[Path, ...]
) -> None:
    """Start it on its socket alone, run the files of the seed, and end it with all data at rest."""
    connections: list[PostgresConnection] = []
    port = free_port()
    log_path = place.logs / f"{place.name}-template.log"

    def connect() -> None:
        connections.append(PostgresConnection(home, port, SEED_DATABASE, log_path, SEED_SECONDS))

    addresses = ("-clisten_addresses=", f"-cport={port}")
    server = server_process(programs, place, user, home, log_path, addresses, connect)
    with filling(place, server), closing(connections[0]) as lab:
        lab.manage("CREATE EXTENSION pg_stat_statements")
        lab.manage(f"CREATE DATABASE {SEED_DATABASE}")
        with lab.as_owner(place.options.account):
            for path in files:
                lab.run_file(path)
        lab.execute("VACUUM (FREEZE, ANALYZE)")
        lab.leave_data()
        lab.manage(f"ALTER DATABASE {SEED_DATABASE} WITH ALLOW_CONNECTIONS false IS_TEMPLATE true")
