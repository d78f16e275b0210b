"""A small HTTP/1.1 server that echoes bodies; each defect beside it changes what it needs.

Run as a script it is healthy: `http_server.py STRENGTH` prints its port, and ends with its stdin.
"""

import asyncio
import sys
from collections.abc import Callable

HEAD_END = b"\r\n\r\n"


class Echo(asyncio.Protocol):
    """One connection."""

    def __init__(self, strength: float = 0.0) -> None:
        self.strength = strength
        self.answered = 0
        """On this connection."""
        self._received = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self._received += data
        while (body := self._next_body()) is not None:
            self.answer(body)
            self.answered += 1

    def _next_body(self) -> bytes | None:
        head, found, rest = self._received.partition(HEAD_END)
        if not found:
            return None
        length = 0
        for line in head.split(b"\r\n"):
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        if len(rest) < length:
            return None
        self._received = rest[length:]
        return rest[:length]

    def answer(self, body: bytes) -> None:
        """Answer a request that was read to its end."""
        self.send(200, body)

    def send(self, status: int, body: bytes, *, close: bool = False) -> None:
        """Write an answer."""
        closing = "Connection: close\r\n" if close else ""
        head = (
            f"HTTP/1.1 {status} -\r\nContent-Type: application/json\r\n{closing}"
            f"Content-Length: {len(body)}\r\n\r\n"
        )
        self.transport.write(head.encode() + body)
        if close:
            self.transport.close()


def serve(
    connection: Callable[[float], Echo],
    beside: Callable[[float], None] | None = None,
    backlog: Callable[[float], int] = lambda _: 512,
) -> None:
    """Serve until stdin ends; `beside` is called with the strength once the port is known."""

    async def run() -> None:
        strength = float(sys.argv[1])
        loop = asyncio.get_running_loop()
        server = await loop.create_server(
            lambda: connection(strength), "127.0.0.1", 0, backlog=backlog(strength)
        )
        sys.stdout.write(f"{server.sockets[0].getsockname()[1]}\n")
        sys.stdout.flush()
        if beside is not None:
            beside(strength)
        await loop.run_in_executor(None, sys.stdin.read)

    asyncio.run(run())


if __name__ == "__main__":
    serve(Echo)
