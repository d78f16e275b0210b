"""The database: sessions in autocommit, and in transactions, on connections of the pool."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

from asyncpg import InternalClientError
from sqlalchemy import URL, event, select
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker, create_async_engine

from booking.config import DatabaseConfig
from booking.failure import Again, failure, unavailable
from booking.kept_pool import CONNECT_SECONDS, KeptPool, give_up

# As SPEC.md has it: for the answer to a statement.
_STATEMENT_SECONDS = 2.0

_RIVAL = (
    "23505",  # a value is there that may be there once
    "23P01",  # a time is there that overlaps
)

_NO_ANSWER = (
    InternalClientError,  # the server's last words are there, and not yet its end
    OSError,  # TimeoutError is one
)

Sessions = async_sessionmaker[AsyncSession]
T = TypeVar("T")


class RivalError(Exception):
    """Another row is in the way of a new one."""


class Database:
    """Opens its connections in the background. Needs a running loop. Each method raises Problem."""

    def __init__(self, config: DatabaseConfig) -> None:
        engine = create_async_engine(
            URL.create(
                "postgresql+asyncpg",
                username=config.user,
                password=config.password,
                host=config.host,
                port=config.port,
                database=config.database,
            ),
            connect_args={
                "ssl": "disable",
                "timeout": CONNECT_SECONDS,
                "command_timeout": _STATEMENT_SECONDS,
            },
            poolclass=KeptPool,
            pool_size=config.pool_size,
            pool_wait_seconds=config.pool_wait_seconds,
        )
        event.listen(engine.sync_engine, "handle_error", give_up)
        self._pool = engine.pool
        # What was read is still looked at when the session is over.
        self._transactions = async_sessionmaker(engine, expire_on_commit=False)
        self._autocommits = async_sessionmaker(
            engine.execution_options(isolation_level="AUTOCOMMIT"), expire_on_commit=False
        )

    async def autocommit(self, work: Callable[[AsyncSession], Awaitable[T]]) -> T:
        """Return the result of work whose statements are each committed by themselves."""
        return await run(self._autocommits, work)

    async def transaction(self, work: Callable[[AsyncSession], Awaitable[T]]) -> T:
        """Return the result of work that is one transaction."""
        return await run(self._transactions, work)

    async def ask(self) -> None:
        """Make sure that the database answers."""
        await self.autocommit(lambda session: session.scalar(select(1)))

    async def close(self) -> None:
        """Close the connections."""
        assert isinstance(self._pool, KeptPool)
        await self._pool.close()


async def run(sessions: Sessions, work: Callable[[AsyncSession], Awaitable[T]]) -> T:
    """Return the result of work in a session, which is done once more if the server asks.

    Raises Problem, or RivalError.
    """
    try:
        return await _run_once(sessions, work)
    except Again:
        return await _run_once(sessions, work)


async def _run_once(sessions: Sessions, work: Callable[[AsyncSession], Awaitable[T]]) -> T:
    try:
        async with sessions.begin() as session:
            return await work(session)
    except DBAPIError as error:
        cause = error.orig or error
        sqlstate = getattr(cause, "sqlstate", None)
        if sqlstate is None:
            raise unavailable(cause) from error
        if sqlstate in _RIVAL:
            raise RivalError from error
        raise failure(sqlstate, cause) from error
    except _NO_ANSWER as error:
        raise unavailable(error) from error
