"""A booking service that becomes slower the more it is asked at once, as one of a fixed capacity does.

One thread and one event loop; it keeps nothing.
"""

import asyncio
import threading
from types import TracebackType
from typing import Self

from model import Request

from booking import answer

_HEAD_END = b"\r\n\r\n"


class SlowingService(asyncio.Protocol):
    """One connection; requests come one at a time."""

    in_flight = 0
    capacity = 0.0
    """Requests a second, whatever is asked at once."""

    def __init__(self) -> None:
        self._received = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._received += data
        head, end, rest = self._received.partition(_HEAD_END)
        if not end:
            return
        first, *lines = head.decode().split("\r\n")
        fields = dict(line.lower().split(": ", 1) for line in lines)
        length = int(fields.get("content-length", "0"))
        if len(rest) < length:
            return
        self._received = rest[length:]
        method, target, _ = first.split(" ")
        headers = tuple((name, fields[name]) for name in ("authorization",) if name in fields)
        asked = Request("", 0, method, target, headers, rest[:length].decode())
        kind = type(self)
        kind.in_flight += 1
        asyncio.get_running_loop().call_later(kind.in_flight / kind.capacity, self._send, asked)

    def _send(self, asked: Request) -> None:
        type(self).in_flight -= 1
        known = answer(asked)
        body = known.body.encode()
        head = f"HTTP/1.1 {known.status} -\r\nContent-Length: {len(body)}\r\n\r\n"
        self._transport.write(head.encode() + body)


class Slowing:
    """Such a service, listening while it is entered."""

    def __init__(self, capacity: float) -> None:
        self._kind = type("Kind", (SlowingService,), {"capacity": capacity, "in_flight": 0})
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self.address = ""

    def __enter__(self) -> Self:
        listening = self._loop.create_server(self._kind, "127.0.0.1", 0, backlog=4_096)
        self._server = self._loop.run_until_complete(listening)
        self.address = f"127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._server.close()
        self._loop.close()
