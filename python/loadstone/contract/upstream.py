"""A real upstream that records what reaches it and answers by script, so that what a gateway does on
its other side can be proved: headers, paths, retries, reuse of connections, cancellation.

Threads and blocking sockets on 127.0.0.1; HTTP/1.1 without TLS. It is for checks, never for load.
"""

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Condition, Event, Thread
from types import TracebackType
from typing import Self

from loadstone.contract.answers import Answerer, echo
from loadstone.contract.client import Deadline
from loadstone.contract.exchange import Exchange, Line
from loadstone.contract.wire import BrokenMessage, MessageReader, write_head

_BACKLOG = 256
_JOIN_SECONDS = 5.0


class RecordingUpstream:
    """Listens while it is entered. Answers by echo until `answer_with` says otherwise."""

    def __init__(self) -> None:
        # Bound but never listening: while nobody listens on the port, callers are refused, and
        # nobody else gets it.
        self._reserved = _bind(0)
        self.authority = f"127.0.0.1:{self._reserved.getsockname()[1]}"
        """Host and port, as a `Host` field has them."""
        self.url = f"http://{self.authority}"
        self._changed = Condition()
        self._exchanges: list[Exchange] = []
        self._answer: Answerer = echo
        self._connections = 0
        self._open: dict[Line, Thread] = {}
        self._listener: socket.socket | None = None
        self._acceptor: Thread | None = None

    def __enter__(self) -> Self:
        """Begin to listen."""
        self._listen()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close every connection and end every thread."""
        self._stop_listening()
        lines = self._lines()
        for line in lines:
            line.stop()
        for thread in lines.values():
            thread.join(_JOIN_SECONDS)
        self._reserved.close()

    def forget(self) -> None:
        """Drop what was recorded, and answer by echo again."""
        with self._changed:
            self._exchanges.clear()
            self._answer = echo

    def answer_with(self, answer: Answerer) -> None:
        """Answer the requests from now on like this."""
        with self._changed:
            self._answer = answer

    @property
    def exchanges(self) -> tuple[Exchange, ...]:
        """Every request since the last `forget`, by the arrival of their heads."""
        with self._changed:
            return tuple(self._exchanges)

    @property
    def connections_opened(self) -> int:
        """How many connections were accepted since the beginning."""
        with self._changed:
            return self._connections

    def only_exchange(self) -> Exchange:
        """The one request since the last `forget`. Raises AssertionError if it is not one."""
        exchanges = self.exchanges
        if len(exchanges) != 1:
            raise AssertionError(f"the upstream received {len(exchanges)} requests, not 1")
        return exchanges[0]

    def wait_for_exchange(self, deadline: Deadline) -> Exchange:
        """Wait for the head of the first request since the last `forget`."""
        with self._changed:
            while not self._exchanges:
                self._changed.wait(deadline.remaining_seconds())
            return self._exchanges[0]

    @contextmanager
    def away(self, deadline: Deadline) -> Iterator[None]:
        """Refuse connections meanwhile; those that are open are closed first, on both sides.

        Waiting for the other side to close makes sure that no request is sent into a connection
        whose end has not been noticed yet.
        """
        self._stop_listening()
        lines = self._lines()
        for line in lines:
            line.finish_sending()
        for thread in lines.values():
            thread.join(deadline.remaining_seconds())
        try:
            yield
        finally:
            self._listen()

    def _listen(self) -> None:
        self._listener = _bind(int(self.authority.rpartition(":")[2]))
        self._listener.listen(_BACKLOG)
        ready = Event()
        self._acceptor = Thread(target=self._accept, args=(self._listener, ready), daemon=True)
        self._acceptor.start()
        ready.wait()

    def _stop_listening(self) -> None:
        if self._listener is None or self._acceptor is None:
            return
        # Closing alone would leave the acceptor in accept.
        self._listener.shutdown(socket.SHUT_RDWR)
        self._acceptor.join()
        self._listener.close()
        self._listener = self._acceptor = None

    def _lines(self) -> dict[Line, Thread]:
        with self._changed:
            return dict(self._open)

    def _accept(self, listener: socket.socket, ready: Event) -> None:
        ready.set()
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return  # it was shut down
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            line = Line(connection)
            with self._changed:
                self._connections += 1
                thread = Thread(target=self._serve, args=(line, self._connections), daemon=True)
                self._open[line] = thread
            thread.start()

    def _serve(self, line: Line, number: int) -> None:
        # Either side may end a connection at any moment, and a gateway may send what is not HTTP:
        # the check then misses its request, and says so.
        with suppress(OSError, BrokenMessage):
            reader = MessageReader(line.receive)
            while head := reader.head():
                exchange = Exchange(number, head)
                with self._changed:
                    self._exchanges.append(exchange)
                    answer = self._answer
                    self._changed.notify_all()
                if exchange.head.values("expect"):
                    line.send(write_head("HTTP/1.1 100 Continue", []))
                try:
                    for piece in reader.pieces(head, until_close=False):
                        exchange.grow(piece)
                    answer(exchange, line)
                except (OSError, BrokenMessage):
                    exchange.closed.set()
                    raise
        line.close()
        with self._changed:
            del self._open[line]


def _bind(port: int) -> socket.socket:
    """A socket on the port that shares it with the one that keeps it reserved."""
    bound = socket.socket()
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    bound.bind(("127.0.0.1", port))
    return bound
