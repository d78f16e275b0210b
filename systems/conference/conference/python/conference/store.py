"""The conferences in the database: one statement an operation, on a connection of the pool."""

from collections.abc import Sequence
from typing import Protocol

from asyncmy.connection import MySQLResult

from conference.conference import Conference
from conference.config import DatabaseConfig
from conference.connection import Connection, open_connection
from conference.pool import Pool

Rows = Sequence[tuple[str, str]]
"""Conferences as `(id, name)`, in the order of the ids."""

_LIST = "SELECT id, name FROM conferences ORDER BY id"
_PAGE = "SELECT id, name FROM conferences WHERE id > ? ORDER BY id LIMIT ?"
_INSERT = "INSERT INTO conferences (id, name) VALUES (?, ?)"
_GET = "SELECT id, name FROM conferences WHERE id = ?"
_REPLACE = "UPDATE conferences SET name = ? WHERE id = ?"
_REMOVE = "DELETE FROM conferences WHERE id = ?"
_ASK = "SELECT 1"


class Store(Protocol):
    """Each operation raises Problem."""

    async def list_all(self) -> Rows:
        """Return all conferences."""

    async def list_after(self, after: str, most: int) -> Rows:
        """Return at most so many conferences behind an id."""

    async def insert(self, conference: Conference) -> None:
        """Make a row."""

    async def get(self, id_: str) -> Conference | None:
        """Return the conference, if there is one."""

    async def replace(self, conference: Conference) -> bool:
        """Return whether there was one."""

    async def remove(self, id_: str) -> bool:
        """Return whether there was one."""

    async def ask(self) -> None:
        """Make sure that the database answers."""


class DatabaseStore:
    """A store that opens its connections in the background. Needs a running loop."""

    def __init__(self, config: DatabaseConfig) -> None:
        self._pool: Pool[Connection] = Pool(
            lambda: open_connection(config), config.pool_size, config.timeout_seconds
        )

    async def list_all(self) -> Rows:
        return await self._rows(_LIST)

    async def list_after(self, after: str, most: int) -> Rows:
        return await self._rows(_PAGE, after, most)

    async def insert(self, conference: Conference) -> None:
        await self._execute(_INSERT, conference.id, conference.name)

    async def get(self, id_: str) -> Conference | None:
        rows = await self._rows(_GET, id_)
        return Conference(*rows[0]) if rows else None

    async def replace(self, conference: Conference) -> bool:
        result = await self._execute(_REPLACE, conference.name, conference.id)
        return bool(result.affected_rows)

    async def remove(self, id_: str) -> bool:
        return bool((await self._execute(_REMOVE, id_)).affected_rows)

    async def ask(self) -> None:
        await self._execute(_ASK)

    async def close(self) -> None:
        await self._pool.close()

    async def _rows(self, sql: str, *values: object) -> Rows:
        return (await self._execute(sql, *values)).rows

    async def _execute(self, sql: str, *values: object) -> MySQLResult:
        async with self._pool.connection() as connection:
            return await connection.execute(sql, values)
