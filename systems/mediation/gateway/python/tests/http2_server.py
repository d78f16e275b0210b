"""An upstream that speaks HTTP/2, frame by frame as a test says."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import cast

from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import DataReceived, Event, RequestReceived, StreamEnded, StreamReset
from h2.settings import SettingCodes, Settings

from gateway.config import Origin


class ServedConnection(asyncio.Protocol):
    """One connection of the gateway's; keeps what came, and calls back for each event."""

    def __init__(self, server: "Http2Server") -> None:
        self._server = server
        self.h2 = H2Connection(H2Configuration(client_side=False, header_encoding="utf-8"))
        self.transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        self._server.connections.append(self)
        self.h2.local_settings = Settings(client=False, initial_values=self._server.settings)
        self.h2.initiate_connection()
        self.flush()

    def data_received(self, data: bytes) -> None:
        for event in self.h2.receive_data(data):
            self._server.note(self, event)
        self.flush()

    def connection_lost(self, error: Exception | None) -> None:  # noqa: ARG002
        self._server.changed.set()

    def flush(self) -> None:
        self.transport.write(self.h2.data_to_send())

    def answer(self, stream_id: int, body: bytes) -> None:
        """Answer a request wholly."""
        self.begin(stream_id)
        self.h2.send_data(stream_id, body, end_stream=True)
        self.flush()

    def begin(self, stream_id: int) -> None:
        """Send the head of an answer."""
        self.h2.send_headers(stream_id, [(":status", "200"), ("x-stream", str(stream_id))])
        self.flush()


Behaviour = Callable[[ServedConnection, int], None]


class Http2Server:
    """Calls its behaviour with each request that is here to its end."""

    def __init__(self, behaviour: Behaviour, settings: dict[SettingCodes, int]) -> None:
        self.settings = settings
        self.connections: list[ServedConnection] = []
        self.heads: list[list[tuple[str, str]]] = []
        self.bodies: dict[tuple[int, int], bytes] = {}
        self.resets: list[int] = []
        self.changed = asyncio.Event()
        self._behaviour = behaviour

    def note(self, connection: ServedConnection, event: Event) -> None:
        key = (self.connections.index(connection), getattr(event, "stream_id", 0))
        match event:
            case RequestReceived():
                self.heads.append(cast(list[tuple[str, str]], event.headers))
                self.bodies[key] = b""
            case DataReceived():
                self.bodies[key] += event.data or b""
                connection.h2.acknowledge_received_data(event.flow_controlled_length or 0, key[1])
            case StreamEnded():
                self._behaviour(connection, key[1])
            case StreamReset():
                self.resets.append(key[1])
        self.changed.set()

    async def wait_until(self, condition: Callable[[], object]) -> None:
        while not condition():
            self.changed.clear()
            await self.changed.wait()


@asynccontextmanager
async def serving(
    behaviour: Behaviour, settings: dict[SettingCodes, int] | None = None
) -> AsyncGenerator[tuple[Http2Server, Origin]]:
    server = Http2Server(behaviour, settings or {})
    loop = asyncio.get_running_loop()
    listener = await loop.create_server(lambda: ServedConnection(server), "127.0.0.1", 0)
    port = listener.sockets[0].getsockname()[1]
    try:
        yield server, Origin("http", "127.0.0.1", port, f"127.0.0.1:{port}")
    finally:
        listener.close()
        for connection in server.connections:
            connection.transport.abort()
