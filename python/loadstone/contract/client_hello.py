"""What a TLS client offers, read from its first bytes: a TLS library tells its server only what was
agreed, and the contract is also about what was offered.

Structure by RFC 8446, 4.1.2 and 5.1; the extension by RFC 7301. What does not add up is refused.
"""

_HANDSHAKE_RECORD = 22
_CLIENT_HELLO = 1
_ALPN = 16
_RANDOM_BYTES = 32


def offered_protocols(data: bytes) -> tuple[str, ...]:
    """Return the protocols that a ClientHello offers by ALPN, none where it has no such extension.

    Bytes behind the ClientHello do not count. Raises ValueError where there is no whole one.
    """
    hello = _Reader(_client_hello(data))
    hello.take(2 + _RANDOM_BYTES)  # the version of old, and the random
    hello.vector(1)  # session
    hello.vector(2)  # cipher suites
    hello.vector(1)  # compression
    if hello.is_empty:
        return ()
    extensions = _Reader(hello.vector(2))
    hello.expect_end()
    offered: tuple[str, ...] | None = None
    while not extensions.is_empty:
        kind, content = extensions.number(2), extensions.vector(2)
        if kind == _ALPN:
            if offered is not None:
                raise ValueError("the ClientHello has two lists of protocols")
            offered = _names(content)
    return offered or ()


def _client_hello(data: bytes) -> bytes:
    """The body of the first handshake message, from as many records as it has."""
    records, message = _Reader(data), b""
    while len(message) < 4 or len(message) < 4 + int.from_bytes(message[1:4]):
        if records.number(1) != _HANDSHAKE_RECORD:
            raise ValueError("not a TLS handshake")
        records.take(2)  # the version of old
        fragment = records.vector(2)
        if not fragment:
            raise ValueError("an empty handshake record")
        message += fragment
    if message[0] != _CLIENT_HELLO:
        raise ValueError("the first message is not a ClientHello")
    return message[4 : 4 + int.from_bytes(message[1:4])]


def _names(content: bytes) -> tuple[str, ...]:
    outer = _Reader(content)
    inner = _Reader(outer.vector(2))
    outer.expect_end()
    names = []
    while not inner.is_empty:
        name = inner.vector(1)
        if not name:
            raise ValueError("an empty name of a protocol")
        names.append(name.decode("latin-1"))
    if not names:
        raise ValueError("an empty list of protocols")
    return tuple(names)


class _Reader:
    def __init__(self, data: bytes) -> None:
        self._data = data

    @property
    def is_empty(self) -> bool:
        return not self._data

    def take(self, count: int) -> bytes:
        if len(self._data) < count:
            raise ValueError("the ClientHello is cut")
        taken, self._data = self._data[:count], self._data[count:]
        return taken

    def number(self, size: int) -> int:
        return int.from_bytes(self.take(size))

    def vector(self, size: int) -> bytes:
        """What follows a length of that many bytes."""
        return self.take(self.number(size))

    def expect_end(self) -> None:
        if self._data:
            raise ValueError("the ClientHello is longer than it says")
