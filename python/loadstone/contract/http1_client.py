"""A caller's connection of HTTP/1.1: raw bytes, so that a check can frame as it likes."""

from collections.abc import Iterable, Iterator
from contextlib import suppress

from loadstone.contract.channel import Channel, Handshake
from loadstone.contract.client import Call, Connection
from loadstone.contract.wire import (
    BrokenMessage,
    Head,
    MessageReader,
    framing,
    read_status,
    write_chunk,
    write_head,
)

_STATUS_LINE_PARTS = 2


class Http1Connection(Connection):
    """One request after the other."""

    def __init__(self, channel: Channel, authority: str, handshake: Handshake | None) -> None:
        super().__init__(channel, authority, handshake)
        self._reader = MessageReader(channel.receive)

    def send(self, data: bytes) -> None:
        """Write bytes as they are."""
        self._channel.send(data)

    def send_head(
        self, target: str, headers: Iterable[tuple[str, str]] = (), *, method: str = "POST"
    ) -> None:
        """Write a request's head: Host first, then the fields as given."""
        self._last = _Http1Call(self._channel, self._reader, method, is_chunked=False)
        self.send(write_head(f"{method} {target} HTTP/1.1", [("Host", self.authority), *headers]))

    def send_message(self, data: bytes, *, method: str = "GET") -> Call:
        """Write what may be no request at all, as it is, and expect an answer to this method."""
        self._last = _Http1Call(self._channel, self._reader, method, is_chunked=False)
        self.send(data)
        return self._last

    def begin(
        self,
        target: str,
        headers: Iterable[tuple[str, str]] = (),
        *,
        method: str = "POST",
        length: int | None = None,
    ) -> Call:
        """Write a request's head; without a length its body comes in chunks."""
        self.send_head(target, [*headers, framing(length)], method=method)
        self._last = _Http1Call(self._channel, self._reader, method, is_chunked=length is None)
        return self._last

    def send_request(
        self,
        target: str,
        headers: Iterable[tuple[str, str]] = (),
        body: bytes = b"",
        *,
        method: str = "POST",
    ) -> Call:
        """Write a whole request, framed by its length, in one piece."""
        fields = [("Host", self.authority), *headers, ("Content-Length", str(len(body)))]
        # Before it is written: an answer may be there although the rest of it could not be.
        self._last = _Http1Call(self._channel, self._reader, method, is_chunked=False)
        self.send(write_head(f"{method} {target} HTTP/1.1", fields) + body)
        return self._last

    def wait_for_end(self) -> None:
        """Wait until nothing more comes."""
        with suppress(ConnectionError):
            while self._channel.receive():
                pass


class _Http1Call(Call):
    def __init__(
        self, channel: Channel, reader: MessageReader, method: str, *, is_chunked: bool
    ) -> None:
        super().__init__(method)
        self._channel, self._reader, self._is_chunked = channel, reader, is_chunked
        self._status, self._head = 0, Head("", ())

    def send_piece(self, data: bytes) -> None:
        self._channel.send(write_chunk(data) if self._is_chunked else data)

    def end(self) -> None:
        if self._is_chunked:
            self._channel.send(write_chunk(b""))

    def receive_head(self) -> tuple[int, Head]:
        head = self._reader.head()
        if head is None:
            raise BrokenMessage("the connection was closed without an answer")
        parts = head.first_line.split(" ")
        if len(parts) < _STATUS_LINE_PARTS or parts[0] != "HTTP/1.1":
            raise BrokenMessage(f"not a status line: {head.first_line!r}")
        self._status, self._head = read_status(parts[1]), head
        return self._status, head

    def receive_pieces(self) -> Iterator[bytes]:
        if self.is_bodiless(self._status):
            return iter(())
        return self._reader.pieces(self._head, until_close=True)

    def reset(self) -> None:
        self._channel.break_off()
