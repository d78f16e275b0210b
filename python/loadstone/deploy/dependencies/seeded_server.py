"""What the lab's private servers of data have in common: levels of a seed, a hand, and how they end."""

from abc import ABC, abstractmethod
from contextlib import ExitStack
from typing import Generic, Protocol, TypeVar

from loadstone.deploy.dependencies.database_hand import DatabaseHand, LabSession
from loadstone.deploy.dependencies.interface import Leader, Place
from loadstone.deploy.dependencies.private_server import PrivateServer
from loadstone.deploy.dependencies.sql import SqlFailed
from loadstone.deploy.ports import free_port
from loadstone.errors import StepFailed


class LabConnection(LabSession, Protocol):
    """The lab's own connection, as the server's owner uses it."""

    def close(self) -> None:
        """End it; the server may have ended."""


Connection = TypeVar("Connection", bound=LabConnection)


class SeededServer(ABC, Generic[Connection]):
    """A running server, or one that a check has stopped for a while."""

    _server: PrivateServer
    _parts: ExitStack
    """What ends the server and removes its data. A kind sets both when it starts."""

    killed_after_ns: int | None = None
    """Always none: it is given no time to end."""

    def __init__(self, place: Place) -> None:
        self.name, self._seed = place.name, place.seed
        self._address, self._port = place.address, free_port(place.address)
        self._lab: Connection | None = None
        self._hand = DatabaseHand(self)

    @abstractmethod
    def to_level(self, level: str | None) -> None:
        """Bring the data to a level of the seed; none: to what its files left. Raises SqlFailed."""

    @property
    def url(self) -> str:
        """Host and port: the system's file names scheme, user and database itself."""
        return f"{self._address}:{self._port}"

    @property
    def process(self) -> PrivateServer:
        """Its process."""
        return self._server

    @property
    def leaders(self) -> tuple[Leader, ...]:
        """Its one process, and what that has started."""
        return (self.process.leader,)

    @property
    def root(self) -> Connection:
        """The lab's own connection. Raises SqlFailed where the server has been stopped."""
        if self._lab is None or self.process.is_ended:
            raise SqlFailed(f"{self.name} does not run")
        return self._lab

    @property
    def hand(self) -> DatabaseHand:
        """What a check may do to it."""
        return self._hand

    def seed(self) -> None:
        """Bring the data to their level. Raises StepFailed('seed')."""
        self._bring("seed")

    def services_stand(self) -> None:
        """Nothing, unless a kind knows what services make."""

    def reset(self) -> None:
        """Bring the data back to their level. Raises StepFailed('reset')."""
        self._bring("reset")

    def open_connections(self) -> int:
        """Return how many connections services have to it. Raises StepFailed('reset')."""
        try:
            return len(self.root.sessions())
        except SqlFailed as error:
            said = f"{self.name} does not tell its connections: {error.message}"
            raise StepFailed("reset", said, self.log_tail()) from error

    def ending(self) -> str | None:
        """Return in words how it ended of itself; none while it runs, or where a check stopped it."""
        return self.process.ending()

    def log_tail(self) -> str:
        """Return the last lines of its log."""
        return self.process.log_tail()

    def disconnect(self) -> None:
        """End the lab's connection, as before the server is ended."""
        if self._lab is not None:
            self._lab.close()
            self._lab = None

    def stop(self) -> None:
        """End it at once, and remove its data."""
        self._parts.close()
        self.disconnect()

    def level(self) -> str | None:
        """Return the level that its data are to have; none where its seed has no levels.

        Raises SqlFailed where there are several and none is chosen.
        """
        if self._seed.level is not None:
            return self._seed.level
        if len(self._seed.levels) > 1:
            raise SqlFailed(
                f"no setting chooses a level of its seed, and there are {len(self._seed.levels)}: "
                "seed/<dependency>/levels needs one file, or none"
            )
        return next(iter(self._seed.levels), None)

    def refuse_unknown(self, level: str | None) -> None:
        """Raise SqlFailed for a level that its seed does not have."""
        if level is not None and level not in self._seed.levels:
            known = ", ".join(self._seed.levels) or "none"
            raise SqlFailed(f"its seed has no level {level}: there is {known}")

    def _bring(self, step: str) -> None:
        try:
            self.to_level(self.level())
        except SqlFailed as error:
            said = f"{self.name} cannot be brought to its seed: {error.message}"
            raise StepFailed(step, said, self.log_tail()) from error
