"""The recording upstream's side of a connection of HTTP/1.1."""

from collections.abc import Iterable

from loadstone.contract.channel import Channel
from loadstone.contract.exchange import Exchange, Reply
from loadstone.contract.serving import Accepted, Serving
from loadstone.contract.wire import (
    BrokenMessage,
    MessageReader,
    framing,
    length_of,
    write_chunk,
    write_head,
)


class Http1Serving(Serving):
    """One request after the other, each answered by the thread that reads it."""

    def __init__(self, accepted: Accepted) -> None:
        self._accepted = accepted

    def serve(self) -> None:
        """Read and answer until the connection ends."""
        channel = self._accepted.channel
        reader, reply = MessageReader(channel.receive), Http1Reply(channel)
        while head := reader.head():
            hosts = head.values("host")
            exchange = Exchange(
                self._accepted.number,
                head,
                authority=hosts[0] if len(hosts) == 1 else None,
                handshake=self._accepted.handshake,
            )
            answer = self._accepted.record(exchange)
            if head.values("expect"):
                channel.send(write_head("HTTP/1.1 100 Continue", []))
            try:
                for piece in reader.pieces(head, until_close=False):
                    exchange.grow(piece)
                exchange.ended.set()
                answer(exchange, reply)
            except (OSError, BrokenMessage):
                exchange.closed.set()
                raise

    def finish_sending(self) -> None:
        """End this side of the connection."""
        self._accepted.channel.finish_sending()


class Http1Reply(Reply):
    """The connection itself."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._is_chunked = False
        self._is_last = False

    def begin(
        self, status: int, headers: Iterable[tuple[str, str]] = (), *, length: int | None = None
    ) -> None:
        """Write the head; without a length the body comes in chunks."""
        self._is_chunked = length is None
        self._channel.send(self._head(status, [*headers, framing(length)]))

    def piece(self, data: bytes) -> None:
        """Write a chunk, or the bytes as they are."""
        self._channel.send(write_chunk(data) if self._is_chunked else data)

    def end(self) -> None:
        """Write the last chunk, where there are chunks."""
        if self._is_chunked:
            self._channel.send(write_chunk(b""))
        self._close_last()

    def answer(
        self, status: int, headers: Iterable[tuple[str, str]] = (), body: bytes = b""
    ) -> None:
        """Write head and body at once."""
        fields = [*headers, *length_of(status, body)]
        self._channel.send(self._head(status, fields) + body)
        self._close_last()

    def wait_for_close(self) -> None:
        """Wait for the end of the connection, and close it."""
        while self._channel.receive():
            pass
        self._channel.close()

    def reset(self) -> None:
        """Reset the connection, since it has no streams."""
        self._channel.break_off()

    def refuse(self) -> None:
        """There is no way to say so."""
        raise RuntimeError("HTTP/1.1 cannot refuse a request as one on which nothing was done")

    def say_goodbye(self) -> None:
        """Say so in the answer's head, and close behind it."""
        self._is_last = True

    def close(self) -> None:
        """Close the connection."""
        self._channel.close()

    def break_off(self) -> None:
        """Reset the connection."""
        self._channel.break_off()

    def _head(self, status: int, fields: Iterable[tuple[str, str]]) -> bytes:
        ending = [("Connection", "close")] if self._is_last else []
        reason = "OK" if status == 200 else "Scripted"
        return write_head(f"HTTP/1.1 {status} {reason}", [*fields, *ending])

    def _close_last(self) -> None:
        if self._is_last:
            self._channel.close()
