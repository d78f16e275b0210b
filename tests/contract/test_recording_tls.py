"""TLS of the contract's caller and of its recording upstream."""

import socket
import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread

import pytest
from callers import SECONDS, address_of, connect

from loadstone.contract.channel import TlsChannel, client_context, server_context
from loadstone.contract.connect import caller_context, connect_offering
from loadstone.contract.connect import connect as open_connection
from loadstone.contract.deadline import Deadline
from loadstone.contract.upstream import RecordingUpstream
from loadstone.machine.tls_material import TlsMaterial, make_tls_material
from loadstone.study.values.model import Protocol

OVER_TLS = [each for each in Protocol if each.is_tls]


@pytest.mark.parametrize("protocol", OVER_TLS)
@pytest.mark.parametrize("offers", [("h2", "http/1.1"), ("http/1.1",), ("h2",), ()])
def test_what_a_gateway_offers_and_what_is_agreed_on_are_recorded(
    material: TlsMaterial, protocol: Protocol, offers: tuple[str, ...]
) -> None:
    with RecordingUpstream(protocol, material) as upstream:
        context = client_context(material.authority, offers)
        with connect_offering(address_of(upstream), Deadline(SECONDS), context) as connection:
            assert connection.send_request("/", body=b"a").receive_answer().body == b"a"
        handshake = upstream.only_exchange().handshake
    has = "h2" if protocol is Protocol.H2 else "http/1.1"
    assert handshake is not None
    assert handshake.offered == offers
    assert handshake.agreed == (has if has in offers else None)
    assert handshake.version == "TLSv1.3"


def test_an_older_version_of_tls_is_accepted_by_the_upstream_and_recorded(
    material: TlsMaterial,
) -> None:
    context = client_context(material.authority, ["http/1.1"])
    context.minimum_version = context.maximum_version = ssl.TLSVersion.TLSv1_2
    with RecordingUpstream(Protocol.H1, material) as upstream:
        with connect_offering(address_of(upstream), Deadline(SECONDS), context) as connection:
            assert connection.send_request("/").receive_answer().status == 200
        handshake = upstream.only_exchange().handshake
    assert handshake is not None
    assert handshake.version == "TLSv1.2"


def test_in_cleartext_there_is_no_handshake(upstream: RecordingUpstream) -> None:
    with connect(upstream) as connection:
        connection.send_request("/").receive_answer()
        assert connection.handshake is None
    assert upstream.only_exchange().handshake is None


def test_a_caller_refuses_a_service_of_another_authority_or_name(
    material: TlsMaterial, tmp_path: Path
) -> None:
    assert material.elsewhere is not None
    for shown in (make_tls_material(tmp_path), material.elsewhere):
        with RecordingUpstream(Protocol.H1, shown) as upstream:
            context = caller_context(Protocol.H1, material.authority)
            with pytest.raises(ssl.SSLCertVerificationError):
                open_connection(address_of(upstream), Deadline(SECONDS), Protocol.H1, context)
            assert upstream.exchanges == ()


def test_a_caller_refuses_a_service_with_an_older_tls(material: TlsMaterial) -> None:
    server = server_context(material, ["http/1.1"])
    server.maximum_version = ssl.TLSVersion.TLSv1_2
    context = caller_context(Protocol.H1, material.authority)
    with listening(server) as address, pytest.raises(ssl.SSLError):
        open_connection(address, Deadline(SECONDS), Protocol.H1, context)


def test_a_caller_of_http_2_refuses_a_service_that_does_not_agree_to_it(
    material: TlsMaterial,
) -> None:
    with listening(server_context(material, ["http/1.1"])) as address:
        context = caller_context(Protocol.H2, material.authority)
        with pytest.raises(ConnectionError, match="on h2, nothing was agreed on by ALPN"):
            open_connection(address, Deadline(SECONDS), Protocol.H2, context)


