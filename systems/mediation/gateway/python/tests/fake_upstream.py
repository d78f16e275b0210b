"""An upstream without a network, and one request to the gateway before it."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from starlette.types import ASGIApp, Message

from gateway.headers import Headers
from gateway.upstream import Answer, Body, UpstreamFailed

Behaviour = Callable[[], Awaitable[Answer]]


class FakeAnswer:
    """Gives its parts one by one; an exception among them is raised."""

    def __init__(self, headers: Headers, parts: list[bytes | Exception]) -> None:
        self.status = 200
        self.headers = headers
        self._parts = parts

    def read_now(self) -> bytes:
        return b""

    async def read(self) -> bytes:
        part = self._parts.pop(0) if self._parts else b""
        if isinstance(part, Exception):
            raise part
        return part

    @property
    def at_end(self) -> bool:
        return not self._parts


class FakeUpstream:
    """Keeps what it was asked, and behaves as it is told."""

    def __init__(self, behaviour: Behaviour) -> None:
        self.requests: list[tuple[bytes, Headers, bytes]] = []
        self.given_up = False
        self._behaviour = behaviour

    @asynccontextmanager
    async def exchange(self, query: bytes, headers: Headers, body: Body) -> AsyncGenerator[Answer]:
        whole = body if isinstance(body, bytes) else b"".join([part async for part in body])
        self.requests.append((query, headers, whole))
        try:
            yield await self._behaviour()
        except asyncio.CancelledError:
            self.given_up = True
            raise

    async def close(self) -> None:
        return


def answering(*parts: bytes | Exception, headers: Headers | None = None) -> FakeUpstream:
    async def behaviour() -> Answer:
        return FakeAnswer(headers or [], list(parts))

    return FakeUpstream(behaviour)


def failing(message: str) -> FakeUpstream:
    async def behaviour() -> Answer:
        raise UpstreamFailed(message)

    return FakeUpstream(behaviour)


def silent() -> FakeUpstream:
    async def behaviour() -> Answer:
        await asyncio.Event().wait()
        raise AssertionError

    return FakeUpstream(behaviour)


def ask(
    app: ASGIApp,
    path: str,
    parts: list[bytes],
    *,
    method: str = "POST",
    query: bytes = b"",
    headers: Headers | None = None,
    leaves: bool = False,
) -> list[Message]:
    """Send one request, and return what the application sent until it returned."""
    scope: dict[str, Any] = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "method": method,
        "path": path,
        "query_string": query,
        "headers": headers or [],
    }
    messages = [{"type": "http.request", "body": part, "more_body": True} for part in parts]
    messages.append({"type": "http.request", "body": b"", "more_body": False})
    if leaves:
        messages.append({"type": "http.disconnect"})
    sent: list[Message] = []

    async def receive() -> Message:
        await asyncio.sleep(0)
        if not messages:
            await asyncio.Event().wait()
        return messages.pop(0)

    async def send(message: Message) -> None:
        sent.append(message)

    async def run() -> None:
        async with asyncio.timeout(10) as deadline:
            await app(scope, receive, send)
        assert not deadline.expired()

    asyncio.run(run())
    return sent
