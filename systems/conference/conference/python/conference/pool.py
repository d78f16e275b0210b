"""Connections to the database, always as many as were asked for.

asyncmy's own pool opens them on demand and waits for one without a limit.
"""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Generic, Protocol, TypeVar

from conference.problem import Kind, Problem

RETRY_SECONDS = 0.5
"""As SPEC.md has it: how often a connection is tried that is lost or cannot be opened."""


class Poolable(Protocol):
    """A connection, as the pool sees it."""

    lost: asyncio.Event

    @property
    def is_lost(self) -> bool:
        """Whether it has ended, also where nobody has noticed."""

    def close(self) -> None:
        """End it, and set `lost`."""


C = TypeVar("C", bound=Poolable)


class Pool(Generic[C]):
    """A fixed number of connections, opened and kept up in the background."""

    def __init__(
        self,
        open_one: Callable[[], Awaitable[C]],
        size: int,
        timeout_seconds: float,
        retry_seconds: float = RETRY_SECONDS,
    ) -> None:
        self._open_one = open_one
        self._timeout_seconds = timeout_seconds
        self._retry_seconds = retry_seconds
        self._idle: list[C] = []
        self._waiting: deque[asyncio.Future[C]] = deque()
        self._all: set[C] = set()
        keepers = [self._keep() for _ in range(size)]
        self._tasks = [asyncio.ensure_future(task) for task in (*keepers, self._notice_lost())]

    @asynccontextmanager
    async def connection(self) -> AsyncGenerator[C]:
        """Lend a connection. Raises Problem where none is free in time."""
        connection = self._take_idle() or await self._wait()
        try:
            yield connection
        finally:
            self._give(connection)

    async def close(self) -> None:
        """Close every connection. What waits for one goes on waiting, up to its limit."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
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
                self._give(connection)
                await connection.lost.wait()
                self._all.discard(connection)
            await asyncio.sleep(again - clock())

    async def _notice_lost(self) -> None:
        """Look for connections that ended at rest: asyncmy does not tell of it."""
        while True:
            await asyncio.sleep(self._retry_seconds)
            self._idle = [connection for connection in self._idle if not _is_over(connection)]

    def _take_idle(self) -> C | None:
        while self._idle:
            connection = self._idle.pop()
            if not _is_over(connection):
                return connection
        return None

    def _give(self, connection: C) -> None:
        if _is_over(connection):
            return
        while self._waiting:
            first = self._waiting.popleft()
            if not first.done():
                first.set_result(connection)
                return
        self._idle.append(connection)

    async def _wait(self) -> C:
        waiting: asyncio.Future[C] = asyncio.get_running_loop().create_future()
        self._waiting.append(waiting)
        try:
            async with asyncio.timeout(self._timeout_seconds):
                return await waiting
        except BaseException as error:
            if waiting.done() and not waiting.cancelled():
                self._give(waiting.result())  # it came at the same moment
            if isinstance(error, TimeoutError):
                raise Problem(Kind.UNAVAILABLE, "no connection was free in time") from None
            raise


def _is_over(connection: Poolable) -> bool:
    """Whether a connection has ended. Then its keeper opens another one."""
    if connection.is_lost:
        connection.close()
        return True
    return False
