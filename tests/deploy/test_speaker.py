"""What the start-up clock asks with, against the real echo backend over every protocol."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from loadstone.deploy.dependencies.echo import start_echo
from loadstone.deploy.dependencies.interface import Place
from loadstone.deploy.speaker import SpokenWrongly, speaker
from loadstone.deploy.startup_clock import ask
from loadstone.machine.tls_material import TlsMaterial, make_tls_material
from loadstone.study.values.manifest import Ready
from loadstone.study.values.model import Check, Operation, Protocol

BODY = "right" * 10_000
"""More than one frame of HTTP/2."""
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
    backend = start_echo(Place("backend", (0,), logs, protocol, material))
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
