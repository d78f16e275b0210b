"""What a TLS client of old says first, as bytes: libraries of today no longer do.

Structure by RFC 4346, 7.4.1.2, with the extensions of RFC 4492 and RFC 7301. Suites are those that a
server with a key of ECDSA or RSA has where it still speaks these versions.
"""

from secrets import token_bytes
from typing import Final

OLD_VERSIONS: Final = {"SSL 3.0": 0x0300, "TLS 1.0": 0x0301, "TLS 1.1": 0x0302}
"""By what they are called, as they stand on the wire."""

_HANDSHAKE_RECORD, _CLIENT_HELLO = 22, 1
_SUITES = (0xC009, 0xC00A, 0xC013, 0xC014, 0x002F, 0x0035)
_GROUPS = (0x0017, 0x0018, 0x001D)
_SUPPORTED_GROUPS, _POINT_FORMATS, _ALPN, _RENEGOTIATION = 10, 11, 16, 0xFF01


def client_hello(version: int) -> bytes:
    """The first bytes of a client that speaks this version and none that is newer."""
    extensions = b"".join(
        [
            _extension(_SUPPORTED_GROUPS, _vector(2, _numbers(_GROUPS))),
            _extension(_POINT_FORMATS, _vector(1, b"\0")),
            _extension(_ALPN, _vector(2, _vector(1, b"h2") + _vector(1, b"http/1.1"))),
            _extension(_RENEGOTIATION, _vector(1, b"")),
        ]
    )
    body = b"".join(
        [
            version.to_bytes(2),
            token_bytes(32),
            _vector(1, b""),  # session
            _vector(2, _numbers(_SUITES)),
            _vector(1, b"\0"),  # no compression
            _vector(2, extensions),
        ]
    )
    message = bytes([_CLIENT_HELLO]) + _vector(3, body)
    return bytes([_HANDSHAKE_RECORD]) + min(version, 0x0301).to_bytes(2) + _vector(2, message)


def _extension(kind: int, content: bytes) -> bytes:
    return kind.to_bytes(2) + _vector(2, content)


def _numbers(values: tuple[int, ...]) -> bytes:
    return b"".join(value.to_bytes(2) for value in values)


def _vector(size_bytes: int, content: bytes) -> bytes:
    return len(content).to_bytes(size_bytes) + content
