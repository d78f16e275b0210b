"""Writes a share of its answers in three parts, and waits for acknowledgements between them (Nagle's
algorithm): the strength. The peer delays its acknowledgement of the second.
"""

import asyncio
import socket

from http_server import Echo, serve


class WritesInParts(Echo):
    debt = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        connection = transport.get_extra_info("socket")
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 0)
        self.connection = connection

    def answer(self, body: bytes) -> None:
        cls = type(self)
        cls.debt += self.strength
        if cls.debt < 1:
            self.send(200, body)
            return
        cls.debt -= 1
        middle = len(body) // 2
        head = f"HTTP/1.1 200 -\r\nContent-Length: {len(body)}\r\n"
        for part in (head.encode(), b"Content-Type: application/json\r\n\r\n" + body[:middle]):
            self.transport.write(part)
        self.transport.write(body[middle:])


if __name__ == "__main__":
    serve(WritesInParts)
