"""One request as the recording upstream received it, and its reply."""

import time
from abc import ABC, abstractmethod
from collections.abc import Iterable
from threading import Condition, Event

from loadstone.contract.channel import Handshake
from loadstone.contract.deadline import Deadline
from loadstone.contract.wire import Head, Headers


class Exchange:
    """A recorded request: its head at once, its body as it arrives."""

    def __init__(
        self,
        connection: int,
        head: Head,
        *,
        authority: str | None,
        handshake: Handshake | None,
    ) -> None:
        self.connection = connection
        """The number of the connection it came on, from 1."""
        self.head = head
        """On HTTP/2 its first line is written as HTTP/1.1 would have it."""
        self.method, _, rest = head.first_line.partition(" ")
        self.target = rest.rpartition(" ")[0]
        self.authority = authority
        """The only `Host`, on HTTP/2 `:authority`; none where there is not exactly one."""
        self.handshake = handshake
        """What was agreed on TLS for its connection; none in cleartext."""
        self.arrived_seconds = time.monotonic()
        """When its head came, on the monotonic clock."""
        self.closed = Event()
        """Set when the other side gave this request up while it was unanswered."""
        self.ended = Event()
        """Set when its body came to its end."""
        self._body = bytearray()
        self._grew = Condition()

    @property
    def headers(self) -> Headers:
        """Its fields in their order, names in their case, without pseudo-header fields of HTTP/2."""
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
        """Wait until the other side has given the request up. Raises TimeoutError."""
        if not self.closed.wait(deadline.remaining_seconds()):
            raise TimeoutError("the request to the upstream is still open")


class Reply(ABC):
    """The upstream's side of one exchange: a connection of HTTP/1.1, or a stream of HTTP/2."""

    @abstractmethod
    def begin(
        self, status: int, headers: Iterable[tuple[str, str]] = (), *, length: int | None = None
    ) -> None:
        """Send the head of an answer whose body follows in pieces, its length said or not."""

    @abstractmethod
    def piece(self, data: bytes) -> None:
        """Send a part of the body at once."""

    @abstractmethod
    def end(self) -> None:
        """Say that the answer is whole."""

    @abstractmethod
    def answer(
        self, status: int, headers: Iterable[tuple[str, str]] = (), body: bytes = b""
    ) -> None:
        """Send a whole answer with its length."""

    @abstractmethod
    def wait_for_close(self) -> None:
        """Wait until the other side gives the request up."""

    @abstractmethod
    def reset(self) -> None:
        """Break this answer off alone: on HTTP/2 its stream, on HTTP/1.1 its connection."""

    @abstractmethod
    def refuse(self) -> None:
        """Say that nothing was done of this request, so that it may be sent again (RFC 9113, 8.7).

        Raises RuntimeError on HTTP/1.1, which has no way to say so.
        """

    @abstractmethod
    def say_goodbye(self) -> None:
        """Take no further requests on this connection; this one may still be answered."""

    @abstractmethod
    def close(self) -> None:
        """End the connection in order."""

    @abstractmethod
    def break_off(self) -> None:
        """End the connection by a reset, as a server does that is killed."""
