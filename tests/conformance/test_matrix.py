"""Every server x protocol x body x use of connections x event loop: no wrong outcome."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from bodies import body_of
from load import Ended, Load
from real_servers import KINDS, Kind, RealServer

# What of a body's end is held against the right one for every response; a whole body is held
# against it for the sampled ones.
TAIL_BYTES = 1024
SAMPLED_BYTES = 1 << 20

KEPT: dict[str, Any] = {"connections": "kept"}
PER_REQUEST: dict[str, Any] = {"connections": "per_request", "users": 2}
TEN_STREAMS: dict[str, Any] = {"connections": "kept", "streams": 10}

SIZES = {"small": [0, 50, 1024], "1MB": [1 << 20], "50MB": [50 << 20]}
# How often each lane (place for one request in flight) performs the whole session.
ROUNDS = {"small": 5, "1MB": 2}
LARGEST_COUNT = 2

Named = Callable[[str], RealServer]


def uses_of(kind: Kind, protocol: str, sizes: str) -> dict[str, dict[str, Any]]:
    uses = {"kept": KEPT, "per-request": PER_REQUEST}
    if protocol in {"h2c", "h2"}:
        return uses | {"streams": TEN_STREAMS}
    # Pipelining is a matter of small messages.
    is_pipelined = sizes == "small" and protocol in kind.pipelines
    return uses | ({"pipelined": TEN_STREAMS} if is_pipelined else {})


MATRIX = [
    pytest.param(name, protocol, sizes, use, loop, id=f"{name}-{protocol}-{sizes}-{label}-{loop}")
    for name, kind in KINDS.items()
    for protocol in kind.protocols
    for sizes in SIZES
    for label, use in uses_of(kind, protocol, sizes).items()
    for loop in ("epoll", "io_uring")
]


def body_operations(answers: set[str], size: int) -> list[dict[str, Any]]:
    """Every way that a server has to answer with this body."""
    right = {"status": 200, "body_contains": body_of(size)[-TAIL_BYTES:].decode() or None}
    operations = [
        {"operation": f"{kind}-{size}", "method": "GET", "path": f"/{kind}/{size}", "check": right}
        for kind in ("bytes", "chunked", "close")
        if kind in answers
    ]
    if "echo" in answers:
        body = body_of(size).decode()
        echo = {"operation": f"echo-{size}", "method": "POST", "path": "/echo", "body": body}
        operations.append(echo | {"check": right})
    return operations


def bodyless_operations(answers: set[str]) -> list[dict[str, Any]]:
    """Answers that have no body whatever their fields say."""
    heads = [
        {
            "operation": f"head-{kind}",
            "method": "HEAD",
            "path": f"/{kind}/1024",
            "check": {"status": 200},
        }
        for kind in ("bytes", "chunked", "close")
        if kind in answers
    ]
    statuses = [
        {
            "operation": f"status-{status}",
            "method": "GET",
            "path": f"/status/{status}",
            "check": {"status": status},
        }
        for status in (204, 304, 500)
        if "status" in answers
    ]
    return heads + statuses


@pytest.mark.parametrize(("name", "protocol", "sizes", "use", "event_loop"), MATRIX)
def test_every_request_of_every_kind_ends_ok(
    server_named: Named,
    roots: dict[str, Any],
    tmp_path: Path,
    name: str,
    protocol: str,
    sizes: str,
    use: dict[str, Any],
    event_loop: str,
) -> None:
    port = server_named(name).ports[protocol]
    is_http1 = protocol in {"h1c", "h1"}
    is_pipelined = is_http1 and "streams" in use
    # HTTP/2 has no body that ends with the connection, and after it nothing pipelined is answered.
    without = {"close"} if is_pipelined or not is_http1 else set()
    for operations in batches(KINDS[name].answers - without, sizes):
        if is_pipelined:
            # A server may close the connection after it, as nginx does.
            operations = [it for it in operations if it["operation"] != "status-500"]
        lanes = use.get("users", 1) * use.get("streams", 1)
        count = len(operations) * lanes * ROUNDS[sizes] if sizes in ROUNDS else LARGEST_COUNT
        samples = {"per_second": 1, "body_bytes": SAMPLED_BYTES}
        load = Load(port, protocol, operations, count, event_loop, tls=roots, **use)
        load.keys["samples"] = samples
        ended = load.run(tmp_path)
        assert ended.outcomes == {"ok": count}, ended.errors
        assert_bodies_are_right(ended)
        assert_spoken(ended, protocol)
        assert_connections(ended, use, count)
        assert ended.summary["engine"]["loop"] == event_loop


def batches(answers: set[str], sizes: str) -> list[list[dict[str, Any]]]:
    """The sessions to perform; of the largest bodies, each kind is a load of its own."""
    operations = [it for size in SIZES[sizes] for it in body_operations(answers, size)]
    if sizes == "small":
        operations += bodyless_operations(answers)
    return [operations] if sizes in ROUNDS else [[operation] for operation in operations]


def assert_bodies_are_right(ended: Ended) -> None:
    for operation, facts in ended.summary["operations"].items():
        kind, _, size = operation.partition("-")
        if kind in {"bytes", "chunked", "close", "echo"}:
            assert facts["bytes_received"] >= int(size) * facts["outcomes"]["ok"], operation
    for sample in ended.samples():
        kind, _, size = sample["operation"].partition("-")
        right = b"" if kind == "head" or size in {"204", "304"} else body_of(int(size))
        if kind != "status":
            assert sample["body_bytes"] == len(right)
            assert sample["body"] == right[:SAMPLED_BYTES], sample["operation"]


def assert_connections(ended: Ended, use: dict[str, Any], count: int) -> None:
    opened = ended.summary["connections"]["opened"]
    if use["connections"] == "per_request":
        assert opened == count
    else:
        ended_by_server = ended.summary["operations"].items()
        closes = sum(facts["outcomes"]["ok"] for name, facts in ended_by_server if "close" in name)
        assert opened <= use.get("users", 1) + closes


def assert_spoken(ended: Ended, protocol: str) -> None:
    spoken = ended.summary["spoken"]
    assert spoken["http"] == ("2" if protocol in {"h2c", "h2"} else "1.1")
    if protocol in {"h1", "h2"}:
        assert spoken["tls_version"] in {"1.2", "1.3"}
        assert spoken["cipher_suite"]
        # A server of HTTP/1.1 alone may leave ALPN out.
        assert spoken["alpn"] in ({"h2"} if protocol == "h2" else {None, "http/1.1"})
    else:
        assert (spoken["tls_version"], spoken["cipher_suite"], spoken["alpn"]) == (None,) * 3
