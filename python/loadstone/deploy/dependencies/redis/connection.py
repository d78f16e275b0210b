"""The lab's own connection to a Redis server. It is one for as long as the server runs, so that what it
sent itself can be taken off the server's counts.

The protocol is RESP 2: https://redis.io/docs/latest/develop/reference/protocol-spec/
"""

import socket
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from threading import RLock
from typing import BinaryIO

from loadstone.contract.stand import Session
from loadstone.deploy.dependencies.sql import ANSWER_SECONDS, Rows, SqlFailed
from loadstone.results.database_work import DatabaseWork
from loadstone.results.store_work import StoreReading

CONNECT_SECONDS = 5.0
PIPELINED = 1000
"""Commands of a file that are sent before their answers are read."""

Reply = str | int | list["Reply"] | None

_COUNTED = {
    "commands": "total_commands_processed",
    "hits": "keyspace_hits",
    "misses": "keyspace_misses",
    "connections": "total_connections_received",
    "expired_keys": "expired_keys",
    "evicted_keys": "evicted_keys",
    "memory_bytes": "used_memory",
}
"""Fields of `INFO`."""


class RedisConnection:
    """A session of the lab, from when the server accepts until it ends. Threads may share it."""

    def __init__(self, address: str, port: int) -> None:
        """Raise ConnectionError where nothing accepts, or what accepts is not ready."""
        try:
            self._socket = socket.create_connection((address, port), CONNECT_SECONDS)
        except OSError as error:
            raise ConnectionError(f"{address}:{port}: {error.strerror}") from error
        self._socket.settimeout(ANSWER_SECONDS)
        self._replies: BinaryIO = self._socket.makefile("rb")
        self._using, self._sent = RLock(), 0
        try:
            told = self._information()
            self.process_id = int(told["process_id"])
            self._connected_before = int(told["total_connections_received"])
        except SqlFailed as error:
            self.close()
            raise ConnectionError(error.message) from error

    def close(self) -> None:
        """End it; the server may have ended."""
        with self._using, suppress(OSError):
            self._replies.close()
            self._socket.close()

    def ask(self, *words: str) -> Reply:
        """Send one command and return its answer. Raises SqlFailed."""
        parts = [word.encode() for word in words]
        head = b"*%d\r\n" % len(parts)
        with self._using:
            self._send(head + b"".join(b"$%d\r\n%b\r\n" % (len(each), each) for each in parts), 1)
            return self._reply()

    def execute(self, sql: str, parameters: Sequence[object] = ()) -> Rows:
        """Run one command, in which `%s` stands for a parameter; return its answer as rows."""
        given = iter(parameters)
        words = [str(next(given)) if word == "%s" else word for word in sql.split()]
        reply = self.ask(*words)
        return [(each,) for each in reply] if isinstance(reply, list) else [(reply,)]

    def run_file(self, path: Path) -> None:
        """Run the commands of a file, one a line as in `redis-cli`. Raises SqlFailed: it says where."""
        try:
            content = path.read_bytes()
        except OSError as error:
            raise SqlFailed(f"{path} cannot be read: {error.strerror}") from error
        lines = [
            (number, line.strip())
            for number, line in enumerate(content.split(b"\n"), 1)
            if line.strip() and not line.lstrip().startswith(b"#")
        ]
        for number, line in lines:
            if line.startswith(b"*"):
                raise SqlFailed(f"{path}, line {number}: a command does not begin with *")
        for begin in range(0, len(lines), PIPELINED):
            self._run_lines(path, lines[begin : begin + PIPELINED])

    def counts(self) -> StoreReading:
        """Return what all others have done since the server's start, and what it holds."""
        with self._using:
            sent = self._sent  # `INFO` counts itself when it is done
            told = self._information()
        found = {name: int(told[field]) for name, field in _COUNTED.items()}
        found["commands"] -= sent
        found["connections"] -= self._connected_before
        return StoreReading(**found, keys=_keys_of(told))

    def work(self) -> DatabaseWork:
        """Raise SqlFailed: it has no statements."""
        raise SqlFailed("a Redis counts no statements; ask it for INFO")

    def sessions(self) -> tuple[Session, ...]:
        """Return the sessions of all others. Raises SqlFailed."""
        own = str(self.ask("CLIENT", "ID"))
        listed = str(self.ask("CLIENT", "LIST")).splitlines()
        told = [dict(field.partition("=")[::2] for field in line.split()) for line in listed]
        return tuple(_session(each) for each in told if each["id"] != own)

    def let_go(self) -> None:
        """See that it answers: no lock of a Redis outlives its transaction. Raises SqlFailed."""
        self.ask("PING")

    def _run_lines(self, path: Path, lines: Sequence[tuple[int, bytes]]) -> None:
        failed: SqlFailed | None = None
        with self._using:
            self._send(b"".join(line + b"\r\n" for _, line in lines), len(lines))
            for number, _ in lines:  # to the end, so that the next answer is the next command's
                try:
                    self._reply()
                except SqlFailed as error:
                    failed = failed or SqlFailed(f"{path}, line {number}: {error.message}")
        if failed is not None:
            raise failed

    def _information(self) -> dict[str, str]:
        lines = str(self.ask("INFO")).splitlines()
        return dict(line.partition(":")[::2] for line in lines if ":" in line)

    def _send(self, content: bytes, commands: int) -> None:
        try:
            self._socket.sendall(content)
        except (OSError, ValueError) as error:
            raise SqlFailed(f"it cannot be asked: {error}") from error
        self._sent += commands

    def _reply(self) -> Reply:
        line = self._line()
        kind, text = line[:1], line[1:]
        match kind:
            case b"+":
                return text.decode(errors="replace")
            case b"-":
                raise SqlFailed(text.decode(errors="replace"))
            case b":":
                return int(text)
            case b"$":
                return None if text == b"-1" else self._bytes(int(text)).decode(errors="replace")
            case b"*":
                return None if text == b"-1" else [self._reply() for _ in range(int(text))]
        raise SqlFailed(f"it answered {line[:40]!r}, which is not its protocol")

    def _line(self) -> bytes:
        try:
            line = self._replies.readline()
        except (OSError, ValueError) as error:
            raise SqlFailed(f"it did not answer: {error}") from error
        if not line.endswith(b"\r\n"):
            raise SqlFailed("it ended the connection")
        return line[:-2]

    def _bytes(self, length: int) -> bytes:
        try:
            content = self._replies.read(length + 2)
        except (OSError, ValueError) as error:
            raise SqlFailed(f"it did not answer: {error}") from error
        if len(content) < length + 2:
            raise SqlFailed("it ended the connection")
        return content[:-2]


def _keys_of(told: dict[str, str]) -> int:
    """Sum what lines such as `db0:keys=3,expires=0` tell."""
    databases = [text for name, text in told.items() if name[:2] == "db" and name[2:].isdigit()]
    return sum(int(text.partition("keys=")[2].partition(",")[0]) for text in databases)


def _session(told: dict[str, str]) -> Session:
    return Session(
        id=int(told["id"]),
        user=told.get("user", ""),
        host=told["addr"],
        command=told["cmd"],
        seconds=int(told["idle"]),
        in_transaction=int(told["multi"]) >= 0,
        statement=None,
    )