@pytest.mark.parametrize("protocol", OVER_TLS)
def test_a_disguise_is_shown_to_new_connections_alone_and_dropped_afterwards(
    material: TlsMaterial, protocol: Protocol
) -> None:
    assert material.elsewhere is not None
    with RecordingUpstream(protocol, material) as upstream:
        deadline = Deadline(SECONDS)
        shown = upstream.disguised(deadline, material=material.elsewhere)
        with shown, pytest.raises(ssl.SSLCertVerificationError):
            connect(upstream)
        with upstream.disguised(deadline, agrees=()):
            context = client_context(material.authority, ("h2", "http/1.1"))
            with connect_offering(address_of(upstream), deadline, context) as connection:
                assert connection.handshake is not None
                assert connection.handshake.agreed is None
        with connect(upstream) as connection:
            assert connection.send_request("/", body=b"a").receive_answer().body == b"a"


def test_without_tls_there_is_nothing_to_disguise(upstream: RecordingUpstream) -> None:
    with pytest.raises(RuntimeError, match="no TLS on h1c"):
        upstream.disguised(Deadline(SECONDS), agrees=()).__enter__()
    with pytest.raises(ValueError, match="h2 needs a certificate"):
        RecordingUpstream(Protocol.H2)


@pytest.mark.parametrize("says_so", [True, False])
def test_an_end_that_was_not_said_is_told_from_one_that_was(
    material: TlsMaterial, says_so: bool
) -> None:
    def send_and_end(channel: TlsChannel, accepted: socket.socket) -> None:
        channel.send(b"whole?")
        (channel if says_so else accepted).close()

    with listening(server_context(material, ["http/1.1"]), send_and_end) as address:
        channel = TlsChannel(
            socket.create_connection(address),
            client_context(material.authority, ["http/1.1"]),
            server_name=address[0],
            deadline=Deadline(SECONDS),
        )
        channel.shake_hands()
        assert channel.receive() == b"whole?"
        if says_so:
            assert channel.receive() == b""
        else:
            with pytest.raises(ConnectionAbortedError, match="without a close_notify"):
                channel.receive()
        channel.close()


def test_bytes_go_both_ways_at_the_same_time(material: TlsMaterial) -> None:
    # Both threads write more than the kernel keeps, so neither may wait for the other.
    data = bytes(range(256)) * 40_000

    def echo(channel: TlsChannel, _accepted: socket.socket) -> None:
        while piece := channel.receive():
            channel.send(piece)
        channel.close()

    with listening(server_context(material, ["http/1.1"]), echo) as address:
        context = client_context(material.authority, ["http/1.1"])
        channel = TlsChannel(socket.create_connection(address), context, server_name=address[0])
        channel.shake_hands()
        sending = Thread(target=lambda: (channel.send(data), channel.finish_sending()))
        sending.start()
        received = b"".join(iter(channel.receive, b""))
        sending.join(SECONDS)
        channel.close()
    assert received == data


def test_what_has_come_can_still_be_received_after_the_end_of_sending(
    material: TlsMaterial,
) -> None:
    data = bytes(range(256)) * 500  # several records, which come at once

    def say(channel: TlsChannel, _accepted: socket.socket) -> None:
        channel.send(data)
        assert channel.receive() == b""
        channel.close()

    with listening(server_context(material, ["http/1.1"]), say) as address:
        context = client_context(material.authority, ["http/1.1"])
        channel = TlsChannel(socket.create_connection(address), context, server_name=address[0])
        channel.shake_hands()
        received = channel.receive()
        channel.finish_sending()
        received += b"".join(iter(channel.receive, b""))
        channel.close()
    assert received == data


@contextmanager
def listening(
    context: ssl.SSLContext,
    then: Callable[[TlsChannel, socket.socket], None] = lambda _channel, _accepted: None,
) -> Iterator[tuple[str, int]]:
    """A server that takes one connection, shakes hands on it, and does this."""

    def serve() -> None:
        accepted, _ = listener.accept()
        with accepted, suppress(OSError):
            channel = TlsChannel(accepted, context)
            channel.shake_hands()
            then(channel, accepted)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        serving = Thread(target=serve)
        serving.start()
        yield listener.getsockname()[:2]
        serving.join(SECONDS)
