"""A Redis server as a dependency: empty at its start, filled by commands, on a port of its own."""

from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path

from loadstone.deploy.dependencies.data import DataDirectory, give_to
from loadstone.deploy.dependencies.interface import Place
from loadstone.deploy.dependencies.private_server import PrivateServer, as_user, server_user
from loadstone.deploy.dependencies.redis.connection import RedisConnection
from loadstone.deploy.dependencies.redis.program import find_program
from loadstone.deploy.dependencies.redis.settings import (
    CONFIGURATION,
    configuration,
    is_persistent,
    room_bytes,
    with_own,
)
from loadstone.deploy.dependencies.seeded_server import SeededServer
from loadstone.deploy.dependencies.sql import SqlFailed
from loadstone.errors import StepFailed
from loadstone.machine import ownership
from loadstone.results.store_work import StoreReading


class Redis(SeededServer[RedisConnection]):
    """A Redis server. A reset keeps connections."""

    def __init__(self, place: Place) -> None:
        """Start it and wait until it accepts. Raises StepFailed('deploy')."""
        super().__init__(place)
        self._own = with_own(place.options.settings)
        with ExitStack() as parts:
            program, user = find_program(), server_user()
            home = DataDirectory(user, memory_bytes=room_bytes(self._own))
            parts.callback(home.remove)
            path = home.path / CONFIGURATION
            path.write_text(configuration(home.path, self._address, self._port, self._own))
            if user is not None:
                give_to(user, path)
            self._server = PrivateServer(
                place.name,
                as_user(user, [program.server, str(path)]),
                directory=home.path,
                log_path=place.logs / f"{place.name}.log",
                cpus=place.cpus,
                connect=self._connect,
            )
            self._server.start()
            parts.callback(self._server.kill)
            self._version = program.version
            self._parts = parts.pop_all()

    def _connect(self) -> None:
        lab = RedisConnection(self._address, self._port)
        if lab.process_id != self._server.leader.pid:
            lab.close()
            raise ConnectionError(f"another server answers at {self.url}")
        self._lab = lab

    @property
    def settings(self) -> Mapping[str, str]:
        """Version, where its files are if it writes some, the level of its seed, and its settings."""
        files = f"in memory ({ownership.MEMORY})" if is_persistent(self._own) else "none"
        level = {} if self._seed.level is None else {"level": self._seed.level}
        return {"version": self._version, "files": files, **level, **self._own}

    def to_level(self, level: str | None) -> None:
        """Empty it, and fill it with its files and those of a level. Raises SqlFailed."""
        self.refuse_unknown(level)
        of_level: tuple[Path, ...] = () if level is None else (self._seed.levels[level],)
        self.root.ask("FLUSHALL", "SYNC")
        for path in (*self._seed.files, *of_level):
            self.root.run_file(path)

    def disconnect(self) -> None:
        """End the lab's connection, and have the keys written down: a server that ends forgets them."""
        if self._lab is not None and not self.process.is_ended:
            self._lab.ask("SAVE")
        super().disconnect()

    def work(self) -> None:
        """Nothing: it has no statements."""

    def rows(self) -> None:
        """Nothing: it has no tables."""

    def store(self) -> StoreReading:
        """Return what services have asked of it, and what it holds. Raises StepFailed('load')."""
        try:
            return self.root.counts()
        except SqlFailed as error:
            raise StepFailed("load", f"{self.name} does not tell its work: {error}") from error


def start_redis(place: Place) -> Redis:
    """Start a Redis server. Raises StepFailed('deploy')."""
    return Redis(place)
