"""One request as the recording upstream received it, and the line on which it is answered."""

import socket
import struct
from contextlib import suppress
from threading import Condition, Event

from loadstone.contract.client import Deadline
from loadstone.contract.wire import Head, Headers

_RECEIVE_BYTES = 64 << 10


class Exchange:
    """A recorded request: its head at once, its body as it arrives."""

    def __init__(self, connection: int, head: Head) -> None:
        self.connection = connection
        """The number of the connection it came on, from 1."""
        self.head = head
        self.method, _, rest = head.first_line.partition(" ")
        self.target = rest.rpartition(" ")[0]
        self.closed = Event()
        """Set when the other side ended the connection while this request was unanswered."""
        self._body = bytearray()
        self._grew = Condition()

    @property
    def headers(self) -> Headers:
        """Its fields in their order, names in their case."""
        return self.head.headers

    @property
    def body(self) -> bytes:
        """What has arrived of its body so far, framing taken off."""
        with self._grew:
            return bytes(self._body)

    def grow(self, piece: bytes) -> None:
        """Note a further piece of the body; only the upstream does."""
        with self._grew:
            self._body += piece
            self._grew.notify_all()

    def wait_for_body(self, count: int, deadline: Deadline) -> bytes:
        """Wait until that many bytes of the body have arrived, and return what is there."""
        with self._grew:
            while len(self._body) < count:
                self._grew.wait(deadline.remaining_seconds())
            return bytes(self._body)

    def wait_for_close(self, deadline: Deadline) -> None:
        """Wait until the other side has ended the connection. Raises TimeoutError."""
        if not self.closed.wait(deadline.remaining_seconds()):
            raise TimeoutError("the connection to the upstream is still open")


class Line:
    """The upstream's side of one connection."""

    def __init__(self, connection: socket.socket) -> None:
        self._socket = connection

    def receive(self) -> bytes:
        """The next bytes, or none at the end."""
        return self._socket.recv(_RECEIVE_BYTES)

    def send(self, data: bytes) -> None:
        """Write bytes as they are."""
        self._socket.sendall(data)

    def close(self) -> None:
        """End it in order."""
        self._socket.close()

    def break_off(self) -> None:
        """End it by a reset, as a server does that is killed."""
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._socket.close()

    def stop(self) -> None:
        """Wake whoever waits on it, from another thread."""
        with suppress(OSError):  # it may have ended already
            self._socket.shutdown(socket.SHUT_RDWR)

    def finish_sending(self) -> None:
        """Say that nothing more comes; the other side is expected to close."""
        with suppress(OSError):  # it may have ended already
            self._socket.shutdown(socket.SHUT_WR)
