"""A PostgreSQL server as a dependency: a copy of its template in memory, on a port of its own.

Its data are one database, with the dependency's name.
"""

from collections.abc import Mapping
from contextlib import ExitStack

from loadstone.deploy.build import tree_bytes
from loadstone.deploy.dependencies.database_server import DatabaseServer
from loadstone.deploy.dependencies.interface import Place
from loadstone.deploy.dependencies.postgres.connection import PostgresConnection
from loadstone.deploy.dependencies.postgres.programs import find_programs
from loadstone.deploy.dependencies.postgres.settings import ROOM_BYTES, SETTINGS
from loadstone.deploy.dependencies.postgres.template import (
    SEED_DATABASE,
    allow_from_elsewhere,
    find_template,
    server_process,
)
from loadstone.deploy.dependencies.private_server import server_user
from loadstone.deploy.dependencies.server_template import DATA, copy_template, new_home
from loadstone.deploy.dependencies.sql import SqlFailed
from loadstone.deploy.ports import LOOPBACK
from loadstone.errors import StepFailed
from loadstone.machine import ownership

COPIES = 2
"""Of the seed beside the template's own: the data, and what takes their place in a reset."""


class Postgres(DatabaseServer[PostgresConnection]):
    """A PostgreSQL server. A reset puts a new copy in the place of the data: it ends connections."""

    def __init__(self, place: Place) -> None:
        """Start it and wait until it accepts. Raises StepFailed('deploy') or StepFailed('seed')."""
        super().__init__(place)
        self._log_path = place.logs / f"{place.name}.log"
        account = place.options.account
        self._owner = "" if account is None else f' OWNER "{account.user}"'
        try:
            self._level = self.level()
        except SqlFailed as error:
            raise StepFailed("seed", error.message) from error
        with ExitStack() as parts:
            programs = find_programs()
            template = find_template(programs, place, self._level)
            user = server_user()
            home = new_home(user, (1 + COPIES) * tree_bytes(template) + ROOM_BYTES)
            parts.callback(home.remove)
            copy_template(template, home.path / DATA, user)
            if place.address != LOOPBACK:
                allow_from_elsewhere(home.path / DATA)
            self._home = home.path
            addresses = (f"-clisten_addresses={place.address}", f"-cport={self._port}")
            self._server = server_process(
                programs, place, user, self._home, self._log_path, addresses, self._connect
            )
            self._server.start()
            parts.callback(self._server.kill)
            self._version = programs.version
            self._parts = parts.pop_all()

    def _connect(self) -> None:
        self._lab = PostgresConnection(self._home, self._port, self.name, self._log_path)

    @property
    def settings(self) -> Mapping[str, str]:
        """Version, where the data are, the level of its seed, and the options that it was given."""
        level = {} if self._level is None else {"level": self._level}
        memory = f"in memory ({ownership.MEMORY})"
        return {"version": self._version, "data": memory, **level, **SETTINGS}

    def to_level(self, level: str | None) -> None:
        """Put a copy of the seed in the place of the data. Raises SqlFailed.

        Connections to the data end. It has the level alone that it was started with.
        """
        if level != self._level:
            started = "no level" if self._level is None else f"the level {self._level}"
            raise SqlFailed(f"it was started with {started}, and has not {level}")
        lab = self.root
        lab.leave_data()
        fresh = f"{self.name}_fresh"
        lab.manage(f'DROP DATABASE IF EXISTS "{fresh}" WITH (FORCE)')
        lab.manage(
            f'CREATE DATABASE "{fresh}" TEMPLATE {SEED_DATABASE} STRATEGY FILE_COPY{self._owner}'
        )
        lab.manage(f'DROP DATABASE IF EXISTS "{self.name}" WITH (FORCE)')
        lab.manage(f'ALTER DATABASE "{fresh}" RENAME TO "{self.name}"')
        lab.rows()  # reads each table once, so that no run begins with pages on a disk
        lab.leave_data()
        lab.manage("CHECKPOINT")


def start_postgres(place: Place) -> Postgres:
    """Start a PostgreSQL server. Raises StepFailed('deploy'), or StepFailed('seed') for its seed."""
    return Postgres(place)
