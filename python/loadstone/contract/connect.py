"""Open a caller's connection by the protocol of its leg."""

import socket
import ssl
from pathlib import Path

from loadstone.contract.channel import Channel, Handshake, TlsChannel, client_context
from loadstone.contract.client import Connection
from loadstone.contract.deadline import Deadline
from loadstone.contract.http1_client import Http1Connection
from loadstone.contract.http2_client import Http2Connection
from loadstone.study.values.model import Protocol
from loadstone.text.at_port import at_port


def caller_context(protocol: Protocol, authority: Path | None) -> ssl.SSLContext | None:
    """Return how a caller of this leg does TLS; none in cleartext."""
    return client_context(authority, (protocol.alpn,)) if protocol.is_tls else None


def connect(
    address: tuple[str, int],
    deadline: Deadline,
    protocol: Protocol = Protocol.H1C,
    context: ssl.SSLContext | None = None,
) -> Connection:
    """Connect in the protocol of a leg. Raises OSError, also where TLS agrees on another version."""
    channel, handshake = _open(address, deadline, context)
    if handshake is not None and not protocol.is_agreed(handshake.agreed):
        channel.close()
        agreed = handshake.agreed or "nothing"
        raise ConnectionError(f"on {protocol}, {agreed} was agreed on by ALPN")
    return _speak(channel, handshake, at_port(*address), protocol)


def connect_offering(
    address: tuple[str, int], deadline: Deadline, context: ssl.SSLContext
) -> Connection:
    """Connect over TLS, and speak what was agreed on. Raises OSError."""
    channel, handshake = _open(address, deadline, context)
    is_http2 = handshake is not None and handshake.agreed == "h2"
    protocol = Protocol.H2 if is_http2 else Protocol.H1
    return _speak(channel, handshake, at_port(*address), protocol)


def _open(
    address: tuple[str, int], deadline: Deadline, context: ssl.SSLContext | None
) -> tuple[Channel, Handshake | None]:
    connection = socket.create_connection(address, deadline.remaining_seconds())
    if context is None:
        return Channel(connection, deadline), None
    channel = TlsChannel(connection, context, server_name=address[0], deadline=deadline)
    try:
        return channel, channel.shake_hands()
    except BaseException:
        connection.close()
        raise


def _speak(
    channel: Channel, handshake: Handshake | None, authority: str, protocol: Protocol
) -> Connection:
    if protocol.is_http2:
        connection = Http2Connection(channel, authority, handshake, scheme=protocol.scheme)
        connection.flush()  # servers end a connection on which nothing comes (Go: after 2 s)
        return connection
    return Http1Connection(channel, authority, handshake)
