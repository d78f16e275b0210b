"""What stacks have in common is the same, so that a difference between them is theirs."""

import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from gateway_process import END_SECONDS, SYSTEM, Gateway
from ready_stacks import CLEARTEXT, STACKS, Ready, Variant, ready

from loadstone.contract.client import Connection
from loadstone.contract.connect import connect
from loadstone.contract.deadline import Deadline
from loadstone.contract.model import Contract
from loadstone.contract.upstream import RecordingUpstream

GATEWAYS = SYSTEM / "gateway"
JAVASCRIPT = ("express", "fastify", "node")
JAVA = ("netty", "spring")
SHARED_JAVASCRIPT = (
    *("body", "config", "conversion", "errors", "json", "namespaces", "protocol", "tls", "xml"),
)
SHARED_JAVA = ("Conversion", "Json", "Namespaces", "XmlName")

HOP_BY_HOP = (
    *("connection", "keep-alive", "proxy-authenticate", "proxy-authorization"),
    *("proxy-connection", "te", "trailer", "transfer-encoding", "upgrade"),
)
"""RFC 9110, 7.6.1, with the two fields of a proxy's own log-in."""
FIELD_FILES = {
    "express": "src/headers.js",
    "fastify": "src/headers.js",
    "node": "src/headers.js",
    "netty": "src/main/java/gateway/Headers.java",
    "python": "gateway/headers.py",
    "rust": "src/headers.rs",
    "spring": "src/main/resources/application.yaml",
}
"""The lists of Go and Caddy are a library's; nginx and HAProxy end what their configuration names."""

LOOPS = {
    "haproxy": "haproxy",
    "netty": "multiThreadIoEv",
    "nginx": "nginx",
    "rust": "tokio-rt-worker",
    "spring": "reactor-http-ep",
}
"""The name, as the kernel cuts it, of the threads or processes that a stack has for each CPU."""
ONE_THREAD_ON_ONE_CPU = ("rust",)
CALLERS = 8
BESIDE_LOOPS = {"nginx": 1}
"""The master process of nginx, which serves nobody."""


@pytest.mark.parametrize("name", SHARED_JAVASCRIPT)
def test_stacks_in_javascript_share_what_is_not_their_frameworks(name: str) -> None:
    texts = {(GATEWAYS / stack / "src" / f"{name}.js").read_text() for stack in JAVASCRIPT}
    assert len(texts) == 1


@pytest.mark.parametrize("name", SHARED_JAVA)
def test_stacks_in_java_share_what_is_not_their_frameworks(name: str) -> None:
    folder = Path("src", "main", "java", "gateway", f"{name}.java")
    assert len({(GATEWAYS / stack / folder).read_text() for stack in JAVA}) == 1


@pytest.mark.parametrize(("stack", "file"), FIELD_FILES.items())
def test_every_stack_ends_the_same_fields(stack: str, file: str) -> None:
    source = (GATEWAYS / stack / file).read_text().lower().replace("_", "-")
    assert [name for name in HOP_BY_HOP if name not in source] == []


@pytest.mark.slow
@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="there is one CPU here")
@pytest.mark.parametrize("name", LOOPS)
def test_a_stack_has_as_many_loops_as_cpus(
    name: str, contract: Contract, tmp_path_factory: pytest.TempPathFactory
) -> None:
    (stack,) = (each for each in STACKS if each.stack == name)
    built = ready(Variant(stack, stack.runtimes[0]), contract, tmp_path_factory)
    beside = BESIDE_LOOPS.get(name, 0)
    assert _loops_on(1, built) == (0 if name in ONE_THREAD_ON_ONE_CPU else 1 + beside)
    assert _loops_on(2, built) == 2 + beside


def _loops_on(cpus: int, built: Ready) -> int:
    """Start it on some CPUs, let callers come, and count its loops."""
    here = sorted(os.sched_getaffinity(0))[:cpus]
    under = ("taskset", "--cpu-list", ",".join(map(str, here)))
    with (
        RecordingUpstream() as upstream,
        built.start(upstream, under=under) as started,
        ExitStack() as connections,
    ):
        for _ in range(CALLERS):
            connection = connections.enter_context(_connected(started))
            connection.send_request("/passthrough", body=b"{}").receive_answer()
        names = list(_thread_names(started.process.pid))
    loops = LOOPS[built.stack.stack]
    return sum(name.startswith(loops) for name in names)


def _connected(started: Gateway) -> Connection:
    host, _, port = started.url.partition("://")[2].partition(":")
    return connect((host, int(port)), Deadline(END_SECONDS), CLEARTEXT.client, None)


def _thread_names(process: int) -> Iterator[str]:
    """The names of the threads of a process and of all that it started."""
    for task in Path(f"/proc/{process}/task").iterdir():
        yield (task / "comm").read_text().strip()
        for child in (task / "children").read_text().split():
            yield from _thread_names(int(child))
