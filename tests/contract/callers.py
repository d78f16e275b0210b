"""Connections to a recording upstream in its own protocol, for a test."""

from loadstone.contract.client import Connection
from loadstone.contract.connect import caller_context
from loadstone.contract.connect import connect as open_connection
from loadstone.contract.deadline import Deadline
from loadstone.contract.http2_client import Http2Connection
from loadstone.contract.upstream import RecordingUpstream

SECONDS = 10.0


def address_of(upstream: RecordingUpstream) -> tuple[str, int]:
    host, _, port = upstream.authority.partition(":")
    return host, int(port)


def connect(upstream: RecordingUpstream) -> Connection:
    authority = upstream.material.authority if upstream.material else None
    context = caller_context(upstream.protocol, authority)
    return open_connection(address_of(upstream), Deadline(SECONDS), upstream.protocol, context)


def connect_http2(upstream: RecordingUpstream) -> Http2Connection:
    connection = connect(upstream)
    assert isinstance(connection, Http2Connection)
    return connection
