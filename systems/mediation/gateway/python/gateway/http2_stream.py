"""One stream of HTTP/2 to the upstream: a request, and its answer as it comes."""

import asyncio
from collections import deque
from typing import TYPE_CHECKING

from h2.errors import ErrorCodes
from h2.events import DataReceived, Event, ResponseReceived, StreamEnded, StreamReset, WindowUpdated
from h2.exceptions import ProtocolError

from gateway.headers import Headers
from gateway.upstream import Body, UpstreamFailed

if TYPE_CHECKING:
    from gateway.http2_connection import Http2Connection


class Http2Stream:
    """Holds at most a window of the answer that was not read yet."""

    def __init__(self, connection: "Http2Connection") -> None:
        self.status = 0
        self.headers: Headers = []
        self.window_changed = asyncio.Event()
        self._connection = connection
        self._id: int | None = None
        self._writer: asyncio.Task[None] | None = None
        self._sent = False
        self._ended = False
        self._failure: UpstreamFailed | None = None
        self._parts: deque[DataReceived] = deque()
        self._arrived = asyncio.Event()

    # The request.

    def send(self, headers: Headers, body: Body) -> None:
        """Send the head, and the body as it comes and the upstream takes it."""
        connection = self._connection
        self._id = connection.begin(self, headers, ended=body == b"")
        if body == b"":
            self._sent = True
        elif isinstance(body, bytes) and len(body) <= self._window():
            connection.h2.send_data(self._id, body, end_stream=True)
            self._sent = True
        else:
            self._writer = asyncio.ensure_future(self._write(body))
        connection.flush()

    def _window(self) -> int:
        """Return how many bytes can be sent at once."""
        assert self._id is not None
        h2 = self._connection.h2
        return min(h2.local_flow_control_window(self._id), h2.max_outbound_frame_size)

    async def _write(self, body: Body) -> None:
        assert self._id is not None
        try:
            if isinstance(body, bytes):
                await self._write_part(body)
            else:
                async for part in body:
                    await self._write_part(part)
            self._connection.h2.end_stream(self._id)
            self._sent = True
            self._connection.flush()
        except ProtocolError:
            # The upstream has ended the stream, which the reader learns as well.
            return

    async def _write_part(self, part: bytes) -> None:
        assert self._id is not None
        rest = memoryview(part)
        while rest:
            self.window_changed.clear()
            size = min(self._window(), len(rest))
            if size <= 0:
                await self.window_changed.wait()
                continue
            self._connection.h2.send_data(self._id, bytes(rest[:size]))
            self._connection.flush()
            rest = rest[size:]
            await self._connection.drain()

    # The answer.

    async def wait_for_head(self) -> None:
        """Wait for status and fields. Raises UpstreamFailed."""
        while not self.status:
            await self._next_event()

    def read_now(self) -> bytes:
        if not self._parts:
            return b""
        data = b"".join(part.data or b"" for part in self._parts)
        self._acknowledge()
        return data

    async def read(self) -> bytes:
        while not self._parts:
            if self._ended:
                return b""
            await self._next_event()
        return self.read_now()

    @property
    def at_end(self) -> bool:
        return self._ended and not self._parts

    def close(self) -> None:
        """End the stream; where request or answer are not whole, the upstream is told."""
        if self._writer is not None:
            self._writer.cancel()
        self._acknowledge()
        if self._id is not None and not (self._sent and self._ended):
            self._reset()
        self._connection.forget(self._id)
        self._connection.flush()

    def receive(self, event: Event) -> None:
        """Take what the connection read for this stream."""
        match event:
            case ResponseReceived():
                self._take_head(event.headers or [])
            case DataReceived():
                self._parts.append(event)
            case StreamEnded():
                self._ended = True
            case StreamReset():
                if not self._ended:
                    self.fail(f"the upstream reset the stream: {event.error_code!s}")
                    return
            case WindowUpdated():
                self.window_changed.set()
                return
        self._arrived.set()

    def fail(self, message: str) -> None:
        """Break the stream."""
        if self._failure is None and not self._ended:
            self._failure = UpstreamFailed(message)
            self._arrived.set()

    def _take_head(self, fields: Headers) -> None:
        self.headers = [(name, value) for name, value in fields if not name.startswith(b":")]
        self.status = next(int(value) for name, value in fields if name == b":status")

    async def _next_event(self) -> None:
        if self._failure is not None:
            raise self._failure
        self._arrived.clear()
        await self._arrived.wait()

    def _acknowledge(self) -> None:
        size = sum(part.flow_controlled_length or 0 for part in self._parts)
        self._parts.clear()
        if self._id is not None:
            self._connection.acknowledge(self._id, size)

    def _reset(self) -> None:
        assert self._id is not None
        # RFC 9113, 8.1: without an error where the answer is whole and only the request is not.
        code = ErrorCodes.NO_ERROR if self._ended else ErrorCodes.CANCEL
        try:
            self._connection.h2.reset_stream(self._id, code)
        except ProtocolError:
            return  # the upstream was first
