"""The caller's side of a check: one connection, raw bytes, one deadline for everything on it."""

import socket
import struct
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from loadstone.contract.wire import BrokenMessage, Head, MessageReader, write_chunk, write_head

_RECEIVE_BYTES = 64 << 10
_STATUS_LINE_PARTS = 2


class Deadline:
    """A moment on the monotonic clock, after which waiting is over."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def remaining_seconds(self) -> float:
        """What is left; raises TimeoutError where nothing is."""
        left = self._end - time.monotonic()
        if left <= 0:
            raise TimeoutError("no answer in time")
        return left


@dataclass(frozen=True)
class Answer(Head):
    """A whole answer: its body as sent, with only the framing taken off."""

    status: int
    body: bytes


class Connection:
    """A connection to the service under test. Every wait ends by the deadline."""

    def __init__(self, address: tuple[str, int], deadline: Deadline) -> None:
        self._deadline = deadline
        host, port = address
        self._host = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        self._socket = socket.create_connection(address, deadline.remaining_seconds())
        self._reader = MessageReader(self._receive)

    def __enter__(self) -> Self:
        """Nothing to do: it is open."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close it."""
        self._socket.close()

    def send(self, data: bytes) -> None:
        """Write bytes as they are."""
        self._socket.settimeout(self._deadline.remaining_seconds())
        self._socket.sendall(data)

    def send_head(
        self, target: str, headers: Iterable[tuple[str, str]] = (), *, method: str = "POST"
    ) -> None:
        """Write a request's head: Host first, then the fields as given."""
        self.send(write_head(f"{method} {target} HTTP/1.1", [("Host", self._host), *headers]))

    def send_request(
        self,
        target: str,
        headers: Iterable[tuple[str, str]] = (),
        body: bytes = b"",
        *,
        method: str = "POST",
    ) -> None:
        """Write a whole request, framed by its length, in one piece."""
        fields = [("Host", self._host), *headers, ("Content-Length", str(len(body)))]
        self.send(write_head(f"{method} {target} HTTP/1.1", fields) + body)

    def send_chunk(self, data: bytes) -> None:
        """Write one chunk; of no data it is the last one."""
        self.send(write_chunk(data) if data else b"0\r\n\r\n")

    def receive_head(self) -> tuple[int, Head]:
        """Read the next head, interim ones included, and its status."""
        head = self._reader.head()
        if head is None:
            raise BrokenMessage("the connection was closed without an answer")
        parts = head.first_line.split(" ")
        if len(parts) < _STATUS_LINE_PARTS or parts[0] != "HTTP/1.1" or not parts[1].isdigit():
            raise BrokenMessage(f"not a status line: {head.first_line!r}")
        return int(parts[1]), head

    def receive_pieces(self, head: Head) -> Iterator[bytes]:
        """Read the body of an answer whose head was read, piece by piece."""
        return self._reader.pieces(head, until_close=True)

    def receive_answer(self, *, method: str = "POST") -> Answer:
        """Read the final answer, interim ones skipped. Raises BrokenMessage where it is cut."""
        status, head = self.receive_head()
        while status < 200:
            status, head = self.receive_head()
        bodiless = method == "HEAD" or status in (204, 304)
        body = b"" if bodiless else b"".join(self.receive_pieces(head))
        return Answer(head.first_line, head.headers, status, body)

    def break_off(self) -> None:
        """End the connection by a reset, as a caller does that is killed."""
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._socket.close()

    def _receive(self) -> bytes:
        self._socket.settimeout(self._deadline.remaining_seconds())
        return self._socket.recv(_RECEIVE_BYTES)
