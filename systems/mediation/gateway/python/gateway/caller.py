"""The caller of one request: its body, and its end, which come by the same ASGI channel."""

import asyncio
from collections.abc import AsyncGenerator
from typing import Self

from starlette.types import Receive, Scope

from gateway.headers import Headers, content_length
from gateway.upstream import Body

_LARGEST_READ_BYTES = 16 << 20


class BodyTooLarge(Exception):
    """The body is longer than what was asked for."""


class Caller:
    """A context in which the current task is cancelled as soon as the caller is gone.

    Whatever is raised after that ends here: there is nobody left to be told.
    """

    def __init__(self, scope: Scope, receive: Receive) -> None:
        self.headers: Headers = scope["headers"]
        self._receive = receive
        self._gone = False
        self._cancelled = False
        self._watch: asyncio.Task[None] | None = None
        self._task: asyncio.Task[object]

    async def __aenter__(self) -> Self:
        task = asyncio.current_task()
        assert task is not None
        self._task = task
        return self

    async def __aexit__(self, *error: object) -> bool:
        if self._watch is not None:
            self._watch.cancel()
        if self._cancelled:
            self._task.uncancel()
        return self._gone

    async def body(self) -> Body:
        """Return the body: at once where it has come wholly, else as it comes."""
        part, more = await self._next()
        if more and len(part) != content_length(self.headers):
            return self._parts(part)
        self._watch = asyncio.ensure_future(self._until_gone())
        return part

    async def whole_body(self, limit: int) -> bytes:
        """Return the body when it has come. Raises BodyTooLarge.

        One that is somewhat larger is read to its end all the same: many callers look for an answer
        only then, and would find a broken connection.
        """
        body = await self.body()
        if isinstance(body, bytes):
            whole, size = body, len(body)
        else:
            parts, size = [], 0
            async for part in body:
                size += len(part)
                if size > _LARGEST_READ_BYTES:
                    raise BodyTooLarge
                if size <= limit:
                    parts.append(part)
            whole = b"".join(parts)
        if size > limit:
            raise BodyTooLarge
        return whole

    async def _parts(self, first: bytes) -> AsyncGenerator[bytes]:
        part, more = first, True
        while more:
            if part:
                yield part
            part, more = await self._next()
        if part:
            yield part
        self._watch = asyncio.ensure_future(self._until_gone())

    async def _next(self) -> tuple[bytes, bool]:
        message = await self._receive()
        if message["type"] == "http.disconnect":
            self._leave()
            # Also in a task of a client's, which so learns that the body is not whole.
            raise asyncio.CancelledError
        return message.get("body", b""), message.get("more_body", False)

    async def _until_gone(self) -> None:
        while (await self._receive())["type"] != "http.disconnect":
            pass
        self._leave()

    def _leave(self) -> None:
        self._gone = True
        if asyncio.current_task() is not self._task:
            self._cancelled = True
            self._task.cancel()
