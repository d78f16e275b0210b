"""What the engine asks for and the server does not have: a failure of its own kind."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from certificates import Certificates, make, make_expired
from load import Ended, Load
from operations import ECHO
from real_servers import KINDS, RealServer, real_server

COUNT = 5
LOOPS = pytest.mark.parametrize("event_loop", ["epoll", "io_uring"])
Named = Callable[[str], RealServer]

# Hypercorn listens for both versions on each port.
ONE_VERSION = [name for name in KINDS if name != "hypercorn"]


def assert_all(ended: Ended, outcomes: set[str], text: str = "") -> None:
    (outcome,) = ended.outcomes
    assert outcome in outcomes, ended.errors
    assert ended.outcomes[outcome] == COUNT
    assert text in str(ended.errors[outcome])
    assert all(len(it) > 3 for it in ended.errors[outcome])


@LOOPS
# HAProxy turns to HTTP/2 whenever a client begins with it.
@pytest.mark.parametrize("name", [name for name in ONE_VERSION if name != "haproxy"])
def test_http_2_in_cleartext_to_a_server_of_http_1_1_is_protocol(
    server_named: Named, tmp_path: Path, name: str, event_loop: str
) -> None:
    port = server_named(name).ports["h1c"]
    ended = Load(port, "h2c", [ECHO], COUNT, event_loop).run(tmp_path)
    assert_all(ended, {"protocol"})


@LOOPS
@pytest.mark.parametrize("name", ONE_VERSION)
def test_http_2_over_tls_to_a_server_of_http_1_1_is_protocol_or_tls(
    server_named: Named, roots: dict[str, Any], tmp_path: Path, name: str, event_loop: str
) -> None:
    port = server_named(name).ports["h1"]
    ended = Load(port, "h2", [ECHO], COUNT, event_loop, tls=roots).run(tmp_path)
    assert_all(ended, {"protocol", "tls"})


@LOOPS
@pytest.mark.parametrize("name", ["go", "nginx", "hyper"])
def test_http_1_1_in_cleartext_to_a_server_of_http_2_is_no_success(
    server_named: Named, tmp_path: Path, name: str, event_loop: str
) -> None:
    port = server_named(name).ports["h2c"]
    ended = Load(port, "h1c", [ECHO], COUNT, event_loop).run(tmp_path)
    # The server says that it ends the connection, and resets it: which of them is seen is a race.
    assert set(ended.outcomes) <= {"protocol", "read", "status"}, ended.errors
    assert sum(ended.outcomes.values()) == COUNT


@LOOPS
@pytest.mark.parametrize("name", ["go", "nginx", "haproxy", "node", "hyper", "jetty"])
def test_a_downgrade_is_asserted(
    server_named: Named, roots: dict[str, Any], tmp_path: Path, name: str, event_loop: str
) -> None:
    ports = server_named(name).ports
    down = Load(ports["h1"], "h2-downgrade", [ECHO], COUNT, event_loop, tls=roots).run(tmp_path)
    assert down.outcomes == {"ok": COUNT}, down.errors
    assert down.summary["spoken"]["http"] == "1.1"
    stays = Load(ports["h2"], "h2-downgrade", [ECHO], COUNT, event_loop, tls=roots).run(tmp_path)
    assert_all(stays, {"protocol"})


@LOOPS
@pytest.mark.parametrize("protocol", ["h1", "h2"])
@pytest.mark.parametrize("name", list(KINDS))
def test_tls_to_a_cleartext_port_is_tls(
    server_named: Named, tmp_path: Path, name: str, protocol: str, event_loop: str
) -> None:
    port = server_named(name).ports["h1c"]
    untrusting = {"verify": False}
    ended = Load(port, protocol, [ECHO], COUNT, event_loop, tls=untrusting).run(tmp_path)
    assert_all(ended, {"tls"})


@LOOPS
@pytest.mark.parametrize("protocol", ["h1", "h2"])
def test_a_certificate_of_an_unknown_authority_is_tls(
    server_named: Named, tmp_path: Path, protocol: str, event_loop: str
) -> None:
    port = server_named("go").ports[protocol]
    other = make(tmp_path / "other")
    for tls in ({}, {"roots_pem": other.roots_pem}):
        ended = Load(port, protocol, [ECHO], COUNT, event_loop, tls=tls).run(tmp_path)
        assert_all(ended, {"tls"})
        assert ended.summary["connections"]["tls"]["failed"]["count"] == COUNT


@LOOPS
def test_a_certificate_for_another_name_is_tls(
    server_named: Named, roots: dict[str, Any], tmp_path: Path, event_loop: str
) -> None:
    port = server_named("go").ports["h1"]
    load = Load(port, "h1", [ECHO], COUNT, event_loop, tls=roots)
    address = f"127.0.0.1:{port}"
    target = {"address": address, "host": address, "server_name": "other.example"}
    load.keys["target"] = target
    assert_all(load.run(tmp_path), {"tls"})
    load.keys["target"] = target | {"server_name": "localhost"}
    assert load.run(tmp_path).outcomes == {"ok": COUNT}


@contextmanager
def expired_server(folder: Path) -> Iterator[tuple[RealServer, Certificates]]:
    certificates = make_expired(folder)
    with real_server("go", certificates) as server:
        yield server, certificates


@LOOPS
def test_an_expired_certificate_is_tls_unless_it_is_not_verified(
    tmp_path: Path, event_loop: str
) -> None:
    with expired_server(tmp_path / "expired") as (server, certificates):
        trusting = {"roots_pem": certificates.roots_pem}
        for protocol in ("h1", "h2"):
            port = server.ports[protocol]
            ended = Load(port, protocol, [ECHO], COUNT, event_loop, tls=trusting).run(tmp_path)
            assert_all(ended, {"tls"}, "xpired")
            blind = {"verify": False}
            ended = Load(port, protocol, [ECHO], COUNT, event_loop, tls=blind).run(tmp_path)
            assert ended.outcomes == {"ok": COUNT}, ended.errors
