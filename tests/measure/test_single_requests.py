"""Single requests after a load: what each kind sends, and what comes of no answer."""

import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from changed_workload import changed
from corpus.workloads import load
from loadstone.deploy.target_address import resolve_targets
from loadstone.measure.loading import single_requests
from loadstone.measure.loading.engine_plan import EngineOptions
from loadstone.measure.loading.single_requests import ask_single_requests, may_ask
from loadstone.results.single_requests import SingleRequests
from loadstone.study.values.model import Operation, Protocol, Workload

CERTIFICATES = Path(__file__).parents[1] / "cli" / "certificates"


class Noting(BaseHTTPRequestHandler):
    """Notes what it is asked for."""

    protocol_version = "HTTP/1.1"
    seen: list[tuple[str, dict[str, str]]]
    coding = ""
    closes = False
    status_of_a_new_url = 200

    def do_GET(self) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        type(self).seen.append((self.path, headers))
        is_new = single_requests.NEW_PARAMETER in self.path
        self.send_response(self.status_of_a_new_url if is_new else 200)
        self.send_header("Content-Length", "5")
        if self.coding:
            self.send_header("Content-Encoding", self.coding)
        if self.closes:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(b"hello")

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def serving(context: ssl.SSLContext | None = None, **changes: object) -> Iterator[tuple[str, list]]:
    handler = type("Handler", (Noting,), {"seen": [], "wbufsize": -1, **changes})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    if context is not None:
        server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    scheme = "http" if context is None else "https"
    try:
        yield f"{scheme}://127.0.0.1:{server.server_address[1]}", handler.seen
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def workload(**changes: object) -> Workload:
    usual = {
        "operation": "get",
        "method": "GET",
        "path": "/items?page=2",
        "headers": (),
        "body": "",
    }
    operation = Operation.model_validate({**usual, **changes})
    return changed(load(1), session=(operation,))


def ask(
    url: str,
    of: Workload | None = None,
    protocol: Protocol = Protocol.H1C,
    options: EngineOptions | None = None,
) -> SingleRequests | None:
    (target,) = resolve_targets(url, [])
    return ask_single_requests(of or workload(), target, protocol, options or EngineOptions())


def test_kinds_take_turns_and_differ_in_one_thing_each() -> None:
    with serving() as (url, seen):
        found = ask(url, workload(headers=(("X-Key", "7"),)))
    assert found is not None
    rounds = [len(found.as_loaded_ns), len(found.of_a_browser_ns), len(found.of_a_new_url_ns)]
    assert rounds == [single_requests.ROUNDS] * 3
    assert len(seen) == 3 * single_requests.ROUNDS + 1
    assert all(headers["x-key"] == "7" for _, headers in seen)
    assert not any("accept-encoding" in headers for _, headers in seen)
    browsers = [path for path, headers in seen if "user-agent" in headers]
    assert browsers == ["/items?page=2"] * single_requests.ROUNDS
    new = [path for path, headers in seen if path != "/items?page=2"]
    assert len(set(new)) == single_requests.ROUNDS
    assert all(path.startswith("/items?page=2&loadstone-new-url=") for path in new)
    assert {path for path, _ in seen[1:4]} > {"/items?page=2"}


def test_headers_that_the_load_had_are_kept() -> None:
    with serving() as (url, seen):
        ask(url, workload(headers=(("user-agent", "mine"), ("Accept-Encoding", "gzip"))))
    assert {headers["user-agent"] for _, headers in seen} == {"mine"}
    assert {headers["accept-encoding"] for _, headers in seen} == {"gzip"}


@pytest.mark.parametrize(
    ("headers", "coding"), [((), "gzip"), ((("accept-encoding", "gzip"),), "")]
)
def test_a_coding_is_noted_where_none_was_accepted(
    headers: tuple[tuple[str, str], ...], coding: str
) -> None:
    with serving(coding="gzip") as (url, _):
        found = ask(url, workload(headers=headers))
    assert found is not None
    assert found.coding == coding


def test_a_kind_that_is_answered_otherwise_has_no_times() -> None:
    with serving(status_of_a_new_url=404) as (url, _):
        found = ask(url)
    assert found is not None
    assert found.of_a_new_url_ns == ()
    assert len(found.of_a_browser_ns) == single_requests.ROUNDS


def test_a_connection_that_is_closed_is_opened_again() -> None:
    with serving(closes=True) as (url, seen):
        found = ask(url)
    assert found is not None
    assert len(seen) == 3 * single_requests.ROUNDS + 1


@pytest.mark.parametrize("verify", [True, False])
def test_over_tls_it_is_verified_as_the_load_was(verify: bool) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATES / "server.pem", CERTIFICATES / "server.key")
    options = EngineOptions(verify=verify)
    with serving(context) as (url, seen):
        found = ask(url, protocol=Protocol.H1, options=options)
    assert (found is None) is verify
    assert bool(seen) is not verify


def test_a_service_without_http_1_1_is_not_asked() -> None:
    with serving() as (url, seen):
        assert ask(url, protocol=Protocol.H2C) is None
    assert seen == []


@pytest.mark.parametrize(
    "says", [b"", b"hello\r\n\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n"]
)
def test_what_is_no_answer_is_none(says: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(single_requests, "ONE_SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def answer() -> None:
            connection, _ = listener.accept()
            with connection:
                connection.recv(65536)
                connection.sendall(says)
                connection.recv(1)

        thread = threading.Thread(target=answer)
        thread.start()
        assert ask(f"http://127.0.0.1:{listener.getsockname()[1]}") is None
        thread.join()


def test_only_what_changes_nothing_may_be_asked_for_again() -> None:
    assert may_ask(workload())
    assert may_ask(workload(method="HEAD"))
    assert not may_ask(workload(method="POST"))
    assert not may_ask(workload(body="x"))
