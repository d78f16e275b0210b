"""One request over an open connection, in whatever a leg speaks: what the start-up clock asks with.

Everything that can be made beforehand is, so that an attempt costs little.
"""

import http.client
import socket
import ssl
from collections.abc import Callable
from pathlib import Path

import h2.config
import h2.connection
import h2.events
import h2.exceptions

from loadstone.contract.connect import caller_context
from loadstone.study.values.model import Operation, Protocol

Speak = Callable[[socket.socket, str, Operation], tuple[int, bytes]]
"""Sends an operation to an authority (`host:port`); returns status and body.

Raises OSError where the connection fails, SpokenWrongly where what comes is not that protocol.
"""

_RECEIVE_BYTES = 64 << 10
_STREAM = 1


class SpokenWrongly(Exception):
    """The service answers, in something else than its leg speaks."""


def speaker(protocol: Protocol, authority: Path | None = None) -> Speak:
    """Return what asks in a protocol; over TLS the service is verified by the PEM file `authority`."""
    ask = _ask_http2 if protocol.is_http2 else _ask_http1
    context = caller_context(protocol, authority)
    if context is None:
        return ask

    def ask_over_tls(
        connection: socket.socket, host: str, operation: Operation
    ) -> tuple[int, bytes]:
        name = host.rpartition(":")[0].strip("[]")
        with context.wrap_socket(connection, server_hostname=name) as over_tls:
            found = over_tls.selected_alpn_protocol()
            if not protocol.is_agreed(found):
                raise SpokenWrongly(f"ALPN chose {found}, not {protocol.alpn}")
            return ask(over_tls, host, operation)

    return ask_over_tls


def _ask_http1(connection: socket.socket, host: str, operation: Operation) -> tuple[int, bytes]:
    client = http.client.HTTPConnection(host)
    client.sock = connection
    body = operation.body.encode() or None
    try:
        client.request(operation.method, operation.path, body, dict(operation.headers))
        response = client.getresponse()
        return response.status, response.read()
    except http.client.HTTPException as error:
        raise SpokenWrongly(f"{type(error).__name__}: {error}") from error


def _ask_http2(connection: socket.socket, host: str, operation: Operation) -> tuple[int, bytes]:
    spoken = h2.connection.H2Connection(h2.config.H2Configuration())
    spoken.initiate_connection()
    body = operation.body.encode()
    head = [
        (":method", operation.method),
        (":scheme", "https" if isinstance(connection, ssl.SSLSocket) else "http"),
        (":authority", host),
        (":path", operation.path),
        *((name.lower(), value) for name, value in operation.headers),
    ]
    spoken.send_headers(_STREAM, head, end_stream=not body)
    for start in range(0, len(body), spoken.max_outbound_frame_size):
        piece = body[start : start + spoken.max_outbound_frame_size]
        spoken.send_data(_STREAM, piece, end_stream=start + len(piece) == len(body))
    connection.sendall(spoken.data_to_send())
    try:
        return _answer_http2(connection, spoken)
    except h2.exceptions.ProtocolError as error:
        raise SpokenWrongly(f"{type(error).__name__}: {error}") from error


def _answer_http2(
    connection: socket.socket, spoken: h2.connection.H2Connection
) -> tuple[int, bytes]:
    status, body = 0, b""
    while data := connection.recv(_RECEIVE_BYTES):
        for event in spoken.receive_data(data):
            if isinstance(event, h2.events.ResponseReceived):
                status = int(dict(event.headers)[b":status"])
            elif isinstance(event, h2.events.DataReceived):
                body += event.data
                spoken.acknowledge_received_data(event.flow_controlled_length, _STREAM)
            elif isinstance(event, h2.events.StreamEnded):
                return status, body
            elif isinstance(event, h2.events.StreamReset | h2.events.ConnectionTerminated):
                raise SpokenWrongly(f"the answer was broken off: {type(event).__name__}")
        connection.sendall(spoken.data_to_send())
    raise SpokenWrongly("the connection was closed without a whole answer")
