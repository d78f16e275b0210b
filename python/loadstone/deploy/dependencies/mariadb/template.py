"""The template of a MariaDB: an empty server with the users, tables and stored rows of a seed."""

from contextlib import closing
from pathlib import Path

from loadstone.deploy.dependencies import server_template
from loadstone.deploy.dependencies.interface import Place
from loadstone.deploy.dependencies.mariadb.connection import MariaDbConnection
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
from loadstone.deploy.dependencies.server_programs import Programs
from loadstone.deploy.dependencies.server_template import account_text, digest_of, filling
from loadstone.deploy.dependencies.sql import SEED_SECONDS

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
    user = server_user()

    def make(home: Path) -> None:
        _install(programs, user, home, place)
        _fill(programs, user, home, place)

    told = (str(_FORMAT), programs.version, *options(), *_NO_OTHER_USER, *account_text(place))
    folder = place.cache / f"mariadb-{digest_of(told, place.seed.files)}"
    return server_template.find_template(folder, user, ROOM_BYTES, make)


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
        connect=lambda: connections.append(MariaDbConnection(socket_in(home), SEED_SECONDS)),
    )
    with filling(place, server), closing(connections[0]) as root:
        for statement in _NO_OTHER_USER:
            root.execute(statement)
        root.make_account(place.name, place.options.account)
        for path in place.seed.files:
            root.run_file(path)
        root.execute("SET GLOBAL innodb_fast_shutdown = 0")  # nothing is left to be purged
