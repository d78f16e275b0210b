"""The upstream leg in HTTP/2: the connections, and which of them a request takes."""

import asyncio
import ssl
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from gateway.config import Origin
from gateway.headers import Headers
from gateway.http2_connection import Http2Connection
from gateway.upstream import (
    CONNECT_TIMEOUT_SECONDS,
    Answer,
    Body,
    UpstreamFailed,
    answer_deadline,
    target,
)


class Http2Upstream:
    """Opens a further connection only where those that are open have no stream left."""

    def __init__(self, origin: Origin, tls: ssl.SSLContext | None) -> None:
        self._origin = origin
        self._tls = tls
        self._pseudo_headers: Headers = [
            (b":method", b"POST"),
            (b":scheme", origin.scheme.encode()),
            (b":authority", origin.authority.encode()),
        ]
        self._connections: list[Http2Connection] = []
        # Requests that come together wait for one connection, and do not open one each.
        self._connecting = asyncio.Lock()

    @asynccontextmanager
    async def exchange(self, query: bytes, headers: Headers, body: Body) -> AsyncGenerator[Answer]:
        head = [*self._pseudo_headers, (b":path", target(query)), *headers]
        connection = await self._connection()
        stream = connection.open_stream()
        try:
            try:
                async with answer_deadline(body) as sent:
                    stream.send(head, sent)
                    await stream.wait_for_head()
            except TimeoutError as error:
                raise UpstreamFailed("the upstream did not answer in time") from error
            yield stream
        finally:
            stream.close()

    async def close(self) -> None:
        for connection in self._connections:
            connection.close()

    async def _connection(self) -> Http2Connection:
        if (found := self._available()) is not None:
            return found
        async with self._connecting:
            if (found := self._available()) is not None:
                return found
            try:
                async with asyncio.timeout(CONNECT_TIMEOUT_SECONDS):
                    opened = await self._open()
            except TimeoutError as error:
                raise UpstreamFailed("the upstream did not connect in time") from error
            except OSError as error:
                raise UpstreamFailed(str(error)) from error
            self._connections.append(opened)
            return opened

    def _available(self) -> Http2Connection | None:
        for connection in list(self._connections):
            if connection.is_ending:
                # Its last streams hold it, until they end.
                self._connections.remove(connection)
            elif connection.has_stream_left:
                return connection
        return None

    async def _open(self) -> Http2Connection:
        loop = asyncio.get_running_loop()
        _, connection = await loop.create_connection(
            lambda: Http2Connection(over_tls=self._tls is not None),
            self._origin.host,
            self._origin.port,
            ssl=self._tls,
        )
        try:
            await connection.wait_for_settings()
        except BaseException:
            connection.close()
            raise
        return connection
