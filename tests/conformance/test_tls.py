"""TLS with real servers: each version, resumption, and IPv6."""

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from certificates import Certificates
from load import Load
from operations import ECHO
from real_servers import BINARIES, KINDS, RealServer, start

COUNT = 10
LOOPS = pytest.mark.parametrize("event_loop", ["epoll", "io_uring"])
Named = Callable[[str], RealServer]

OVER_TLS = [
    (name, protocol)
    for name, kind in KINDS.items()
    for protocol in kind.protocols
    if protocol in {"h1", "h2"}
]


def versions_of(name: str) -> tuple[str, ...]:
    """Which versions of TLS a server speaks; the echo backend, which is hyper, the newest alone."""
    return ("1.3",) if name == "hyper" else ("1.2", "1.3")


OF_EACH_VERSION = [
    (name, protocol, version) for name, protocol in OVER_TLS for version in versions_of(name)
]


@LOOPS
@pytest.mark.parametrize(("name", "protocol", "version"), OF_EACH_VERSION)
def test_each_version_of_tls_is_spoken_when_it_is_the_only_one_offered(
    server_named: Named,
    roots: dict[str, Any],
    tmp_path: Path,
    name: str,
    protocol: str,
    version: str,
    event_loop: str,
) -> None:
    port = server_named(name).ports[protocol]
    tls = roots | {"version": version}
    ended = Load(port, protocol, [ECHO], COUNT, event_loop, tls=tls).run(tmp_path)
    assert ended.outcomes == {"ok": COUNT}, ended.errors
    assert ended.summary["spoken"]["tls_version"] == version


@LOOPS
@pytest.mark.parametrize("protocol", ["h1", "h2"])
# HAProxy, nginx and Node resume by session or ticket, Go and rustls by tickets.
@pytest.mark.parametrize(
    ("name", "version"),
    [
        (name, version)
        for name in ("go", "nginx", "haproxy", "node", "hyper")
        for version in versions_of(name)
    ],
)
def test_handshakes_are_resumed_as_often_as_the_plan_says(
    server_named: Named,
    roots: dict[str, Any],
    tmp_path: Path,
    name: str,
    protocol: str,
    version: str,
    event_loop: str,
) -> None:
    port = server_named(name).ports[protocol]
    for share, most_full in ((0.0, COUNT), (1.0, COUNT - 1)):
        tls = roots | {"version": version, "resumed_share": share}
        load = Load(port, protocol, [ECHO], COUNT, event_loop, tls=tls, connections="per_request")
        ended = load.run(tmp_path)
        assert ended.outcomes == {"ok": COUNT}, ended.errors
        connections = ended.summary["connections"]
        full, resumed = connections["full_handshakes"], connections["resumed_handshakes"]
        assert full + resumed == COUNT
        assert full <= most_full
        assert share > 0 or resumed == 0


@LOOPS
@pytest.mark.parametrize("protocol", ["h1c", "h1", "h2c", "h2"])
def test_ipv6_is_spoken(
    certificates: Certificates,
    roots: dict[str, Any],
    tmp_path: Path,
    protocol: str,
    event_loop: str,
) -> None:
    identity = [
        *("--tls-certificate", str(certificates.folder / "server.pem")),
        *("--tls-key", str(certificates.folder / "server.key")),
    ]
    command = [str(BINARIES / "loadstone-echo"), "--listen", "[::1]:0", "--protocol", protocol]
    with ExitStack() as stack:
        line = start(stack, command + (identity if protocol in {"h1", "h2"} else []))
        port = int(line.rpartition(":")[2])
        load = Load(port, protocol, [ECHO], COUNT, event_loop, ip="[::1]", tls=roots)
        ended = load.run(tmp_path)
        assert ended.outcomes == {"ok": COUNT}, ended.errors
