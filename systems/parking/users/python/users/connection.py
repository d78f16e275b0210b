"""One connection to the database by asyncpg, with a limit on each wait for it."""

import asyncio
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from typing import Any, TypeVar

import asyncpg

from users.config import DatabaseConfig
from users.failure import ends_connection, failure, unavailable
from users.problem import Kind, Problem

# As SPEC.md has them: for a connection to be made, and for the answer to a statement.
_CONNECT_SECONDS = 1.0
_STATEMENT_SECONDS = 2.0

_NO_ANSWER = (
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # the server's last words are there, and not yet its end
    OSError,  # TimeoutError is one
)

Record = asyncpg.Record

T = TypeVar("T")


class Connection:
    """A connection that is logged in. asyncpg prepares each statement once, and keeps it."""

    def __init__(self, raw: "asyncpg.Connection[Record]") -> None:
        self._raw = raw
        self.lost = asyncio.Event()
        raw.add_termination_listener(lambda _: self.lost.set())

    @property
    def is_lost(self) -> bool:
        """Whether it has ended; asyncpg sees at once when the server ends it."""
        return self._raw.is_closed()

    async def one(self, sql: str, *values: object) -> Any | None:
        """Return the first row of a statement, if there is one. Raises Problem."""
        with self._failures():
            return await self._raw.fetchrow(sql, *values)

    async def all(self, sql: str, *values: object) -> list[Any]:
        """Return the rows of a statement. Raises Problem."""
        with self._failures():
            return await self._raw.fetch(sql, *values)

    async def run(self, sql: str, *values: object) -> str:
        """Return what a statement without rows did, such as `INSERT 0 1`. Raises Problem."""
        with self._failures():
            return await self._raw.execute(sql, *values)

    async def changed(self, sql: str, *values: object) -> int:
        """Return how many rows a statement changed that gives none. Raises Problem."""
        return int((await self.run(sql, *values)).rpartition(" ")[2])

    async def change(self, sql: str, *values: object) -> None:
        """Change one row at least. Raises Problem: else what it is for is not there."""
        if await self.changed(sql, *values) == 0:
            raise Problem(Kind.NOT_FOUND)

    async def in_transaction(self, work: Callable[["Connection"], Awaitable[T]]) -> T:
        """Return the result of work that is committed, or that is rolled back where it raises.

        asyncpg's own transactions roll back on a connection that was closed, too: what is raised
        of that would hide why it was.
        """
        await self.run("BEGIN")
        try:
            result = await work(self)
        except BaseException:
            if not self.is_lost:
                await self.run("ROLLBACK")
            raise
        await self.run("COMMIT")
        return result

    def close(self) -> None:
        """End it at once. What runs on it fails."""
        self._raw.terminate()
        self.lost.set()

    @contextmanager
    def _failures(self) -> Generator[None]:
        """Keep the connection where the server has told of an error, and close it after others."""
        try:
            yield
        except asyncpg.PostgresError as error:
            sqlstate = error.sqlstate or ""
            if ends_connection(sqlstate):
                self.close()
            raise failure(sqlstate, getattr(error, "constraint_name", None)) from error
        except _NO_ANSWER as error:
            self.close()
            raise unavailable(error) from error
        except BaseException:
            self.close()  # cut off in between, so that what comes next is not known
            raise


async def open_connection(config: DatabaseConfig) -> Connection:
    """Return a connection within the limit. Raises Problem."""
    try:
        raw = await asyncpg.connect(
            host=config.host,
            port=config.port,
            user=config.user,
            password=config.password,
            database=config.database,
            ssl="disable",
            timeout=_CONNECT_SECONDS,
            command_timeout=_STATEMENT_SECONDS,
            max_cached_statement_lifetime=0,  # without end
        )
    except Exception as error:  # whatever it is, it is tried again
        raise unavailable(error) from error
    return Connection(raw)
