"""A check's hand on a database server, which it may ask, stop, start, freeze, and bring to a level."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

from loadstone.contract.stand import HandFailed, Session
from loadstone.deploy.dependencies.private_server import PrivateServer
from loadstone.deploy.dependencies.sql import SqlFailed
from loadstone.errors import StepFailed
from loadstone.results.database_work import DatabaseWork


class LabSession(Protocol):
    """The lab's own connection to a server. Each method raises SqlFailed."""

    def execute(self, sql: str, parameters: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Run one statement and return its rows."""

    def work(self) -> DatabaseWork:
        """Return what all others have asked of the server since its start."""

    def sessions(self) -> tuple[Session, ...]:
        """Return the sessions of all others."""

    def let_go(self) -> None:
        """Give back every lock that this session holds."""


class HandledDatabase(Protocol):
    """A server that runs, or that a check has stopped for a while."""

    @property
    def process(self) -> PrivateServer:
        """Its process."""

    @property
    def root(self) -> LabSession:
        """The lab's own connection. Raises SqlFailed where the server has been stopped."""

    def to_level(self, level: str | None) -> None:
        """Bring the data to a level of the seed; none: to what its files left. Raises SqlFailed."""

    def disconnect(self) -> None:
        """End the lab's connection, as before the server is ended."""


class DatabaseHand:
    """See `contract/stand.py`."""

    def __init__(self, database: HandledDatabase) -> None:
        self._database = database
        self._is_frozen = False

    def execute(self, sql: str, parameters: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Run one statement over the lab's own connection; return the rows."""
        with _told():
            return self._database.root.execute(sql, parameters)

    def work(self) -> DatabaseWork:
        """Return what services have asked of it since its start."""
        with _told():
            return self._database.root.work()

    def to_level(self, level: str) -> None:
        """Bring its data to a level of the seed."""
        with _told():
            self._database.to_level(level)

    def sessions(self) -> tuple[Session, ...]:
        """Return the sessions of services."""
        with _told():
            return self._database.root.sessions()

    def stop(self) -> None:
        """End it in order; nothing where it does not run."""
        if self._database.process.is_ended:
            return
        self.thaw()
        self._database.disconnect()
        with _told():
            self._database.process.end()

    def start(self) -> None:
        """Start it again on the same port; nothing where it runs."""
        if self._database.process.is_ended:
            with _told():
                self._database.process.start()

    def freeze(self) -> None:
        """Stop all its threads by SIGSTOP."""
        self._is_frozen = True  # what is frozen in part is thawed, too
        with _told():
            self._database.process.freeze()

    def thaw(self) -> None:
        """Let them go on; nothing where it is not frozen."""
        if self._is_frozen:
            with _told():
                self._database.process.thaw()
        self._is_frozen = False

    def restore(self) -> None:
        """Let it run and accept, and hold no lock of it."""
        self.thaw()
        self.start()
        with _told():
            self._database.root.let_go()


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except (SqlFailed, StepFailed) as error:
        raise HandFailed(error.message) from error
    except (TimeoutError, RuntimeError, ProcessLookupError) as error:
        raise HandFailed(str(error)) from error
