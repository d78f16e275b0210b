"""The template of a server's data: made once for a version and a level of a seed, copied for every run.

It holds the database `seed`, vacuumed and analysed, which nobody may connect to. A run's data are a
copy of it: all runs so begin with the same pages, statistics and sequences.
"""

import hashlib
import shutil
import signal
from collections.abc import Callable
from pathlib import Path

from loadstone.deploy.dependencies.data import DataDirectory, give_to
from loadstone.deploy.dependencies.interface import Place
from loadstone.deploy.dependencies.postgres.connection import LAB_USER, PostgresConnection
from loadstone.deploy.dependencies.postgres.programs import Programs
from loadstone.deploy.dependencies.postgres.settings import ROOM_BYTES, options, places
from loadstone.deploy.dependencies.private_server import (
    PrivateServer,
    as_user,
    install,
    server_user,
)
from loadstone.deploy.dependencies.sql import SqlFailed
from loadstone.deploy.ports import free_port
from loadstone.deploy.whole_folder import whole_folder
from loadstone.errors import StepFailed

SEED_DATABASE = "seed"

_FORMAT = 1
"""Of what this file makes: raise it when a template of before must not be used any more."""

_CLUSTER = (
    *("--encoding=UTF8", "--locale=C.UTF-8", f"--username={LAB_USER}"),
    *("--auth-local=trust", "--auth-host=scram-sha-256"),
)
"""Only the lab reaches the socket, and services come by TCP with a password."""


def find_template(programs: Programs, place: Place, level: str) -> Path:
    """Return the folder of a template, made where it is not there yet.

    Raises StepFailed('deploy'), or StepFailed('seed') where a file of the seed is not taken.
    """
    files = (*place.seed.files, place.seed.levels[level])
    folder = place.cache / f"postgres-{_digest(programs, files)[:16]}"
    if not folder.is_dir():
        with whole_folder(folder) as partial:
            _make(programs, place, files, partial)
    return folder


def new_home(user: str | None, room_bytes: int) -> DataDirectory:
    """Return a home for a server: its data and its socket, all in memory."""
    home = DataDirectory(user, memory_bytes=room_bytes)
    (home.path / "data").mkdir(mode=0o700)
    if user is not None:
        give_to(user, home.path / "data")
    return home


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


def _digest(programs: Programs, files: tuple[Path, ...]) -> str:
    told = (str(_FORMAT), programs.version, *options(), *_CLUSTER)
    digest = hashlib.sha256("\0".join(told).encode())
    for path in files:
        content = path.read_bytes()
        digest.update(f"\0{path.name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()


def _make(programs: Programs, place: Place, files: tuple[Path, ...], folder: Path) -> None:
    user = server_user()
    home = new_home(user, ROOM_BYTES)
    try:
        _install(programs, user, home.path, place)
        _fill(programs, user, home.path, place, files)
        shutil.copytree(home.path / "data", folder, copy_function=shutil.copyfile)
    finally:
        home.remove()


def _install(programs: Programs, user: str | None, home: Path, place: Place) -> None:
    command = [programs.install_db, *_CLUSTER, "--no-sync", f"--pgdata={home / 'data'}"]
    install(place, as_user(user, command), home)


def _fill(
    programs: Programs, user: str | None, home: Path, place: Place, files: tuple[Path, ...]
) -> None:
    """Start it on its socket alone, run the files of the seed, and end it with all data at rest."""
    connections: list[PostgresConnection] = []
    port = free_port()
    log_path = place.logs / f"{place.name}-template.log"

    def connect() -> None:
        connections.append(PostgresConnection(home, port, SEED_DATABASE, log_path))

    addresses = ("-clisten_addresses=", f"-cport={port}")
    server = server_process(programs, place, user, home, log_path, addresses, connect)
    server.start()
    try:
        (lab,) = connections
        lab.manage("CREATE EXTENSION pg_stat_statements")
        lab.manage(f"CREATE DATABASE {SEED_DATABASE}")
        for path in files:
            lab.run_file(path)
        lab.execute("VACUUM (FREEZE, ANALYZE)")
        lab.leave_data()
        lab.manage(f"ALTER DATABASE {SEED_DATABASE} WITH ALLOW_CONNECTIONS false IS_TEMPLATE true")
        lab.close()
        server.end()
    except SqlFailed as error:
        raise StepFailed(
            "seed", f"{place.name} does not take its seed: {error.message}", server.log_tail()
        ) from error
    except TimeoutError as error:
        raise StepFailed("deploy", str(error), server.log_tail()) from error
    finally:
        for each in connections:
            each.close()
        server.kill()
