"""Checks that a file declares: read, held against a real server, and told where they do not hold."""

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, ClassVar

import pytest

from loadstone.contract.declared import declared_contract
from loadstone.contract.model import CheckResult
from loadstone.contract.of_system import contract_files, contract_of_system
from loadstone.contract.run import run_checks
from loadstone.errors import InputError
from loadstone.study.files.checks_file import read_checks
from loadstone.study.values.manifest import System

ANSWER = {"items": [{"id": 7, "price": 1.50}, {"id": 8}], "next": None, "name": "Ann"}


class Server(BaseHTTPRequestHandler):
    """Answers with the JSON of the test, and tells what it was sent."""

    protocol_version = "HTTP/1.1"
    seen: ClassVar[list[tuple[str, str, dict[str, str], bytes]]] = []
    body = json.dumps(ANSWER).encode()

    def do_GET(self) -> None:
        self._answer()

    def do_HEAD(self) -> None:
        self._answer()

    def do_POST(self) -> None:
        self._answer()

    def _answer(self) -> None:
        sent = self.rfile.read(int(self.headers.get("content-length", "0")))
        self.seen.append((self.command, self.path, dict(self.headers), sent))
        self.send_response(201 if self.command == "POST" else 200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(self.body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(self.body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def url() -> Iterator[str]:
    Server.seen = []
    with ThreadingHTTPServer(("127.0.0.1", 0), Server) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


def checks(folder: Path, *entries: dict[str, Any], **further: Any) -> Path:
    path = folder / "checks.yaml"
    path.write_text(json.dumps({"checks": list(entries), **further}))
    return path


def held(
    folder: Path, url: str, check: dict[str, Any], *, quick_only: bool = False, **request: Any
) -> CheckResult:
    request = request or {"get": "/a"}
    path = checks(folder, {"operation": "it", **request, "check": check})
    contract = declared_contract(read_checks(path), {"TOKEN": "t/1"})
    (result,) = run_checks(contract, url, None, quick_only=quick_only, budget_seconds=None)
    return result


@pytest.mark.parametrize(
    "check",
    [
        {},
        {"status": [204, 200]},
        {"json": {"/items/0/id": 7, "/items/0/price": 1.5, "/items/*/id": 8, "/name": "Ann"}},
        {"json": {"/items/1/price": "absent", "/items/*/price": "present", "/next": None}},
        {"json": {"/items": [{"id": 7.0, "price": 1.5}, {"id": 8}]}},
        {"header": {"Content-Type": "application/json", "x-gone": "absent", "date": "present"}},
        {"body_contains": '"name": "Ann"'},
    ],
)
def test_what_an_answer_is_holds(tmp_path: Path, url: str, check: dict[str, Any]) -> None:
    result = held(tmp_path, url, check, quick_only=True)
    assert (result.state, result.message) == ("passed", "")


@pytest.mark.parametrize(
    ("check", "message"),
    [
        ({"status": 201}, "the status is 200, not 201"),
        ({"json": {"/items/0/id": 8}}, "/items/0/id is 7, not 8"),
        ({"json": {"/items/0/id": "7"}}, '/items/0/id is 7, not "7"'),
        ({"json": {"/items/9": "present"}}, "/items/9 is not there"),
        ({"json": {"/name": "absent"}}, "/name is there"),
        ({"json": {"/items/x": 1}}, "/items/x is not there, not 1"),
        ({"json": {"/next": False}}, "/next is null, not false"),
        (
            {"header": {"content-type": "text/html"}},
            "the header content-type is 'application/json', not",
        ),
        ({"header": {"x-gone": "present"}}, "the header x-gone is not there"),
        ({"header": {"date": "absent"}}, "the header date is there"),
        ({"body_contains": "Bob"}, "the body lacks 'Bob'"),
    ],
)
def test_what_an_answer_is_not_fails_with_what_was_seen(
    tmp_path: Path, url: str, check: dict[str, Any], message: str
) -> None:
    result = held(tmp_path, url, check)
    assert result.state == "failed"
    assert result.message.startswith(message)
    assert (result.clause, result.title) == ("it", "GET /a is answered as declared")


def test_a_body_that_is_no_json_fails(
    tmp_path: Path, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Server, "body", b"<html>")
    result = held(tmp_path, url, {"json": {"/a": 1}})
    assert (result.state, result.message[:19]) == ("failed", "the body is no JSON")


def test_a_request_is_sent_as_it_stands_with_the_environment_in_it(
    tmp_path: Path, url: str
) -> None:
    request = {
        "post": "/a/{{env.TOKEN}}?b={{env.TOKEN}}",
        "headers": {"x-key": "{{env.TOKEN}}", "authorization": "Basic {{base64(env.TOKEN)}}"},
        "json": {"a": [1, "{{env.TOKEN}}"]},
    }
    assert held(tmp_path, url, {"status": 201}, **request).state == "passed"
    ((method, path, headers, body),) = Server.seen
    assert (method, path, body) == ("POST", "/a/t%2F1?b=t%2F1", b'{"a":[1,"t/1"]}')
    assert headers["x-key"] == "t/1"
    assert headers["authorization"] == "Basic dC8x"
    assert headers["content-type"] == "application/json"


def test_only_reads_are_held_in_every_run(tmp_path: Path, url: str) -> None:
    methods = ("get", "head", "post", "put", "delete", "patch")
    path = checks(tmp_path, *({"operation": each, each: "/"} for each in methods))
    contract = declared_contract(read_checks(path))
    assert [each.clause for each in contract.checks if each.quick] == ["get", "head"]
    results = run_checks(contract, url, None, quick_only=True, budget_seconds=None)
    assert [each.state for each in results] == ["passed", "passed"]


def test_what_the_environment_lacks_is_named(tmp_path: Path) -> None:
    path = checks(tmp_path, {"operation": "it", "get": "/{{env.GONE}}"})
    with pytest.raises(
        InputError, match=r"it: sends env\.GONE, and the environment has no GONE"
    ) as caught:
        declared_contract(read_checks(path), {})
    assert "GONE=..." in (caught.value.remedy or "")
    header = {"operation": "it", "get": "/", "headers": {"a": "{{env.ODD}}"}}
    with pytest.raises(InputError, match="whose value cannot stand there"):
        declared_contract(read_checks(checks(tmp_path, header)), {"ODD": "a\nb"})


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        ({}, "declares nothing"),
        ({"checks": []}, "must not be empty"),
        ({"checks": [{"operation": "a"}]}, "exactly one method"),
        ({"checks": [{"operation": "a", "get": "/"}] * 2}, "a is there twice"),
        (
            {"checks": [{"operation": "a", "get": "/{{session_number}}"}]},
            "is made of more than the env",
        ),
        (
            {"checks": [{"operation": "a", "get": "/{{uuid()}}"}]},
            "is made of more than the environment",
        ),
        ({"checks": [{"operation": "a", "get": "/{{token}}"}]}, "token is not known here"),
        (
            {"checks": [{"operation": "a", "get": "/", "check": {"or_end": 409}}]},
            "no session to end",
        ),
        (
            {"checks": [{"operation": "a", "get": "/", "check": {"body_contains": "{{env.A}}"}}]},
            "templates",
        ),
        (
            {"checks": [{"operation": "a", "head": "/", "check": {"json": {"/a": 1}}}]},
            "has no body",
        ),
        (
            {"checks": [{"operation": "a", "get": "/", "capture": {"a": "/a"}}]},
            "is not a known key",
        ),
        ({"openapi": "gone.yaml"}, "gone.yaml is not there"),
    ],
)
def test_a_wrong_file_is_refused_with_its_line(
    tmp_path: Path, tree: dict[str, Any], message: str
) -> None:
    path = tmp_path / "checks.yaml"
    path.write_text(json.dumps(tree))
    with pytest.raises(InputError, match=message) as caught:
        read_checks(path)
    assert caught.value.path == path
    assert caught.value.line
    assert caught.value.remedy


def system(folder: Path) -> System:
    services = (
        {
            "service": "api",
            "legs": ("client",),
            "ready": {"operation": {"operation": "a", "method": "GET", "path": "/"}},
        },
    )
    return System.model_validate(
        {
            "system": "shop",
            "title": "A shop",
            "directory": folder,
            "services": services,
            "entry": "api",
            "dependencies": {},
        }
    )


def test_a_system_has_one_contract_or_none(tmp_path: Path) -> None:
    assert contract_of_system(system(tmp_path)).checks == ()
    assert contract_files(system(tmp_path)) == ()
    path = checks(tmp_path, {"operation": "it", "get": "/"})
    assert [each.clause for each in contract_of_system(system(tmp_path)).checks] == ["it"]
    assert contract_files(system(tmp_path)) == (path,)
    (tmp_path / "contract").mkdir()
    with pytest.raises(InputError, match="a system has one contract") as caught:
        contract_of_system(system(tmp_path))
    assert caught.value.remedy == "keep one of the two"


def test_the_documented_checks_are_read(tmp_path: Path) -> None:
    page = Path(__file__).resolve().parents[2] / "docs" / "reference" / "checks.md"
    text = page.read_text().partition("```yaml\n")[2].partition("```")[0]
    (tmp_path / "checks.yaml").write_text(text)
    (tmp_path / "openapi.yaml").write_text("openapi: 3.1.0\npaths: {}\n")
    contract = declared_contract(read_checks(tmp_path / "checks.yaml"), {"API_TOKEN": "a"})
    assert [(each.clause, each.quick) for each in contract.checks] == [
        ("list-items", True),
        ("refuse-an-item", False),
    ]
    assert len(contract.sample_checks) == 1
