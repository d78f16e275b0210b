"""A real upstream that records what reaches it and answers by script, so that what a gateway does on
its other side can be proved: headers, paths, retries, reuse of connections, cancellation.

Threads and blocking sockets on 127.0.0.1. It is for checks, never for load.
"""

import socket
import ssl
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from threading import Condition, Event, Thread
from types import TracebackType
from typing import Self

from h2.exceptions import ProtocolError

from loadstone.contract.channel import Channel, TlsChannel, server_context
from loadstone.contract.deadline import Deadline
from loadstone.contract.exchange import Exchange, Reply
from loadstone.contract.http1_serving import Http1Serving
from loadstone.contract.http2_serving import Http2Serving
from loadstone.contract.scripts import Script, echo
from loadstone.contract.serving import Accepted, Serving
from loadstone.contract.wire import BrokenMessage
from loadstone.machine.tls_material import TlsMaterial
from loadstone.study.values.model import Protocol

_BACKLOG = 256
_JOIN_SECONDS = 5.0


class RecordingUpstream:
    """Listens while it is entered. Answers by echo until `answer_with` says otherwise."""

    def __init__(
        self, protocol: Protocol = Protocol.H1C, material: TlsMaterial | None = None
    ) -> None:
        self.protocol = protocol
        self._context = None
        if protocol.is_tls:
            if material is None:
                raise ValueError(f"{protocol} needs a certificate")
            self._context = server_context(material, (protocol.alpn,))
        self.material = material
        # Bound but never listening: while nobody listens on the port, callers are refused, and
        # nobody else gets it.
        self._reserved = _bind(0)
        self.authority = f"127.0.0.1:{self._reserved.getsockname()[1]}"
        """Host and port, as a `Host` field has them."""
        self.url = f"{protocol.scheme}://{self.authority}"
        self._changed = Condition()
        self._exchanges: list[Exchange] = []
        self._faults: list[str] = []
        self._script_errors: list[Exception] = []
        self._script: Script = echo
        self._connections = 0
        self._open: dict[_Connection, Thread] = {}
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
        opened = self._opened()
        for connection in opened:
            connection.stop()
        for thread in opened.values():
            thread.join(_JOIN_SECONDS)
        self._reserved.close()

    def forget(self) -> None:
        """Drop what was recorded, and answer by echo again."""
        with self._changed:
            self._exchanges.clear()
            self._faults.clear()
            self._script_errors.clear()
            self._script = echo

    def answer_with(self, script: Script) -> None:
        """Answer the requests from now on by this script."""
        with self._changed:
            self._script = script

    @property
    def exchanges(self) -> tuple[Exchange, ...]:
        """Every request since the last `forget`, by the arrival of their heads."""
        with self._changed:
            return tuple(self._exchanges)

    @property
    def faults(self) -> tuple[str, ...]:
        """What was seen since the last `forget` that HTTP/2 does not allow."""
        with self._changed:
            return tuple(self._faults)

    @property
    def script_errors(self) -> tuple[Exception, ...]:
        """What scripts of `answer_with` raised since the last `forget`, ends of connections apart."""
        with self._changed:
            return tuple(self._script_errors)

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

    @property
    def connections_open(self) -> int:
        """How many connections are open now."""
        with self._changed:
            return len(self._open)

    def wait_for_exchange(self, deadline: Deadline) -> Exchange:
        """Wait for the head of the first request since the last `forget`."""
        return self.wait_for_exchanges(1, deadline)[0]

    def wait_for_exchanges(self, count: int, deadline: Deadline) -> tuple[Exchange, ...]:
        """Wait for the heads of so many requests since the last `forget`, and return all of them."""
        with self._changed:
            while len(self._exchanges) < count:
                self._changed.wait(deadline.remaining_seconds())
            return tuple(self._exchanges)

    @contextmanager
    def away(self, deadline: Deadline) -> Iterator[None]:
        """Refuse connections meanwhile; those that are open are closed first, on both sides.

        Waiting for the other side to close makes sure that no request is sent into a connection
        whose end has not been noticed yet.
        """
        self._stop_listening()
        opened = self._opened()
        for connection in opened:
            connection.finish_sending()
        for thread in opened.values():
            thread.join(deadline.remaining_seconds())
        try:
            yield
        finally:
            self._listen()

    @contextmanager
    def killed(self) -> Iterator[None]:
        """Refuse connections meanwhile; those that are open end at once, whatever is on them, as they
        do where a process is killed.
        """
        self._stop_listening()
        opened = self._opened()
        for connection in opened:
            connection.stop()
        for thread in opened.values():
            thread.join(_JOIN_SECONDS)
        try:
            yield
        finally:
            self._listen()

    @contextmanager
    def disguised(
        self,
        deadline: Deadline,
        *,
        material: TlsMaterial | None = None,
        agrees: Sequence[str] | None = None,
    ) -> Iterator[None]:
        """Show another certificate, or agree to other protocols by ALPN, on new connections.

        Those that are open are closed before and after. Only where the protocol is over TLS.
        """
        shown = material or self.material
        if self._context is None or shown is None:
            raise RuntimeError(f"there is no TLS on {self.protocol}")
        right = self._context
        with self.away(deadline):
            self._context = server_context(
                shown, (self.protocol.alpn,) if agrees is None else agrees
            )
        try:
            yield
        finally:
            with self.away(deadline):
                self._context = right

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

    def _opened(self) -> "dict[_Connection, Thread]":
        with self._changed:
            return dict(self._open)

    def _accept(self, listener: socket.socket, ready: Event) -> None:
        ready.set()
        while True:
            try:
                accepted, _ = listener.accept()
            except OSError:
                return  # it was shut down
            context = self._context
            channel = Channel(accepted) if context is None else TlsChannel(accepted, context)
            with self._changed:
                self._connections += 1
                connection = _Connection(self, channel, self._connections)
                thread = Thread(target=self._serve, args=(connection,), daemon=True)
                self._open[connection] = thread
            thread.start()

    def _serve(self, connection: "_Connection") -> None:
        # Either side may end a connection at any moment, and a gateway may send what is not HTTP:
        # the check then misses its request, and says so.
        with suppress(OSError, BrokenMessage):
            connection.serve()
        connection.channel.close()
        with self._changed:
            del self._open[connection]

    def record(self, exchange: Exchange) -> Script:
        """Note a request whose head has come, and return how it is to be answered."""
        with self._changed:
            self._exchanges.append(exchange)
            self._changed.notify_all()
            return partial(self._answer_by, self._script)

    def _answer_by(self, script: Script, exchange: Exchange, reply: Reply) -> None:
        try:
            script(exchange, reply)
        except (ConnectionError, TimeoutError, ssl.SSLError, BrokenMessage, ProtocolError):
            raise  # either side may end a connection, and a stream, at any moment
        except Exception as error:
            with self._changed:
                self._script_errors.append(error)
            reply.reset()

    def note_fault(self, fault: str) -> None:
        """Note what the other side did against its protocol."""
        with self._changed:
            self._faults.append(fault)


class _Connection:
    """An accepted connection; what is spoken on it is known after the handshake."""

    def __init__(self, upstream: RecordingUpstream, channel: Channel, number: int) -> None:
        self.channel = channel
        self._upstream, self._number = upstream, number
        self._serving: Serving | None = None

    def serve(self) -> None:
        handshake = self.channel.shake_hands()
        upstream = self._upstream
        accepted = Accepted(
            self.channel, self._number, handshake, upstream.record, upstream.note_fault
        )
        is_http2 = handshake.agreed == "h2" if handshake else upstream.protocol.is_http2
        self._serving = Http2Serving(accepted) if is_http2 else Http1Serving(accepted)
        self._serving.serve()

    def finish_sending(self) -> None:
        if self._serving is None:
            self.channel.stop()
        else:
            self._serving.finish_sending()

    def stop(self) -> None:
        self.channel.stop()


def _bind(port: int) -> socket.socket:
    """A socket on the port that shares it with the one that keeps it reserved."""
    bound = socket.socket()
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    bound.bind(("127.0.0.1", port))
    return bound
