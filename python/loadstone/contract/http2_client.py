"""A caller's connection of HTTP/2: several requests at the same time, each on a stream of its own.

Strict: what the library does not take for HTTP/2, such as a field that is only for HTTP/1.1, is an
Http2Fault. Nothing is read ahead of the check: a stream's window is opened only by what was taken
from it, while the window of the whole connection is large, so that no stream holds up another here.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import suppress

from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.errors import ErrorCodes
from h2.events import (
    DataReceived,
    Event,
    InformationalResponseReceived,
    RemoteSettingsChanged,
    ResponseReceived,
    StreamEnded,
    StreamReset,
)
from h2.exceptions import InvalidBodyLengthError, ProtocolError, TooManyStreamsError
from h2.settings import SettingCodes, Settings

from loadstone.contract.channel import Channel, Handshake
from loadstone.contract.client import Call, Connection
from loadstone.contract.faults import ServiceFault
from loadstone.contract.http2_fields import received, to_send
from loadstone.contract.http2_frames import GoAwayFilter
from loadstone.contract.wire import BrokenMessage, Head, read_status

CONNECTION_WINDOW_BYTES = 256 << 20
"""More than any check receives on one connection."""


class Http2Fault(ServiceFault):
    """The other side did what HTTP/2 does not allow."""


class Http2Connection(Connection):
    """Many requests at the same time. A single thread drives it.

    How it begins is written by `flush`, else together with the first request.
    """

    def __init__(
        self, channel: Channel, authority: str, handshake: Handshake | None, *, scheme: str
    ) -> None:
        super().__init__(channel, authority, handshake)
        self._scheme = scheme
        self.state = H2Connection(
            H2Configuration(client_side=True, header_encoding=None, normalize_inbound_headers=False)
        )
        self._filter = GoAwayFilter(preface_bytes=0)
        self._calls: dict[int, _Http2Call] = {}
        self._has_settings = self._has_ended = False
        self.state.local_settings = Settings(
            client=True, initial_values={SettingCodes.ENABLE_PUSH: 0}
        )
        self.state.initiate_connection()
        self.state.increment_flow_control_window(CONNECTION_WINDOW_BYTES)

    def begin(
        self,
        target: str,
        headers: Iterable[tuple[str, str]] = (),
        *,
        method: str = "POST",
        length: int | None = None,
    ) -> Call:
        """Open a stream and send the head of a request on it."""
        framing = [] if length is None else [("content-length", str(length))]
        call = self._open(target, [*headers, *framing], method, ends=False)
        self.flush()
        return call

    def send_request(
        self,
        target: str,
        headers: Iterable[tuple[str, str]] = (),
        body: bytes = b"",
        *,
        method: str = "POST",
    ) -> Call:
        """Send a whole request on a stream of its own."""
        if not body:
            call = self._open(target, headers, method, ends=True)
            self.flush()
            return call
        call = self._open(
            target, [*headers, ("content-length", str(len(body)))], method, ends=False
        )
        call.send(body, ends=True)
        return call

    def wait_for_end(self) -> None:
        """Wait for a GOAWAY, or for the end without one."""
        while self._filter.seen is None and not self._has_ended:
            self.receive()

    def wait_for_settings(self) -> int:
        """Wait for the other side's settings; return how many streams it allows at the same time."""
        while not self._has_settings and not self._has_ended:
            self.receive()
        return self.state.remote_settings.max_concurrent_streams

    def flush(self) -> None:
        """Write what the library has to say."""
        if data := self.state.data_to_send():
            # Whether the other side is gone is seen in reading, behind what it has said before.
            with suppress(ConnectionError):
                self._channel.send(data)

    def receive(self) -> None:
        """Say what there is to say, wait for the next bytes, and note on the streams what they say."""
        self.flush()
        try:
            data = self._channel.receive()
        except ConnectionError as error:
            self._end_all(str(error))
            return
        if not data:
            self._end_all("the connection was closed")
            return
        try:
            events = self.state.receive_data(self._filter.feed(data))
        except InvalidBodyLengthError as error:
            raise BrokenMessage(f"the body is not as long as it says: {error}") from error
        except ProtocolError as error:
            raise Http2Fault(f"not HTTP/2: {error}") from error
        for event in events:
            self._note(event)
        self._break_late()

    def _open(
        self, target: str, headers: Iterable[tuple[str, str]], method: str, *, ends: bool
    ) -> "_Http2Call":
        pseudo = [
            (":method", method),
            (":scheme", self._scheme),
            (":authority", self.authority),
            (":path", target),
        ]
        stream = self.state.get_next_available_stream_id()
        try:
            self.state.send_headers(stream, to_send([*pseudo, *headers]), end_stream=ends)
        except TooManyStreamsError as error:
            raise Http2Fault(f"fewer streams are allowed at the same time: {error}") from error
        call = _Http2Call(self, stream, method)
        self._calls[stream] = self._last = call
        self._break_late()
        return call

    def _break_late(self) -> None:
        """Streams behind a GOAWAY have no answer."""
        goaway = self._filter.seen
        for stream, call in self._calls.items():
            if goaway is not None and stream > goaway.last_stream:
                call.note_broken(f"the connection takes no more streams (GOAWAY {goaway.error})")

    def _note(self, event: Event) -> None:
        if isinstance(event, RemoteSettingsChanged):
            self._has_settings = True
        stream = getattr(event, "stream_id", None)
        if stream in self._calls:
            self._calls[stream].note(event)

    def _end_all(self, why: str) -> None:
        goaway = self._filter.seen
        said = f" (GOAWAY {goaway.error})" if goaway is not None else ""
        self._has_ended = True
        for call in self._calls.values():
            call.note_broken(f"{why}{said} before the answer was whole")


