"""A MariaDB server as a dependency: a copy of its template in memory, on a port of its own.

At the end of a run it is killed: ending it in order takes a second and a half, and its data go anyway.
"""

from collections.abc import Mapping
from contextlib import ExitStack

from loadstone.deploy.build import tree_bytes
from loadstone.deploy.dependencies.database_server import DatabaseServer
from loadstone.deploy.dependencies.interface import Place
from loadstone.deploy.dependencies.mariadb.connection import MariaDbConnection
from loadstone.deploy.dependencies.mariadb.programs import find_programs
from loadstone.deploy.dependencies.mariadb.settings import (
    ROOM_BYTES,
    SETTINGS,
    SWITCHES,
    options,
    places,
    socket_in,
)
from loadstone.deploy.dependencies.mariadb.template import find_template
from loadstone.deploy.dependencies.private_server import PrivateServer, as_user, server_user
from loadstone.deploy.dependencies.server_template import (
    DATA,
    copy_anew,
    copy_template,
    new_home,
)
from loadstone.deploy.dependencies.sql import SqlFailed
from loadstone.errors import StepFailed
from loadstone.machine import ownership


class MariaDb(DatabaseServer[MariaDbConnection]):
    """A MariaDB server. A reset to a level keeps connections, and the statements that they prepared.

    Of a seed without levels it is a new start on another copy of the template: connections end.
    """

    def __init__(self, place: Place) -> None:
        """Start it and wait until it accepts. Raises StepFailed('deploy') or StepFailed('seed')."""
        super().__init__(place)
        with ExitStack() as parts:
            programs = find_programs()
            self._template = find_template(programs, place)
            user = server_user()
            home = new_home(user, tree_bytes(self._template) + ROOM_BYTES)
            parts.callback(home.remove)
            self._data = home.path / DATA
            copy_template(self._template, self._data, user)
            self._socket = socket_in(home.path)
            self._server = PrivateServer(
                place.name,
                as_user(user, [programs.server, *options(), *self._listening, *places(home.path)]),
                directory=home.path,
                log_path=place.logs / f"{place.name}.log",
                cpus=place.cpus,
                connect=self._connect,
            )
            self._server.start()
            parts.callback(self._server.kill)
            self._version = programs.version
            self._parts = parts.pop_all()

    @property
    def _listening(self) -> tuple[str, str]:
        return f"--bind-address={self._address}", f"--port={self._port}"

    def _connect(self) -> None:
        self._lab = MariaDbConnection(self._socket)

    @property
    def settings(self) -> Mapping[str, str]:
        """Version, where the data are, the level of its seed, and the options that it was given."""
        level = {} if self._seed.level is None else {"level": self._seed.level}
        memory = f"in memory ({ownership.MEMORY})"
        switches = dict.fromkeys(SWITCHES, "ON")
        return {"version": self._version, "data": memory, **level, **switches, **SETTINGS}

    def seed(self) -> None:
        """Bring the data to their level; without one they are there. Raises StepFailed('seed')."""
        if self._seed.levels:
            super().seed()
        else:
            self._seeded = self._tables("seed")

    def to_level(self, level: str | None) -> None:
        """Bring the data to a level of the seed. Raises SqlFailed.

        A transaction that is open holds it up: then its owner is named.
        """
        if level is None:
            self._begin_anew()
            return
        self.refuse_unknown(level)
        try:
            self.root.run_file(self._seed.levels[level])
        except SqlFailed as error:
            if not error.is_lock_wait:
                raise
            raise SqlFailed(f"{error.message}: {self._holders()}", is_lock_wait=True) from error

    def _begin_anew(self) -> None:
        """Start again on a new copy of the template. Raises SqlFailed."""
        self.disconnect()
        self._server.kill()
        try:
            copy_anew(self._template, self._data, server_user())
            self._server.start()
        except StepFailed as failure:
            raise SqlFailed(failure.reason) from failure

    def _holders(self) -> str:
        """Say who holds what was waited for."""
        open_ = [
            f"connection {each.id} of {each.user} from {each.host} has a transaction open, and has "
            f"been in {each.command} for {each.seconds} s"
            for each in self.root.sessions()
            if each.in_transaction
        ]
        return "; ".join(open_) or "no transaction is open, so LOCK TABLES may hold a table"


def start_mariadb(place: Place) -> MariaDb:
    """Start a MariaDB server. Raises StepFailed('deploy'), or StepFailed('seed') for its seed."""
    return MariaDb(place)
