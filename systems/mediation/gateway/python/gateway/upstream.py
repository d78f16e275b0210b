"""The client of the upstream leg, as the scenarios see it: one exchange after the other.

Two libraries stand behind it, since none speaks both versions as SPEC.md asks: aiohttp knows
HTTP/1.1 alone, and the clients with HTTP/2 do not reset the stream of a request that is given up.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Protocol

from gateway.headers import Headers

UPSTREAM_PATH = b"/service/EchoService"

CONNECT_TIMEOUT_SECONDS = 10.0
# The wait for the head of an answer, as long as the published gateways waited.
ANSWER_TIMEOUT_SECONDS = 30.0

Body = bytes | AsyncIterator[bytes]


class UpstreamFailed(Exception):
    """The upstream gave no answer, or none to its end."""


class Answer(Protocol):
    """An answer whose head is here."""

    status: int
    headers: Headers

    def read_now(self) -> bytes:
        """Return what has come of the body and was not read yet, which may be nothing."""

    async def read(self) -> bytes:
        """Wait for a part of the body; nothing is its end. Raises UpstreamFailed."""

    @property
    def at_end(self) -> bool:
        """Whether the body was read to its end."""


class Upstream(Protocol):
    """Keeps its connections, and sends each request exactly once."""

    def exchange(
        self, query: bytes, headers: Headers, body: Body
    ) -> AbstractAsyncContextManager[Answer]:
        """Send a request, and give it up where the context ends early. Raises UpstreamFailed."""

    async def close(self) -> None:
        """Close the connections."""


def target(query: bytes) -> bytes:
    """Return the path of every request, with the caller's query unchanged."""
    return b"%b?%b" % (UPSTREAM_PATH, query) if query else UPSTREAM_PATH


@asynccontextmanager
async def answer_deadline(body: Body) -> AsyncGenerator[Body]:
    """Limit the wait for the head of an answer, from when the whole body was sent.

    Yields the body to send. Raises TimeoutError.
    """
    async with asyncio.timeout(None) as deadline:
        loop = asyncio.get_running_loop()
        waiting = True

        def begin() -> None:
            if waiting:  # else the answer came before its request was sent to the end
                deadline.reschedule(loop.time() + ANSWER_TIMEOUT_SECONDS)

        if isinstance(body, bytes):
            begin()
            yield body
        else:
            yield _then(body, begin)
        waiting = False


async def _then(body: AsyncIterator[bytes], end: Callable[[], None]) -> AsyncGenerator[bytes]:
    async for part in body:
        yield part
    end()
