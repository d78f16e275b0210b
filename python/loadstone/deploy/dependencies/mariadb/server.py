"""A MariaDB server as a dependency: a copy of its template in memory, on a port of its own.

At the end of a run it is killed: ending it in order takes a second and a half, and its data go anyway.
"""

import shutil
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

from loadstone.deploy.build import tree_bytes
from loadstone.deploy.dependencies.data import give_to
from loadstone.deploy.dependencies.interface import Leader, Place
from loadstone.deploy.dependencies.mariadb.connection import LabConnection, SqlFailed
from loadstone.deploy.dependencies.mariadb.hand import MariaDbHand
from loadstone.deploy.dependencies.mariadb.programs import find_programs
from loadstone.deploy.dependencies.mariadb.settings import (
    ROOM_BYTES,
    SETTINGS,
    SWITCHES,
    options,
    places,
    socket_in,
)
from loadstone.deploy.dependencies.mariadb.template import find_template, new_home
from loadstone.deploy.dependencies.private_server import PrivateServer, as_user, server_user
from loadstone.deploy.ports import free_port
from loadstone.errors import StepFailed
from loadstone.machine import ownership
from loadstone.results.database_work import DatabaseWork


class MariaDb:
    """A running server, or one that a check has stopped for a while."""

    killed_after_ns: int | None = None
    """Always none: it is given no time to end."""

    def __init__(self, place: Place) -> None:
        """Start it and wait until it accepts. Raises StepFailed('deploy') or StepFailed('seed')."""
        self.name, self._seed, self._port = place.name, place.seed, free_port()
        self._root: LabConnection | None = None
        with ExitStack() as parts:
            programs = find_programs()
            template = find_template(programs, place)
            user = server_user()
            home = new_home(user, tree_bytes(template) + ROOM_BYTES)
            parts.callback(home.remove)
            _copy(template, home.path / "data", user)
            self._socket = socket_in(home.path)
            self._server = PrivateServer(
                place.name,
                as_user(user, [programs.server, *options(), *self._address, *places(home.path)]),
                directory=home.path,
                log_path=place.logs / f"{place.name}.log",
                cpus=place.cpus,
                connect=self._connect,
            )
            self._server.start()
            parts.callback(self._server.kill)
            self._version = programs.version
            self._hand = MariaDbHand(self)
            self._parts = parts.pop_all()

    @property
    def _address(self) -> tuple[str, str]:
        return "--bind-address=127.0.0.1", f"--port={self._port}"

    def _connect(self) -> None:
        self._root = LabConnection(self._socket)

    @property
    def url(self) -> str:
        """Host and port: the system's file names scheme, user and database itself."""
        return f"127.0.0.1:{self._port}"

    @property
    def settings(self) -> Mapping[str, str]:
        """Version, where the data are, the level of its seed, and the options that it was given."""
        level = {} if self._seed.level is None else {"level": self._seed.level}
        memory = f"in memory ({ownership.MEMORY})"
        switches = dict.fromkeys(SWITCHES, "ON")
        return {"version": self._version, "data": memory, **level, **switches, **SETTINGS}

    @property
    def leaders(self) -> tuple[Leader, ...]:
        """Its one process."""
        return (self._server.leader,)

    @property
    def process(self) -> PrivateServer:
        """Its process."""
        return self._server

    @property
    def root(self) -> LabConnection:
        """The lab's own connection. Raises SqlFailed where the server has been stopped."""
        if self._root is None or self._server.is_ended:
            raise SqlFailed(f"{self.name} does not run")
        return self._root

    @property
    def hand(self) -> MariaDbHand:
        """What a check may do to it."""
        return self._hand

    def seed(self) -> None:
        """Bring the data to their level. Raises StepFailed('seed')."""
        try:
            self.to_level(self._level())
        except SqlFailed as error:
            raise StepFailed("seed", self._not_brought(error), self.log_tail()) from error

    def reset(self) -> None:
        """Bring the data back to their level. Raises StepFailed('reset').

        Connections and the statements that they have prepared survive it. A transaction that is open
        holds it up: then its owner is named.
        """
        try:
            self.to_level(self._level())
        except SqlFailed as error:
            raise StepFailed("reset", self._not_brought(error), self.log_tail()) from error

    def to_level(self, level: str) -> None:
        """Bring the data to a level of the seed. Raises SqlFailed."""
        path = self._seed.levels.get(level)
        if path is None:
            known = ", ".join(self._seed.levels) or "none"
            raise SqlFailed(f"its seed has no level {level}: there is {known}")
        try:
            self.root.run_file(path)
        except SqlFailed as error:
            if not error.is_lock_wait:
                raise
            raise SqlFailed(f"{error.message}: {self._holders()}", error.code) from error

    def work(self) -> DatabaseWork:
        """Return what services have asked of it. Raises StepFailed('load')."""
        try:
            return self.root.work()
        except SqlFailed as error:
            raise StepFailed("load", f"{self.name} does not tell its work: {error}") from error

    def rows(self) -> dict[str, int]:
        """Return the rows of each table that services may use. Raises StepFailed('load')."""
        try:
            return self.root.rows()
        except SqlFailed as error:
            raise StepFailed("load", f"{self.name} does not tell its rows: {error}") from error

    def ending(self) -> str | None:
        """Return in words how it ended of itself; none while it runs, or where a check stopped it."""
        return self._server.ending()

    def log_tail(self) -> str:
        """Return the last lines of its log."""
        return self._server.log_tail()

    def disconnect(self) -> None:
        """End the lab's connection, as before the server is ended."""
        if self._root is not None:
            self._root.close()
            self._root = None

    def stop(self) -> None:
        """Kill it and remove its data."""
        self._parts.close()
        self.disconnect()

    def _level(self) -> str:
        levels: Sequence[str] = tuple(self._seed.levels)
        if self._seed.level is not None:
            return self._seed.level
        if len(levels) != 1:
            raise SqlFailed(
                f"no setting chooses a level of its seed, and there are {len(levels)}: "
                "seed/<dependency>/levels needs one file"
            )
        return levels[0]

    def _holders(self) -> str:
        """Say who holds what was waited for."""
        open_ = [
            f"connection {each.id} of {each.user} from {each.host} has a transaction open, and has "
            f"been in {each.command} for {each.seconds} s"
            for each in self.root.sessions()
            if each.in_transaction
        ]
        return "; ".join(open_) or "no transaction is open, so LOCK TABLES may hold a table"

    def _not_brought(self, error: SqlFailed) -> str:
        return f"{self.name} cannot be brought to its seed: {error.message}"


def start_mariadb(place: Place) -> MariaDb:
    """Start a MariaDB server. Raises StepFailed('deploy'), or StepFailed('seed') for its seed."""
    return MariaDb(place)


def _copy(template: Path, data: Path, user: str | None) -> None:
    """Copy the template for a user. Raises StepFailed('deploy'), as where the memory is full."""
    try:
        shutil.copytree(template, data, copy_function=shutil.copyfile, dirs_exist_ok=True)
    except (OSError, shutil.Error) as error:
        raise StepFailed("deploy", f"the template {template} cannot be copied: {error}") from error
    for path in data.rglob("*"):
        path.chmod(0o700 if path.is_dir() else 0o600)
        if user is not None:
            give_to(user, path)
