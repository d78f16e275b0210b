"""The database: statements in autocommit, and transactions, on connections of the pool."""

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from users.config import DatabaseConfig
from users.connection import Connection, open_connection
from users.failure import Again
from users.pool import Pool

POOL_WAIT_SECONDS = 1.0
"""For a connection of the pool."""

_ASK = "SELECT 1"

T = TypeVar("T")


class Database:
    """Opens its connections in the background. Needs a running loop. Each method raises Problem."""

    def __init__(self, config: DatabaseConfig) -> None:
        self._pool: Pool[Connection] = Pool(
            lambda: open_connection(config), config.pool_size, POOL_WAIT_SECONDS
        )

    async def one(self, sql: str, *values: object) -> Any | None:
        """Return the first row of a statement, if there is one."""
        return await self.lend(lambda connection: connection.one(sql, *values))

    async def all(self, sql: str, *values: object) -> list[Any]:
        """Return the rows of a statement."""
        return await self.lend(lambda connection: connection.all(sql, *values))

    async def transaction(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        """Return the result of work that is one transaction."""
        return await self.lend(lambda connection: connection.in_transaction(work))

    async def lend(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        """Return the result of work on a connection, which is done once more if the server asks."""
        async with self._pool.connection() as connection:
            try:
                return await work(connection)
            except Again:
                return await work(connection)

    async def ask(self) -> None:
        """Make sure that the database answers."""
        await self.one(_ASK)

    async def close(self) -> None:
        """Close the connections."""
        await self._pool.close()
