"""The template of a server's data: made once for a version and a seed, and copied for every run.

An empty data directory and the stored rows take seconds to make, and a copy tenths of one. All runs so
begin with the same files, page by page.
"""

import hashlib
import shutil
from collections.abc import Sequence
from pathlib import Path

from loadstone.deploy.dependencies.data import DataDirectory, give_to
from loadstone.deploy.dependencies.interface import Place
from loadstone.deploy.dependencies.mariadb.connection import MariaDbConnection
from loadstone.deploy.dependencies.mariadb.programs import Programs
from loadstone.deploy.dependencies.mariadb.settings import (
    ROOM_BYTES,
    SETTINGS,
    options,
    places,
    socket_in,
)
from loadstone.deploy.dependencies.private_server import (
    PrivateServer,
    as_user,
    install,
    server_user,
)
from loadstone.deploy.dependencies.sql import SqlFailed
from loadstone.deploy.whole_folder import whole_folder
from loadstone.errors import StepFailed

_FORMAT = 1
"""Of what this file makes: raise it when a template of before must not be used any more."""

_OF_THE_DATA = ("character-set-server", "collation-server", "innodb-log-file-size")
"""Settings that the installation is told, too."""

# The lab's root comes by the socket; whoever else could log in without a password goes.
_NO_OTHER_USER = (
    "DELETE FROM mysql.global_priv WHERE User = '' OR (User = 'root' AND Host <> 'localhost')",
    "DELETE FROM mysql.proxies_priv WHERE Host <> 'localhost'",
    "FLUSH PRIVILEGES",
)


def find_template(programs: Programs, place: Place) -> Path:
    """Return the folder of a template, made where it is not there yet.

    Raises StepFailed('deploy'), or StepFailed('seed') where a file of the seed is not taken.
    """
    folder = place.cache / f"mariadb-{_digest(programs, place.seed.files)[:16]}"
    if not folder.is_dir():
        with whole_folder(folder) as partial:
            _make(programs, place, partial)
    return folder


def new_home(user: str | None, room_bytes: int) -> DataDirectory:
    """Return a home for a server: its data, its temporary files, its socket, all in memory."""
    home = DataDirectory(user, memory_bytes=room_bytes)
    for name in ("data", "temporary"):
        (home.path / name).mkdir(mode=0o700)
        if user is not None:
            give_to(user, home.path / name)
    return home


def _digest(programs: Programs, seed: Sequence[Path]) -> str:
    told = (str(_FORMAT), programs.version, *options(), *_NO_OTHER_USER)
    digest = hashlib.sha256("\0".join(told).encode())
    for path in seed:
        content = path.read_bytes()
        digest.update(f"\0{path.name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()


def _make(programs: Programs, place: Place, folder: Path) -> None:
    user = server_user()
    home = new_home(user, ROOM_BYTES)
    try:
        _install(programs, user, home.path, place)
        _fill(programs, user, home.path, place)
        shutil.copytree(home.path / "data", folder, copy_function=shutil.copyfile)
    finally:
        home.remove()


def _install(programs: Programs, user: str | None, home: Path, place: Place) -> None:
    command = [
        *(programs.install_db, "--no-defaults", "--skip-test-db", "--skip-name-resolve"),
        "--auth-root-authentication-method=normal",
        f"--datadir={home / 'data'}",
        f"--tmpdir={home / 'temporary'}",
        *(f"--{name}={SETTINGS[name]}" for name in _OF_THE_DATA),
    ]
    install(place, as_user(user, command), home)


def _fill(programs: Programs, user: str | None, home: Path, place: Place) -> None:
    """Start it on its socket alone, run the files of the seed, and end it with all data at rest."""
    connections: list[MariaDbConnection] = []
    server = PrivateServer(
        place.name,
        as_user(user, [programs.server, *options(), "--skip-networking", *places(home)]),
        directory=home,
        log_path=place.logs / f"{place.name}-template.log",
        cpus=place.cpus,
        connect=lambda: connections.append(MariaDbConnection(socket_in(home))),
    )
    server.start()
    try:
        (root,) = connections
        for statement in _NO_OTHER_USER:
            root.execute(statement)
        for path in place.seed.files:
            root.run_file(path)
        root.execute("SET GLOBAL innodb_fast_shutdown = 0")  # nothing is left to be purged
        root.close()
        server.end()
    except SqlFailed as error:
        raise StepFailed(
            "seed", f"{place.name} does not take its seed: {error.message}", server.log_tail()
        ) from error
    except TimeoutError as error:
        raise StepFailed("deploy", str(error), server.log_tail()) from error
    finally:
        server.kill()