class _Http2Call(Call):
    def __init__(self, connection: Http2Connection, stream: int, method: str) -> None:
        super().__init__(method)
        self._connection, self._stream = connection, stream
        self._heads: deque[tuple[int, Head]] = deque()
        self._pieces: deque[tuple[bytes, int]] = deque()
        self._is_whole = False
        self._broken: str | None = None

    def send_piece(self, data: bytes) -> None:
        self.send(data, ends=False)

    def end(self) -> None:
        self.send(b"", ends=True)

    def send(self, data: bytes, *, ends: bool) -> None:
        """Send as the windows allow; of a stream that the other side has ended, no more."""
        state, rest = self._connection.state, memoryview(data)
        while rest and not self._is_over:
            window = state.local_flow_control_window(self._stream)
            size = min(len(rest), window, state.max_outbound_frame_size)
            if size > 0:
                state.send_data(self._stream, bytes(rest[:size]), ends and size == len(rest))
                rest = rest[size:]
                self._connection.flush()
            else:
                self._connection.receive()
        if ends and not data and not self._is_over:
            state.end_stream(self._stream)
            self._connection.flush()

    def receive_head(self) -> tuple[int, Head]:
        while not self._heads:
            self._expect_more()
        return self._heads.popleft()

    def receive_pieces(self) -> Iterator[bytes]:
        state = self._connection.state
        while True:
            while self._pieces:
                piece, counted = self._pieces.popleft()
                if counted and not self._is_whole and self._broken is None:
                    state.increment_flow_control_window(counted, self._stream)
                    self._connection.flush()
                if piece:  # a server may send an empty frame only so that the head goes out
                    yield piece
            if self._is_whole:
                return
            self._expect_more()

    def reset(self) -> None:
        if self._is_over:
            return  # the other side was first
        self._connection.state.reset_stream(self._stream, ErrorCodes.CANCEL)
        self._broken = "this side gave the request up"
        self._connection.flush()

    def note(self, event: Event) -> None:
        """Note what has arrived on the stream."""
        if isinstance(event, ResponseReceived | InformationalResponseReceived):
            pseudo, fields = received(event.headers)
            status = dict(pseudo)[":status"]
            self._heads.append((read_status(status), Head(f"HTTP/2 {status}", fields)))
        elif isinstance(event, DataReceived):
            self._pieces.append((event.data, event.flow_controlled_length))
        elif isinstance(event, StreamEnded):
            self._is_whole = True
        elif isinstance(event, StreamReset):
            self.note_broken(f"the stream was reset (error {int(event.error_code)})")

    def note_broken(self, why: str) -> None:
        """Note that nothing more comes; an answer that is whole stays so."""
        if not self._is_whole and self._broken is None:
            self._broken = why

    @property
    def _is_over(self) -> bool:
        return self._is_whole or self._broken is not None

    def _expect_more(self) -> None:
        if self._broken is not None:
            raise BrokenMessage(self._broken)
        if self._is_whole:
            raise BrokenMessage("the answer has no further head")
        self._connection.receive()
