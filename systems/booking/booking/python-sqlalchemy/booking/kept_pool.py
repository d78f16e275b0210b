"""SQLAlchemy's connections in the pool of this service, which keeps them up in the background."""

import asyncio
from typing import Any

import asyncpg
from sqlalchemy.engine import ExceptionContext
from sqlalchemy.pool import ConnectionPoolEntry
from sqlalchemy.pool import Pool as SqlAlchemyPool
from sqlalchemy.util import await_only, greenlet_spawn

from booking.failure import ends_connection, unavailable
from booking.pool import Pool

CONNECT_SECONDS = 1.0
"""As SPEC.md has it: the limit for a connection to be made."""

_ENTRY = "entry"


class Entry:
    """An entry of SQLAlchemy's, as the pool sees it."""

    def __init__(self, record: ConnectionPoolEntry) -> None:
        self.record = record
        raw: asyncpg.Connection[Any] | None = record.driver_connection
        assert raw is not None
        self._raw = raw
        self.lost = asyncio.Event()
        self._raw.add_termination_listener(lambda _: self.lost.set())

    @property
    def is_lost(self) -> bool:
        """Whether it has ended; asyncpg sees at once when the server ends it."""
        return self._raw.is_closed()

    def close(self) -> None:
        """End it at once. What runs on it fails."""
        self._raw.terminate()
        self.lost.set()


class KeptPool(SqlAlchemyPool):
    """What an engine takes for its pool. Needs a running loop."""

    def __init__(
        self, creator: Any, pool_size: int, pool_wait_seconds: float, **options: Any
    ) -> None:
        super().__init__(creator, **options)
        self._entries: Pool[Entry] = Pool(self._open, pool_size, pool_wait_seconds)

    async def close(self) -> None:
        """Close the connections."""
        await self._entries.close()

    def status(self) -> str:
        """Return nothing of interest; the class that it is from has to have it."""
        return type(self).__name__

    def _do_get(self) -> ConnectionPoolEntry:
        return await_only(self._entries.take()).record

    def _do_return_conn(self, record: ConnectionPoolEntry) -> None:
        assert record.record_info is not None
        self._entries.give(record.record_info[_ENTRY])

    async def _open(self) -> Entry:
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                record = await greenlet_spawn(self._create_connection)
        except Exception as error:  # whatever it is, it is tried again
            raise unavailable(error) from error
        entry = Entry(record)
        assert record.record_info is not None
        record.record_info[_ENTRY] = entry
        return entry


def give_up(context: ExceptionContext) -> None:
    """Close a connection at once, unless it was the server that told of the error.

    SQLAlchemy would ask for its end and wait for that, and take all others for lost, too.
    """
    context.invalidate_pool_on_disconnect = False
    sqlstate = getattr(context.original_exception, "sqlstate", None)
    if sqlstate is not None and not ends_connection(sqlstate):
        return
    context.is_disconnect = True
    connection = context.connection
    if connection is not None and not connection.invalidated:
        raw: asyncpg.Connection[Any] | None = connection.connection.driver_connection
        if raw is not None:
            raw.terminate()
