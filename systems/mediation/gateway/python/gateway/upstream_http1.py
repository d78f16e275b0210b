"""The upstream leg in HTTP/1.1, by aiohttp."""

import ssl
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from aiohttp import (
    ClientError,
    ClientResponse,
    ClientSession,
    ClientTimeout,
    DummyCookieJar,
    TCPConnector,
)
from multidict import CIMultiDict
from yarl import URL

from gateway.config import Origin
from gateway.headers import Headers
from gateway.upstream import (
    CONNECT_TIMEOUT_SECONDS,
    Answer,
    Body,
    UpstreamFailed,
    answer_deadline,
    target,
)

_IDLE_TIMEOUT_SECONDS = 60.0
# As much as the server takes of a caller.
_LARGEST_FIELD_BYTES = 64 << 10

# What aiohttp would add to a request that came without.
_NOT_ADDED = ("Accept", "Accept-Encoding", "Content-Type", "User-Agent")


class Http1Answer:
    """An answer that aiohttp reads."""

    def __init__(self, response: ClientResponse) -> None:
        self.status = response.status
        self.headers: Headers = [(name.lower(), value) for name, value in response.raw_headers]
        self._content = response.content

    def read_now(self) -> bytes:
        try:
            return self._content.read_nowait()
        except ClientError as error:
            raise _failure(error) from error

    async def read(self) -> bytes:
        try:
            return await self._content.readany()
        except (ClientError, OSError) as error:
            raise _failure(error) from error

    @property
    def at_end(self) -> bool:
        return self._content.at_eof()


class Http1Upstream:
    """Keeps as many connections as there are requests in flight."""

    def __init__(self, origin: Origin, tls: ssl.SSLContext | None) -> None:
        self._base = f"{origin.scheme}://{origin.authority}"
        self._session = ClientSession(
            connector=TCPConnector(
                limit=0, keepalive_timeout=_IDLE_TIMEOUT_SECONDS, ssl=True if tls is None else tls
            ),
            timeout=ClientTimeout(total=None, sock_connect=CONNECT_TIMEOUT_SECONDS),
            cookie_jar=DummyCookieJar(),
            skip_auto_headers=_NOT_ADDED,
            auto_decompress=False,
            max_line_size=_LARGEST_FIELD_BYTES,
            max_field_size=_LARGEST_FIELD_BYTES,
        )

    @asynccontextmanager
    async def exchange(self, query: bytes, headers: Headers, body: Body) -> AsyncGenerator[Answer]:
        try:
            url = URL(self._base + _text(target(query)), encoded=True)
            fields = CIMultiDict((_text(name), _text(value)) for name, value in headers)
            async with answer_deadline(body) as sent:
                response = await self._session.post(
                    url, headers=fields, data=sent, allow_redirects=False
                )
        except TimeoutError as error:
            raise UpstreamFailed("the upstream did not answer in time") from error
        except (ClientError, OSError, ValueError) as error:
            raise _failure(error) from error
        async with response:
            yield Http1Answer(response)

    async def close(self) -> None:
        await self._session.close()


def _text(field: bytes) -> str:
    """aiohttp writes text in UTF-8 alone: what is in it stays byte for byte. Raises UpstreamFailed."""
    try:
        return field.decode()
    except UnicodeDecodeError as error:
        raise UpstreamFailed("the client cannot send what is not UTF-8") from error


def _failure(error: Exception) -> UpstreamFailed:
    return UpstreamFailed(str(error) or type(error).__name__)
