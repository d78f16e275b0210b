"""What a check is given: the service under test, and perhaps the upstream that records."""

import ssl
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from loadstone.contract.channel import client_context
from loadstone.contract.client import Answer, Connection
from loadstone.contract.connect import caller_context, connect, connect_offering
from loadstone.contract.deadline import Deadline
from loadstone.contract.http1_client import Http1Connection
from loadstone.contract.http2_client import Http2Connection
from loadstone.contract.stand import ServiceProcess, Stand, Surroundings
from loadstone.contract.upstream import RecordingUpstream
from loadstone.errors import InputError
from loadstone.study.values.manifest import CLIENT_LEG
from loadstone.study.values.model import Protocol

UPSTREAM_LEG: Final = "upstream"
"""The leg from a gateway to the upstream that records."""


class Subject:
    """The service by its base URL, for the time of one check."""

    def __init__(
        self,
        base_url: str,
        upstream: RecordingUpstream | None,
        deadline: Deadline,
        legs: Mapping[str, Protocol] | None = None,
        authority: Path | None = None,
        operations: Collection[str] | None = None,
        around: Surroundings | None = None,
        process: ServiceProcess | None = None,
    ) -> None:
        legs = legs or {}
        self.client = legs.get(CLIENT_LEG, Protocol.H1C)
        """What callers speak."""
        self.upstream_protocol = legs.get(UPSTREAM_LEG, Protocol.H1C)
        """What is spoken to the upstream."""
        self.authority = authority
        """PEM file by which callers verify the service; none: the authorities of the machine."""
        self._operations = operations
        self._legs, self._around, self._process = legs, around, process
        parts = urlsplit(base_url)
        scheme = self.client.scheme
        if parts.scheme != scheme or parts.hostname is None or parts.port is None:
            raise InputError(
                f"a base URL of {self.client} is like {scheme}://127.0.0.1:9090, not {base_url!r}"
            )
        self.address = parts.hostname, parts.port
        self.deadline = deadline
        self._upstream = upstream

    @property
    def upstream(self) -> RecordingUpstream:
        """The upstream behind the service; only for checks declared with `needs_upstream`."""
        if self._upstream is None:
            raise RuntimeError("the check uses the upstream, but is not declared to need it")
        return self._upstream

    @property
    def stand(self) -> Stand:
        """The parts around the service; only for checks declared with `needs_stand`."""
        if self._around is None:
            raise RuntimeError("the check uses the stand, but is not declared to need it")
        return Stand(self._around, self)

    @property
    def process(self) -> ServiceProcess:
        """The process of this service; only for checks declared with `needs_stand`."""
        return self._process or self.stand.process

    def beside(self, base_url: str, process: ServiceProcess) -> "Subject":
        """The same for another process of the service, with the same upstream and deadline."""
        return Subject(
            base_url,
            self._upstream,
            self.deadline,
            self._legs,
            self.authority,
            self._operations,
            self._around,
            process,
        )

    def offers(self, operation: str) -> bool:
        """Whether the service has the operation."""
        return self._operations is None or operation in self._operations

    def connect(self) -> Connection:
        """Open a new connection to the service, in the protocol of its leg."""
        return connect(self.address, self.deadline, self.client, self._context)

    def connect_http1(self) -> Http1Connection:
        """Open a connection for raw bytes; only for checks about HTTP/1.1."""
        if self.client.is_http2:
            raise RuntimeError("the check is about HTTP/1.1, but is not declared to be")
        connection = self.connect()
        assert isinstance(connection, Http1Connection)
        return connection

    def connect_http2(self) -> Http2Connection:
        """Open a connection for several requests at the same time; only for checks about HTTP/2."""
        if not self.client.is_http2:
            raise RuntimeError("the check is about HTTP/2, but is not declared to be")
        connection = self.connect()
        assert isinstance(connection, Http2Connection)
        return connection

    def connect_offering(self, offers: Sequence[str]) -> Connection:
        """Open a connection that offers these versions by ALPN, and speak the one agreed on."""
        context = client_context(self.authority, offers)
        return connect_offering(self.address, self.deadline, context)

    def ask(
        self,
        target: str,
        headers: Iterable[tuple[str, str]] = (),
        body: bytes = b"",
        *,
        method: str = "POST",
    ) -> Answer:
        """Send one request on a connection of its own and return the whole answer."""
        with self.connect() as connection:
            return connection.send_request(target, headers, body, method=method).receive_answer()

    @cached_property
    def _context(self) -> ssl.SSLContext | None:
        return caller_context(self.client, self.authority)
