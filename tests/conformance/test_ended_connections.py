"""Servers that end connections in order while requests come as fast as they are answered: nginx by its
default of 1,000 requests, both by a reload. HTTP/2 has GOAWAY for it, HTTP/1.1 `Connection: close`.

No request is lost. A stream behind the last one of a GOAWAY was not processed, and is sent again on the
next connection. One cause to fail is left: the connection was closed between two requests, just as the
next was on its way; the engine does not repeat it, since nobody can tell whether it was served.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from certificates import Certificates
from load import SECOND_NS, Ended, Load
from operations import ECHO
from real_servers import EVERY_PROTOCOL, Missing, Reloadable, haproxy, nginx

LOOPS = pytest.mark.parametrize("event_loop", ["epoll", "io_uring"])
SERVERS = {"nginx": nginx, "haproxy": haproxy}
NGINX_REQUESTS = 1_000
"""What nginx serves on a connection by default."""

USERS = 4
PER_USER = 5_000
STREAMS = 10
RELOADS = 3
RELOAD_EVERY_SECONDS = 1.0


@contextmanager
def running(name: str, certificates: Certificates) -> Iterator[Reloadable]:
    with ExitStack() as stack:
        try:
            yield SERVERS[name](stack, certificates)
        except Missing as missing:
            pytest.skip(str(missing))


CAUSES = (
    "the connection was closed before any byte of the response",
    "reset by peer",
    "Broken pipe",
)


def assert_accounted(ended: Ended) -> None:
    """What failed met the end of its connection before any answer."""
    assert set(ended.outcomes) <= {"ok", "read", "send"}, ended.errors
    said = [text for outcome in ("read", "send") for text in ended.errors.get(outcome, [])]
    assert all(any(cause in text for cause in CAUSES) for text in said), said


@LOOPS
@pytest.mark.parametrize("protocol", EVERY_PROTOCOL)
@pytest.mark.parametrize("name", SERVERS)
def test_no_request_fails_where_each_connection_carries_one_at_a_time(
    certificates: Certificates,
    roots: dict[str, Any],
    tmp_path: Path,
    name: str,
    protocol: str,
    event_loop: str,
) -> None:
    count = USERS * PER_USER
    with running(name, certificates) as started:
        port = started.server.ports[protocol]
        load = Load(port, protocol, [ECHO], count, event_loop, users=USERS, tls=roots)
        ended = load.run(tmp_path)
    assert ended.outcomes == {"ok": count}, ended.errors
    connections = ended.summary["connections"]
    if name == "nginx":
        # The last connections may end with the load, and users are not served equally fast.
        assert connections["closed_by_server"] >= count // NGINX_REQUESTS - USERS
        assert connections["opened"] <= connections["closed_by_server"] + USERS
    else:
        assert (connections["opened"], connections["closed_by_server"]) == (USERS, 0)


@LOOPS
@pytest.mark.parametrize("protocol", ["h2c", "h2"])
@pytest.mark.parametrize("name", SERVERS)
def test_streams_behind_a_goaway_are_sent_again_and_none_fails(
    certificates: Certificates,
    roots: dict[str, Any],
    tmp_path: Path,
    name: str,
    protocol: str,
    event_loop: str,
) -> None:
    count = USERS * PER_USER
    with running(name, certificates) as started:
        port = started.server.ports[protocol]
        uses = {"users": USERS, "streams": STREAMS}
        ended = Load(port, protocol, [ECHO], count, event_loop, tls=roots, **uses).run(tmp_path)
    assert ended.outcomes == {"ok": count}, ended.errors
    assert (ended.summary["connections"]["closed_by_server"] > 0) == (name == "nginx")


@LOOPS
@pytest.mark.parametrize("protocol", EVERY_PROTOCOL)
@pytest.mark.parametrize("name", SERVERS)
def test_a_reload_in_mid_load_costs_at_most_what_was_on_its_way(
    certificates: Certificates,
    roots: dict[str, Any],
    tmp_path: Path,
    name: str,
    protocol: str,
    event_loop: str,
) -> None:
    seconds = RELOAD_EVERY_SECONDS * (RELOADS + 1)
    with running(name, certificates) as started:
        port = started.server.ports[protocol]
        load = Load(port, protocol, [ECHO], None, event_loop, users=USERS, tls=roots)
        load.keys["duration_ns"] = int(seconds * SECOND_NS)
        with reloading(started.reload):
            ended = load.run(tmp_path)
    offered = sum(ended.outcomes.values())
    assert offered > USERS * RELOADS
    assert_accounted(ended)
    # Of each user at most the one request that was on its way.
    assert offered - ended.outcomes["ok"] <= USERS * RELOADS
    assert ended.summary["connections"]["opened"] > USERS


@contextmanager
def reloading(reload: Callable[[], None]) -> Iterator[None]:
    """Reload again and again while the block lasts."""
    ended = threading.Event()

    def run() -> None:
        for _ in range(RELOADS):
            if ended.wait(RELOAD_EVERY_SECONDS):
                return
            reload()

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
