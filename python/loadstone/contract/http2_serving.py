"""The recording upstream's side of a connection of HTTP/2: the thread that reads keeps the state, and
each whole request is answered by a thread of its own.
"""

from collections.abc import Callable, Iterable
from contextlib import suppress
from threading import Condition, Thread
from typing import Final

from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.errors import ErrorCodes
from h2.events import DataReceived, Event, RequestReceived, StreamEnded, StreamReset
from h2.exceptions import ProtocolError
from h2.settings import SettingCodes, Settings

from loadstone.contract.exchange import Exchange, Reply
from loadstone.contract.http2_fields import received, to_send
from loadstone.contract.http2_frames import GoAwayFilter, goaway
from loadstone.contract.scripts import Script
from loadstone.contract.serving import Accepted, Serving
from loadstone.contract.wire import BrokenMessage, Head, length_of

STREAMS: Final = 100
"""How many a connection allows at the same time; servers commonly allow 100 to 250."""
_PREFACE_BYTES = 24


class Http2Serving(Serving):
    """Requests at the same time, each on its stream. Windows are as the protocol begins."""

    def __init__(self, accepted: Accepted) -> None:
        self._accepted = accepted
        self._state = H2Connection(
            H2Configuration(
                client_side=False, header_encoding=None, normalize_inbound_headers=False
            )
        )
        self._state.local_settings = Settings(
            client=False, initial_values={SettingCodes.MAX_CONCURRENT_STREAMS: STREAMS}
        )
        self._filter = GoAwayFilter(preface_bytes=_PREFACE_BYTES)
        self._changed = Condition()
        """Guards the state; notified when windows, streams or the connection changed."""
        self._open: dict[int, tuple[Exchange, Script]] = {}
        self._is_over = False

    def serve(self) -> None:
        """Read until the connection ends."""
        try:
            with self._changed:
                self._state.initiate_connection()
                self._flush()
            while data := self._accepted.channel.receive():
                self._take(data)
        finally:
            with self._changed:
                self._is_over = True
                for exchange, _ in self._open.values():
                    exchange.closed.set()
                self._open.clear()
                self._changed.notify_all()

    def finish_sending(self) -> None:
        """Say so by GOAWAY, and end this side of the connection."""
        with self._changed, suppress(OSError):  # it may have ended already
            self._accepted.channel.send(goaway(self._state.highest_inbound_stream_id))
        self._accepted.channel.finish_sending()

    def change(self, stream: int, what: Callable[[H2Connection], None]) -> None:
        """Change the state for an open stream, and write what follows from it."""
        with self._changed:
            self._expect_open(stream)
            what(self._state)
            self._flush()

    def send_data(self, stream: int, data: bytes) -> None:
        """Send as the other side's windows allow."""
        rest = memoryview(data)
        while rest:
            with self._changed:
                self._expect_open(stream)
                window = self._state.local_flow_control_window(stream)
                size = min(len(rest), window, self._state.max_outbound_frame_size)
                if size > 0:
                    self._state.send_data(stream, bytes(rest[:size]))
                    self._flush()
                    rest = rest[size:]
                else:
                    self._changed.wait()

    def wait_for_close(self, stream: int) -> None:
        """Wait until the other side resets the stream or ends the connection."""
        with self._changed:
            while stream in self._open:
                self._changed.wait()

    def forget(self, stream: int) -> None:
        """The stream is answered, or reset by this side."""
        with self._changed:
            self._open.pop(stream, None)

    def say_goodbye(self, stream: int) -> None:
        """Allow no streams behind this one."""
        with self._changed:
            self._accepted.channel.send(goaway(stream))

    def close(self) -> None:
        """End the connection in order."""
        self._accepted.channel.finish_sending()
        self._accepted.channel.stop()

    def break_off(self) -> None:
        """Reset the connection."""
        self._accepted.channel.break_off_the_reader()

    def _take(self, data: bytes) -> None:
        with self._changed:
            try:
                events = self._state.receive_data(self._filter.feed(data))
            except ProtocolError as error:
                self._accepted.note_fault(f"not HTTP/2: {error}")
                with suppress(OSError):
                    self._flush()
                raise BrokenMessage(str(error)) from error
            for event in events:
                self._handle(event)
            self._flush()
            self._changed.notify_all()

    def _handle(self, event: Event) -> None:
        if isinstance(event, RequestReceived):
            self._begin(event)
        elif isinstance(event, DataReceived):
            if event.stream_id in self._open:
                self._open[event.stream_id][0].grow(event.data)
            self._state.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
        elif isinstance(event, StreamEnded):
            if event.stream_id in self._open:
                self._open[event.stream_id][0].ended.set()
                Thread(target=self._answer, args=(event.stream_id,), daemon=True).start()
        elif isinstance(event, StreamReset) and event.stream_id in self._open:
            exchange, _ = self._open.pop(event.stream_id)
            exchange.closed.set()

    def _begin(self, event: RequestReceived) -> None:
        pseudo, fields = received(event.headers)
        said = dict(pseudo)
        exchange = Exchange(
            self._accepted.number,
            Head(f"{said.get(':method')} {said.get(':path')} HTTP/2", fields),
            authority=said.get(":authority"),
            handshake=self._accepted.handshake,
        )
        self._open[event.stream_id] = exchange, self._accepted.record(exchange)
        if exchange.head.values("expect"):
            self._state.send_headers(event.stream_id, [(b":status", b"100")])

    def _answer(self, stream: int) -> None:
        with self._changed:
            if stream not in self._open:
                return
            exchange, answer = self._open[stream]
        # Either side may end stream or connection at any moment.
        with suppress(OSError, BrokenMessage, ProtocolError):
            answer(exchange, _Http2Reply(self, stream))

    def _expect_open(self, stream: int) -> None:
        if self._is_over or stream not in self._open:
            raise ConnectionAbortedError("the stream has ended")

    def _flush(self) -> None:
        if data := self._state.data_to_send():
            self._accepted.channel.send(data)


