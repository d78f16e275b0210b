"""What the lab's database servers have in common: what they count, and tables that services make.

Many a service makes its tables itself when it starts, by its migrations. They are no part of the seed,
and a reset to the seed would take them from under it. So where there are some, the data are left as the
services made them: each run has a server and services of its own, and nothing but checks that change
nothing has asked them before the load.
"""

from typing import Protocol, TypeVar

from loadstone.deploy.dependencies.seeded_server import LabConnection, SeededServer
from loadstone.deploy.dependencies.sql import SqlFailed
from loadstone.errors import StepFailed
from loadstone.results.database_work import DatabaseWork


class CountingConnection(LabConnection, Protocol):
    """The lab's own connection to a database."""

    def tables(self) -> frozenset[str]:
        """Return the tables that an application may use. Raises SqlFailed."""

    def rows(self) -> dict[str, int]:
        """Return how many rows each table has that an application may use. Raises SqlFailed."""


Connection = TypeVar("Connection", bound=CountingConnection)


class DatabaseServer(SeededServer[Connection]):
    """A server of tables, which counts the statements of its clients."""

    _seeded: frozenset[str] = frozenset()
    """The tables of its seed."""
    _made: frozenset[str] = frozenset()
    """Those that services have made when they started."""

    def seed(self) -> None:
        """Bring the data to their level. Raises StepFailed('seed')."""
        super().seed()
        self._seeded = self._tables("seed")

    def services_stand(self) -> None:
        """Note the tables that services have made. Raises StepFailed('start-up')."""
        self._made = self._tables("start-up") - self._seeded

    def reset(self) -> None:
        """Bring the data back to their level; nothing where services have made tables of their own.

        Raises StepFailed('reset').
        """
        if not self._made:
            super().reset()

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

    def store(self) -> None:
        """Nothing: it has tables."""

    def _tables(self, step: str) -> frozenset[str]:
        try:
            return self.root.tables()
        except SqlFailed as error:
            raise StepFailed(step, f"{self.name} does not tell its tables: {error}") from error
