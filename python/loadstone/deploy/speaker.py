"""One request over an open connection, in whatever a leg speaks: what the start-up clock asks with.

Everything that can be made beforehand is, so that an attempt costs little. HTTP/2 is spoken by the
caller of the contract, which is as strict here; HTTP/1.1 by Python's, since a service that answers in
HTTP/1.0 is up as well.
"""

import http.client
import socket
import ssl
from collections.abc import Callable
from pathlib import Path

from loadstone.contract.channel import Channel
from loadstone.contract.connect import caller_context
from loadstone.contract.faults import ServiceFault
from loadstone.contract.http2_client import Http2Connection
from loadstone.study.values.model import Operation, Protocol

Speak = Callable[[socket.socket, str, Operation], tuple[int, bytes]]
"""Sends an operation to an authority (`host:port`); returns status and body.

Raises OSError where the connection fails, SpokenWrongly where what comes is not that protocol.
"""


class SpokenWrongly(ServiceFault):
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
        with client.getresponse() as response:
            return response.status, response.read()
    except http.client.HTTPException as error:
        raise SpokenWrongly(f"{type(error).__name__}: {error}") from error


def _ask_http2(connection: socket.socket, host: str, operation: Operation) -> tuple[int, bytes]:
    scheme = "https" if isinstance(connection, ssl.SSLSocket) else "http"
    caller = Http2Connection(Channel(connection), host, None, scheme=scheme)
    body = operation.body.encode()
    try:
        answer = caller.send_request(
            operation.path, operation.headers, body, method=operation.method
        ).receive_answer()
    except ServiceFault as error:
        raise SpokenWrongly(f"{type(error).__name__}: {error}") from error
    return answer.status, answer.body
