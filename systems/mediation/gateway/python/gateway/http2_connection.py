"""One connection of HTTP/2 to the upstream: h2 keeps the state, this the bytes and the streams."""

import asyncio
from collections.abc import Iterable
from typing import cast

from h2.config import H2Configuration
from h2.connection import ConnectionInputs, H2Connection, H2ConnectionStateMachine
from h2.events import (
    ConnectionTerminated,
    DataReceived,
    Event,
    RemoteSettingsChanged,
    ResponseReceived,
    StreamEnded,
    StreamReset,
    WindowUpdated,
)
from h2.exceptions import ProtocolError
from h2.settings import SettingCodes, Settings

from gateway.http2_stream import Http2Stream
from gateway.upstream import UpstreamFailed

# Room for what 256 streams hold that nobody reads at the moment, so that these hold up no other.
_WINDOW_BYTES = 16 << 20
_FIRST_WINDOW_BYTES = 65_535


class _StateMachine(H2ConnectionStateMachine):
    """Goes on after a GOAWAY: h2 takes it for the end, though streams that are open may still end well.

    RFC 9113, 6.8. What the upstream did not take is ended by Http2Connection.
    """

    def process_input(self, input_: ConnectionInputs) -> list[Event]:
        if input_ is ConnectionInputs.RECV_GOAWAY:
            return []
        return super().process_input(input_)


class Http2Connection(asyncio.Protocol):
    """Begins once its transport is connected; carries as many streams as the upstream allows."""

    def __init__(self, *, over_tls: bool) -> None:
        self._over_tls = over_tls
        self.h2 = H2Connection(
            H2Configuration(
                client_side=True, header_encoding=None, normalize_outbound_headers=False
            )
        )
        self.h2.state_machine = _StateMachine()
        self.h2.local_settings = Settings(client=True, initial_values={SettingCodes.ENABLE_PUSH: 0})
        self._transport: asyncio.Transport
        self._streams: dict[int, Http2Stream] = {}
        self._opened = 0
        self._settled: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._writable = asyncio.Event()
        self._writable.set()
        self.is_ending = False

    @property
    def has_stream_left(self) -> bool:
        """Whether the upstream allows one more stream at the moment."""
        return self._opened < self.h2.remote_settings.max_concurrent_streams

    def open_stream(self) -> Http2Stream:
        """Return a stream, which counts as open until it is closed."""
        self._opened += 1
        return Http2Stream(self)

    async def wait_for_settings(self) -> None:
        """Wait for the upstream's first frame, which tells how many streams it allows."""
        await self._settled

    def close(self) -> None:
        """Close at once; streams that are open are broken."""
        self.is_ending = True
        self.h2.close_connection()
        self.flush()
        self._transport.close()

    # What streams call.

    def begin(self, stream: Http2Stream, headers: list[tuple[bytes, bytes]], ended: bool) -> int:
        """Send a head, and return the stream's number. Raises UpstreamFailed."""
        if self.is_ending:
            raise UpstreamFailed("the upstream closed the connection")
        stream_id = self.h2.get_next_available_stream_id()
        try:
            self.h2.send_headers(stream_id, headers, end_stream=ended)
        except ProtocolError as error:
            raise UpstreamFailed(str(error)) from error
        self._streams[stream_id] = stream
        return stream_id

    def forget(self, stream_id: int | None) -> None:
        """Take a stream out, whose events are of no interest any more."""
        self._opened -= 1
        if stream_id is not None:
            self._streams.pop(stream_id, None)
        if self.is_ending and not self._streams:
            self._transport.close()

    def flush(self) -> None:
        """Write what h2 wants to be written."""
        data = self.h2.data_to_send()
        if data and not self._transport.is_closing():
            self._transport.write(data)

    async def drain(self) -> None:
        """Wait until the transport takes more."""
        await self._writable.wait()

    # What the event loop calls.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # uvloop's transports are none of asyncio's, though they do the same.
        self._transport = cast(asyncio.Transport, transport)
        tls = transport.get_extra_info("ssl_object")
        if self._over_tls and tls.selected_alpn_protocol() != "h2":
            self._end("the upstream did not agree to HTTP/2")
            return
        self.h2.initiate_connection()
        self.h2.increment_flow_control_window(_WINDOW_BYTES - _FIRST_WINDOW_BYTES)
        self.flush()

    def connection_lost(self, error: Exception | None) -> None:
        self._end(str(error) if error else "the upstream closed the connection")

    def pause_writing(self) -> None:
        self._writable.clear()

    def resume_writing(self) -> None:
        self._writable.set()

    def data_received(self, data: bytes) -> None:
        try:
            events = self.h2.receive_data(data)
        except ProtocolError as error:
            self.flush()
            self._end(f"the upstream broke the protocol: {error}")
            return
        for event in events:
            self._handle(event)
        self.flush()

    def _handle(self, event: Event) -> None:
        match event:
            case RemoteSettingsChanged():
                if not self._settled.done():
                    self._settled.set_result(None)
                self._window_changed(self._streams.values())
            case ConnectionTerminated():
                self._go_away(event)
            case WindowUpdated(stream_id=0):
                self._window_changed(self._streams.values())
            case (
                ResponseReceived()
                | DataReceived()
                | StreamEnded()
                | StreamReset()
                | WindowUpdated()
            ):
                stream = self._streams.get(event.stream_id or 0)
                if stream is not None:
                    stream.receive(event)
                elif isinstance(event, DataReceived):
                    self.acknowledge(event.stream_id or 0, event.flow_controlled_length or 0)

    def acknowledge(self, stream_id: int, size: int) -> None:
        """Give the upstream room again for what was read."""
        if size and not self._transport.is_closing():
            self.h2.acknowledge_received_data(size, stream_id)
            self.flush()

    def _window_changed(self, streams: Iterable[Http2Stream]) -> None:
        for stream in streams:
            stream.window_changed.set()

    def _go_away(self, event: ConnectionTerminated) -> None:
        self.is_ending = True
        last = event.last_stream_id or 0
        for stream_id, stream in list(self._streams.items()):
            if stream_id > last:
                stream.fail("the upstream ends the connection")
        if not self._streams:
            self._transport.close()

    def _end(self, message: str) -> None:
        self.is_ending = True
        self._transport.close()
        self._writable.set()
        if not self._settled.done():
            self._settled.set_exception(UpstreamFailed(message))
            # Now it counts as seen also where nobody waits any more.
            self._settled.exception()
        for stream in self._streams.values():
            stream.fail(message)
