"""What a check is given: the service under test, and perhaps the upstream that records."""

from collections.abc import Iterable
from urllib.parse import urlsplit

from loadstone.contract.client import Answer, Connection, Deadline
from loadstone.contract.upstream import RecordingUpstream
from loadstone.errors import InputError


class Subject:
    """The service by its base URL, for the time of one check."""

    def __init__(
        self, base_url: str, upstream: RecordingUpstream | None, deadline: Deadline
    ) -> None:
        parts = urlsplit(base_url)
        if parts.scheme != "http" or parts.hostname is None or parts.port is None:
            raise InputError(f"a base URL is like http://127.0.0.1:9090, not {base_url!r}")
        self.address = parts.hostname, parts.port
        self.deadline = deadline
        self._upstream = upstream

    @property
    def upstream(self) -> RecordingUpstream:
        """The upstream behind the service; only for checks declared with `needs_upstream`."""
        if self._upstream is None:
            raise RuntimeError("the check uses the upstream, but is not declared to need it")
        return self._upstream

    def connect(self) -> Connection:
        """Open a new connection to the service."""
        return Connection(self.address, self.deadline)

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
            connection.send_request(target, headers, body, method=method)
            return connection.receive_answer(method=method)
