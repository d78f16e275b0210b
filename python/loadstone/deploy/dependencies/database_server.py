"""What the lab's database servers have in common: what they count."""

from typing import Protocol, TypeVar

from loadstone.deploy.dependencies.seeded_server import LabConnection, SeededServer
from loadstone.deploy.dependencies.sql import SqlFailed
from loadstone.errors import StepFailed
from loadstone.results.database_work import DatabaseWork


class CountingConnection(LabConnection, Protocol):
    """The lab's own connection to a database."""

    def rows(self) -> dict[str, int]:
        """Return how many rows each table has that an application may use. Raises SqlFailed."""


Connection = TypeVar("Connection", bound=CountingConnection)


class DatabaseServer(SeededServer[Connection]):
    """A server of tables, which counts the statements of its clients."""

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
