import ssl
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loadstone.contract.client_hello import offered_protocols

NAMES = st.lists(st.text("abc./0123\xe4", min_size=1, max_size=20), max_size=6)
SESSIONS = st.binary(max_size=32)
EXTENSIONS = st.lists(st.tuples(st.integers(17, 60), st.binary(max_size=30)), max_size=4)


def vector(size: int, content: bytes) -> bytes:
    return len(content).to_bytes(size) + content


def alpn(names: list[str]) -> bytes:
    listed = b"".join(vector(1, name.encode("latin-1")) for name in names)
    return b"\x00\x10" + vector(2, vector(2, listed))


def hello(extensions: bytes, session: bytes = b"") -> bytes:
    """A handshake message with these extensions."""
    body = b"\x03\x03" + bytes(32) + vector(1, session) + vector(2, b"\x13\x01")
    return b"\x01" + vector(3, body + vector(1, b"\x00") + vector(2, extensions))


def records(message: bytes, size: int) -> bytes:
    """A message in records of at most that many bytes."""
    pieces = [message[at : at + size] for at in range(0, len(message), size)]
    return b"".join(b"\x16\x03\x01" + vector(2, piece) for piece in pieces)


@given(NAMES, SESSIONS, EXTENSIONS, st.integers(1, 300), st.binary(max_size=20))
def test_what_is_offered_is_read_however_the_message_is_cut_into_records(
    names: list[str],
    session: bytes,
    others: list[tuple[int, bytes]],
    size: int,
    behind: bytes,
) -> None:
    extensions = b"".join(kind.to_bytes(2) + vector(2, content) for kind, content in others)
    message = hello(extensions + (alpn(names) if names else b"") + b"\x00\x2a\x00\x00", session)
    assert offered_protocols(records(message, size) + behind) == tuple(names)


@given(st.lists(st.sampled_from(["h2", "http/1.1", "h3", "spdy/3"]), unique=True))
def test_the_offer_of_a_real_client_is_read(names: list[str]) -> None:
    context = ssl.create_default_context()
    if names:
        context.set_alpn_protocols(names)
    sent = ssl.MemoryBIO()
    client = context.wrap_bio(ssl.MemoryBIO(), sent, server_hostname="localhost")
    with pytest.raises(ssl.SSLWantReadError):
        client.do_handshake()
    data = sent.read()
    assert offered_protocols(data) == tuple(names)
    for end in range(len(data)):
        with pytest.raises(ValueError):
            offered_protocols(data[:end])


@given(st.data())
def test_a_message_with_other_lengths_is_read_or_refused(data: st.DataObject) -> None:
    right = bytearray(records(hello(alpn(["h2", "http/1.1"])), 1000))
    at = data.draw(st.integers(0, len(right) - 1))
    right[at] = data.draw(st.integers(0, 255))
    with suppress(ValueError):  # nothing else may be raised
        offered_protocols(bytes(right))


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    with suppress(ValueError):
        offered_protocols(data)
    with suppress(ValueError):
        offered_protocols(records(hello(data), 1000))


def test_a_message_without_extensions_offers_nothing() -> None:
    body = b"\x03\x03" + bytes(32) + vector(1, b"") + vector(2, b"\x13\x01") + vector(1, b"\x00")
    assert offered_protocols(records(b"\x01" + vector(3, body), 1000)) == ()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"GET / HTTP/1.1\r\n\r\n", "not a TLS handshake"),
        (records(b"\x02" + vector(3, b""), 10), "not a ClientHello"),
        (b"\x16\x03\x01\x00\x00", "empty handshake record"),
        (records(hello(alpn(["h2"]) * 2), 1000), "two lists"),
        (records(hello(b"\x00\x10" + vector(2, vector(2, b""))), 1000), "empty list"),
        (records(hello(b"\x00\x10" + vector(2, vector(2, b"\x00"))), 1000), "empty name"),
        (records(hello(b"\x00\x10" + vector(2, vector(2, b"\x01a") + b"b")), 1000), "longer"),
        (records(hello(b"\x00\x10\x00\x09"), 1000), "cut"),
    ],
)
def test_what_does_not_add_up_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        offered_protocols(data)
