"""Connections to the database, always as many as were asked for.

The driver's own pool, and the ORM's, open one that is lost when somebody asks for it, who then waits.
"""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Generic, Protocol, TypeVar

from users.problem import Kind, Problem

RETRY_SECONDS = 0.5
"""As SPEC.md has it: how often a connection is tried that is lost or cannot be opened."""


class Poolable(Protocol):
    """A connection, as the pool sees it."""

    lost: asyncio.Event
    """Set as soon as it has ended, also while nobody uses it."""

    @property
    def is_lost(self) -> bool:
        """Whether it has ended."""

    def close(self) -> None:
        """End it, and set `lost`."""


C = TypeVar("C", bound=Poolable)


class Pool(Generic[C]):
    """A fixed number of connections, opened and kept up in the background. Needs a running loop."""

    def __init__(
        self,
        open_one: Callable[[], Awaitable[C]],
        size: int,
        wait_seconds: float,
        retry_seconds: float = RETRY_SECONDS,
    ) -> None:
        self._open_one = open_one
        self._wait_seconds = wait_seconds
        self._retry_seconds = retry_seconds
        self._idle: list[C] = []
        self._waiting: deque[asyncio.Future[C]] = deque()
        self._all: set[C] = set()
        self._keepers = [asyncio.ensure_future(self._keep()) for _ in range(size)]

    @asynccontextmanager
    async def connection(self) -> AsyncGenerator[C]:
        """Lend a connection. Raises Problem where none is free in time."""
        connection = await self.take()
        try:
            yield connection
        finally:
            self.give(connection)

    async def take(self) -> C:
        """Return a connection, which has to be given back. Raises Problem."""
        while self._idle:
            connection = self._idle.pop()
            if not connection.is_lost:
                return connection
        return await self._wait()

    def give(self, connection: C) -> None:
        """Take a connection back. One that is lost is not lent again."""
        if connection.is_lost:
            return
        while self._waiting:
            first = self._waiting.popleft()
            if not first.done():
                first.set_result(connection)
                return
        self._idle.append(connection)

    async def close(self) -> None:
        """Close every connection. What waits for one goes on waiting, up to its limit."""
        for keeper in self._keepers:
            keeper.cancel()
        await asyncio.gather(*self._keepers, return_exceptions=True)
        for connection in self._all:
            connection.close()

    async def _keep(self) -> None:
        """Open one connection, and after it is lost another one."""
        clock = asyncio.get_running_loop().time
        while True:
            again = clock() + self._retry_seconds
            try:
                connection = await self._open_one()
            except Problem:
                pass  # who waits for a connection is told
            else:
                self._all.add(connection)
                self.give(connection)
                await connection.lost.wait()
                self._all.discard(connection)
                if connection in self._idle:
                    self._idle.remove(connection)
            await asyncio.sleep(again - clock())

    async def _wait(self) -> C:
        waiting: asyncio.Future[C] = asyncio.get_running_loop().create_future()
        self._waiting.append(waiting)
        try:
            async with asyncio.timeout(self._wait_seconds):
                return await waiting
        except BaseException as error:
            if waiting.done() and not waiting.cancelled():
                self.give(waiting.result())  # it came at the same moment
            if isinstance(error, TimeoutError):
                raise Problem(Kind.UNAVAILABLE, "no connection was free in time") from None
            raise
