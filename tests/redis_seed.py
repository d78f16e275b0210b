"""A small seed for a Redis, and how tests reach one as an application does."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from loadstone.deploy.dependencies.interface import Dependency, Place, Seed
from loadstone.deploy.dependencies.redis.server import Redis, start_redis

KEYS = """\
# what every level has
SET greeting "Grüße, \\"you\\""
HSET user:1 name Ann city 'New York'

RPUSH queue a b c
"""
LEVELS = {
    "few": "SET level few\n",
    "many": "".join(f"SET key:{number} value-{number}\n" for number in range(2500)),
}


def write_seed(folder: Path) -> Seed:
    """Write the files of a seed, as a system has them."""
    (folder / "levels").mkdir(parents=True)
    keys = folder / "1-keys.redis"
    keys.write_text(KEYS)
    levels = {}
    for level, text in LEVELS.items():
        levels[level] = folder / "levels" / f"{level}.redis"
        levels[level].write_text(text)
    return Seed((keys,), levels, "few")


@contextmanager
def started(place: Place) -> Iterator[Redis]:
    """A server, seeded, for the length of the block."""
    store = start_redis(place)
    try:
        store.seed()
        yield store
    finally:
        store.stop()


class Application:
    """A client of one's own, which sends commands as `redis-cli` does and reads lines."""

    def __init__(self, store: Dependency) -> None:
        host, _, port = store.url.partition(":")
        self._socket = socket.create_connection((host, int(port)), 10)
        self._lines = self._socket.makefile("rb")

    def ask(self, command: str) -> str | None:
        """Send a command whose answer is one value. Raises ConnectionError where it has ended."""
        self._socket.sendall(command.encode() + b"\r\n")
        line = self._lines.readline()
        if not line:
            raise ConnectionError("the server ended the connection")
        if not line.startswith(b"$"):
            return line.decode().strip()[1:]
        length = int(line[1:])
        return None if length < 0 else self._lines.read(length + 2)[:-2].decode()

    def close(self) -> None:
        """End it."""
        self._lines.close()
        self._socket.close()


@contextmanager
def application(store: Dependency) -> Iterator[Application]:
    """A session of the application."""
    client = Application(store)
    try:
        yield client
    finally:
        client.close()