class _Http2Reply(Reply):
    def __init__(self, serving: Http2Serving, stream: int) -> None:
        self._serving, self._stream = serving, stream

    def begin(
        self, status: int, headers: Iterable[tuple[str, str]] = (), *, length: int | None = None
    ) -> None:
        framing = [] if length is None else [("content-length", str(length))]
        self._send_head(status, [*headers, *framing], ends=False)

    def piece(self, data: bytes) -> None:
        self._serving.send_data(self._stream, data)

    def end(self) -> None:
        self._serving.change(self._stream, lambda state: state.end_stream(self._stream))
        self._serving.forget(self._stream)

    def answer(
        self, status: int, headers: Iterable[tuple[str, str]] = (), body: bytes = b""
    ) -> None:
        self._send_head(status, [*headers, *length_of(status, body)], ends=not body)
        if body:
            self.piece(body)
            self.end()
        else:
            self._serving.forget(self._stream)

    def wait_for_close(self) -> None:
        self._serving.wait_for_close(self._stream)

    def reset(self) -> None:
        self._reset(ErrorCodes.INTERNAL_ERROR)

    def refuse(self) -> None:
        self._reset(ErrorCodes.REFUSED_STREAM)

    def say_goodbye(self) -> None:
        self._serving.say_goodbye(self._stream)

    def close(self) -> None:
        self._serving.close()

    def break_off(self) -> None:
        self._serving.break_off()

    def _reset(self, error: ErrorCodes) -> None:
        self._serving.change(self._stream, lambda state: state.reset_stream(self._stream, error))
        self._serving.forget(self._stream)

    def _send_head(self, status: int, fields: list[tuple[str, str]], *, ends: bool) -> None:
        head = to_send([(":status", str(status)), *fields])
        self._serving.change(
            self._stream, lambda state: state.send_headers(self._stream, head, end_stream=ends)
        )
