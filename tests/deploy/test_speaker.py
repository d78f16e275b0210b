"""What the start-up clock asks with, against the real echo backend over every protocol."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from urllib.parse import urlsplit

import pytest

from loadstone.deploy.dependencies.echo import start_echo
from loadstone.deploy.dependencies.interface import Place
from loadstone.deploy.speaker import SpokenWrongly, speaker
from loadstone.deploy.startup_clock import ask
from loadstone.machine.tls_material import TlsMaterial, make_tls_material
from loadstone.study.values.manifest import Ready
from loadstone.study.values.model import Check, Operation, Protocol

BODY = "right" * 40_000
"""More than the windows of HTTP/2 begin with."""
OPERATION = Operation(
    operation="any",
    method="POST",
    path="/",
    headers=(("Content-Type", "text/x"),),
    body=BODY,
    check=Check(status=200),
)


@pytest.fixture
def material(tmp_path: Path) -> TlsMaterial:
    return make_tls_material(tmp_path)


@contextmanager
def echo(protocol: Protocol, material: TlsMaterial, logs: Path) -> Iterator[str]:
    """A backend, by host and port."""
    backend = start_echo(Place("backend", (0,), logs, protocol, material, cache=logs))
    try:
        assert urlsplit(backend.url).scheme == protocol.scheme
        yield urlsplit(backend.url).netloc
    finally:
        backend.stop()


def connect(address: str) -> socket.socket:
    host, _, port = address.partition(":")
    return socket.create_connection((host, int(port)), timeout=10)


@pytest.mark.parametrize("protocol", Protocol)
def test_it_speaks_every_protocol(
    protocol: Protocol, material: TlsMaterial, tmp_path: Path
) -> None:
    speak = speaker(protocol, material.authority)
    with echo(protocol, material, tmp_path) as address:
        for _ in range(2):
            with connect(address) as connection:
                assert speak(connection, address, OPERATION) == (200, BODY.encode())
        with connect(address) as connection:
            ready = Ready(operation=OPERATION, body_equals_request=True)
            assert ask(connection, address, ready, speak) is None


@pytest.mark.parametrize(
    ("spoken", "served"),
    [(Protocol.H2C, Protocol.H1C), (Protocol.H1C, Protocol.H2C), (Protocol.H2, Protocol.H1)],
)
def test_another_protocol_is_no_answer(
    spoken: Protocol, served: Protocol, material: TlsMaterial, tmp_path: Path
) -> None:
    with (
        echo(served, material, tmp_path) as address,
        connect(address) as connection,
        pytest.raises((SpokenWrongly, OSError)),
    ):
        speaker(spoken, material.authority)(connection, address, OPERATION)


def test_a_server_of_another_authority_is_not_asked(material: TlsMaterial, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    other = make_tls_material(tmp_path / "other")
    with (
        echo(Protocol.H1, material, tmp_path) as address,
        connect(address) as connection,
        pytest.raises(OSError, match="certificate verify failed"),
    ):
        speaker(Protocol.H1, other.authority)(connection, address, OPERATION)


def answering(listener: socket.socket, data: bytes) -> Thread:
    """Answer one connection with these bytes, whatever it asks."""

    def answer() -> None:
        accepted, _ = listener.accept()
        with accepted:
            accepted.recv(65536)
            accepted.sendall(data)
            accepted.shutdown(socket.SHUT_WR)
            with suppress(ConnectionError):
                while accepted.recv(65536):  # closed with bytes unread, it would be reset
                    pass

    thread = Thread(target=answer)
    thread.start()
    return thread


SETTINGS = b"\0\0\0\4\0\0\0\0\0"
GOAWAY = b"\0\0\x08\7\0\0\0\0\0" + bytes(8)
RESET = b"\0\0\4\3\0\0\0\0\1" + bytes(4)


@pytest.mark.parametrize(
    ("protocol", "data", "said"),
    [
        (Protocol.H2C, SETTINGS + GOAWAY, "takes no more streams"),
        (Protocol.H2C, SETTINGS + RESET, "the stream was reset"),
        (Protocol.H2C, SETTINGS, "before the answer was whole"),
        (Protocol.H2C, b"HTTP/1.1 400 Bad Request\r\n\r\n", "HTTP/2"),
        (Protocol.H1C, b"SSH-2.0-OpenSSH_9.2\r\n", "BadStatusLine"),
        (Protocol.H1C, b"", "RemoteDisconnected"),
    ],
)
def test_what_is_no_answer_is_said(protocol: Protocol, data: bytes, said: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = answering(listener, data)
        address = f"127.0.0.1:{listener.getsockname()[1]}"
        with connect(address) as connection, pytest.raises((SpokenWrongly, OSError), match=said):
            speaker(protocol)(connection, address, OPERATION.model_copy(update={"body": "a"}))
        thread.join()


def test_an_answer_in_http_1_0_is_one() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = answering(listener, b"HTTP/1.0 200 OK\r\n\r\nright")
        address = f"127.0.0.1:{listener.getsockname()[1]}"
        with connect(address) as connection:
            assert speaker(Protocol.H1C)(connection, address, OPERATION) == (200, b"right")
        thread.join()
