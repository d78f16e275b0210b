"""Bytes both ways over one TCP connection, in cleartext or over TLS.

TLS runs over buffers in memory: one thread may write while another waits for bytes, which a wrapped
socket does not allow, and the server sees the bytes of the handshake.
"""

import socket
import ssl
import struct
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from loadstone.contract.client_hello import offered_protocols
from loadstone.contract.deadline import Deadline
from loadstone.machine.tls_material import TlsMaterial

_RECEIVE_BYTES = 64 << 10


@dataclass(frozen=True)
class Handshake:
    """What the two sides of a TLS connection said about protocols."""

    offered: tuple[str, ...]
    """What the client offered by ALPN, in its order."""
    agreed: str | None
    """What the server chose by ALPN."""
    version: str
    """Of TLS, such as `TLSv1.3`."""


class Channel:
    """In cleartext. With a deadline every wait ends by it."""

    def __init__(self, connection: socket.socket, deadline: Deadline | None = None) -> None:
        self._socket, self._deadline = connection, deadline
        self._breaks = False
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def shake_hands(self) -> Handshake | None:
        """Agree on encryption, where there is any."""
        return None

    def receive(self) -> bytes:
        """The next bytes, or none at the end."""
        self._limit()
        return self._socket.recv(_RECEIVE_BYTES)

    def send(self, data: bytes) -> None:
        """Write bytes as they are."""
        self._limit()
        self._socket.sendall(data)

    def finish_sending(self) -> None:
        """Say that nothing more comes; the other side is expected to close."""
        with suppress(OSError):  # it may have ended already
            self._socket.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        """End it in order."""
        self._socket.close()

    def break_off(self) -> None:
        """End it by a reset, as a process does that is killed."""
        self._break_at_the_end()
        self._socket.close()

    def break_off_the_reader(self) -> None:
        """Do so from another thread than the one that waits for bytes, and that is to close it.

        The kernel keeps a socket open for as long as a thread waits on it.
        """
        self._break_at_the_end()
        with suppress(OSError):  # it may have ended already
            self._socket.shutdown(socket.SHUT_RD)

    def stop(self) -> None:
        """Wake whoever waits on it, from another thread."""
        with suppress(OSError):  # it may have ended already
            self._socket.shutdown(socket.SHUT_RDWR)

    def _break_at_the_end(self) -> None:
        self._breaks = True
        with suppress(OSError):  # it may have ended already
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    def _limit(self) -> None:
        if self._deadline is not None:
            self._socket.settimeout(self._deadline.remaining_seconds())


class TlsChannel(Channel):
    """Over TLS: a client where the server's name is given, else a server."""

    def __init__(
        self,
        connection: socket.socket,
        context: ssl.SSLContext,
        *,
        server_name: str | None = None,
        deadline: Deadline | None = None,
    ) -> None:
        super().__init__(connection, deadline)
        self._incoming, self._outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = context.wrap_bio(
            self._incoming,
            self._outgoing,
            server_side=server_name is None,
            server_hostname=server_name,
        )
        self._changing, self._sending = Lock(), Lock()
        self._decrypted: deque[bytes] = deque()

    def shake_hands(self) -> Handshake:
        """Raise OSError, which an SSLError is, where the two sides do not agree."""
        received = b""
        while True:
            try:
                self._tls.do_handshake()
                break
            except ssl.SSLWantReadError:
                self._flush()
            except ssl.SSLError:
                with suppress(OSError):  # the other side is told why, if it listens
                    self._flush()
                raise
            data = super().receive()
            if not data:
                raise ConnectionAbortedError("the connection ended in the TLS handshake")
            received += data
            self._incoming.write(data)
        self._flush()
        return Handshake(
            offered=offered_protocols(received) if self._tls.server_side else (),
            agreed=self._tls.selected_alpn_protocol(),
            version=self._tls.version() or "",
        )

    def receive(self) -> bytes:
        """The next bytes, or none after the other side has said that it ends.

        Raises ConnectionAbortedError where the connection ends unsaid: what came before it may be cut.
        """
        while True:
            with self._changing, suppress(ssl.SSLWantReadError):
                if self._decrypted:
                    return self._decrypted.popleft()
                try:
                    return self._tls.read(_RECEIVE_BYTES)
                except ssl.SSLZeroReturnError:
                    return b""
            data = super().receive()
            if not data:
                raise ConnectionAbortedError("the connection ended without a close_notify")
            with self._changing:
                self._incoming.write(data)

    def send(self, data: bytes) -> None:
        """Encrypt and write."""
        with self._changing:
            rest = memoryview(data)
            while rest:
                rest = rest[self._tls.write(rest) :]
        self._flush()

    def finish_sending(self) -> None:
        """Say so in TLS as well."""
        self._say_goodbye()
        super().finish_sending()

    def close(self) -> None:
        """Say so in TLS as well."""
        if not self._breaks:
            self._say_goodbye()
        super().close()

    def _say_goodbye(self) -> None:
        # The answer is not waited for: the error is that it has not come yet.
        with suppress(OSError), self._changing:
            self._decrypt()
            self._tls.unwrap()
        with suppress(OSError):  # it may have ended already
            self._flush()

    def _decrypt(self) -> None:
        """Take out what has come, for OpenSSL holds data in the place of an answer for a fault."""
        with suppress(ssl.SSLError):  # nothing more has come, or nothing will: `receive` is told it
            while piece := self._tls.read(_RECEIVE_BYTES):
                self._decrypted.append(piece)

    def _flush(self) -> None:
        with self._sending:  # across both steps, so that records keep their order
            with self._changing:
                data = self._outgoing.read()
            if data:
                super().send(data)


def client_context(authority: Path | None, offers: Sequence[str]) -> ssl.SSLContext:
    """Of a caller: TLS 1.3 alone, verified by one authority; none: those of the machine."""
    context = ssl.create_default_context(cafile=authority)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.set_alpn_protocols(list(offers))
    return context


def server_context(material: TlsMaterial, agrees: Sequence[str]) -> ssl.SSLContext:
    """Of the recording upstream: also TLS 1.2 is accepted, so that a check can say what was spoken."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.load_cert_chain(material.certificate, material.key)
    context.set_alpn_protocols(list(agrees))
    return context
