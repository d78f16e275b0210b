"""The caller's side of a check: connections, and the requests on them. One deadline for everything.

What is sent is what the check says, and what comes back is shown as it came: nothing is joined,
decoded or repaired. `http1_client` and `http2_client` speak the two versions.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from loadstone.contract.channel import Channel, Handshake
from loadstone.contract.wire import WITHOUT_A_BODY, Head

_FIRST_FINAL_STATUS = 200


@dataclass(frozen=True)
class Answer(Head):
    """A whole answer: its body as sent, with only the framing taken off."""

    status: int
    body: bytes


class Call(ABC):
    """One request that was begun, and its answer."""

    def __init__(self, method: str) -> None:
        self._method = method

    @abstractmethod
    def send_piece(self, data: bytes) -> None:
        """Send a part of the body at once."""

    @abstractmethod
    def end(self) -> None:
        """Say that the request is whole."""

    @abstractmethod
    def receive_head(self) -> tuple[int, Head]:
        """Read the next head, interim ones included, and its status."""

    @abstractmethod
    def receive_pieces(self) -> Iterator[bytes]:
        """Read the body, each piece as soon as it is there. Raises BrokenMessage where it is cut."""

    @abstractmethod
    def reset(self) -> None:
        """Give the request up: on HTTP/2 its stream, on HTTP/1.1 its connection."""

    def receive_answer(self) -> Answer:
        """Read the final answer, interim ones skipped. Raises BrokenMessage where it is cut."""
        status, head = self.receive_head()
        while status < _FIRST_FINAL_STATUS:
            status, head = self.receive_head()
        return Answer(head.first_line, head.headers, status, b"".join(self.receive_pieces()))

    def is_bodiless(self, status: int) -> bool:
        """Whether an answer of this status to this method has no body, whatever its fields say."""
        return self._method == "HEAD" or status in WITHOUT_A_BODY


class Connection(ABC):
    """A connection to the service under test. Every wait ends by the deadline."""

    def __init__(self, channel: Channel, authority: str, handshake: Handshake | None) -> None:
        self.handshake = handshake
        """What was agreed on TLS; none in cleartext."""
        self.authority = authority
        """What requests say from now on as `Host`, on HTTP/2 `:authority`; at first the address."""
        self._channel = channel
        self._last: Call | None = None

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
        self._channel.close()

    @abstractmethod
    def begin(
        self,
        target: str,
        headers: Iterable[tuple[str, str]] = (),
        *,
        method: str = "POST",
        length: int | None = None,
    ) -> Call:
        """Send the head of a request with a body that follows in pieces, its length said or not."""

    @abstractmethod
    def send_request(
        self,
        target: str,
        headers: Iterable[tuple[str, str]] = (),
        body: bytes = b"",
        *,
        method: str = "POST",
    ) -> Call:
        """Send a whole request with its length."""

    def receive_head(self) -> tuple[int, Head]:
        """Read the next head of the request that was begun last, and its status."""
        return self._latest.receive_head()

    def receive_pieces(self) -> Iterator[bytes]:
        """Read the body of the answer to the request that was begun last."""
        return self._latest.receive_pieces()

    def receive_answer(self) -> Answer:
        """Read the final answer to the request that was begun last."""
        return self._latest.receive_answer()

    @abstractmethod
    def wait_for_end(self) -> None:
        """Wait until the other side ends the connection, on HTTP/2 by GOAWAY at the least."""

    def break_off(self) -> None:
        """End the connection by a reset, as a caller does that is killed."""
        self._channel.break_off()

    @property
    def _latest(self) -> Call:
        if self._last is None:
            raise RuntimeError("no request was begun on this connection")
        return self._last
