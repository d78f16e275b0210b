"""The start-up clock, against real servers that are ready late, or only seem to be."""

import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from loadstone.deploy import process
from loadstone.deploy.ports import free_port
from loadstone.deploy.process import Child
from loadstone.deploy.speaker import speaker
from loadstone.deploy.startup_clock import ask, first_correct_response
from loadstone.errors import StepFailed
from loadstone.results.service_facts import StartupFacts
from loadstone.study.values.manifest import Ready
from loadstone.study.values.model import Check, Operation, Protocol

READY = Ready(
    operation=Operation(
        operation="any", method="POST", path="/", body="right", check=Check(status=200)
    ),
    body_equals_request=True,
)

SPEAK = speaker(Protocol.H1C)

SERVER = """
import sys, time
from http.server import BaseHTTPRequestHandler, HTTPServer

port, wrong_answers, sleep_seconds = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
answered = 0

class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        global answered
        answered += 1
        body = self.rfile.read(int(self.headers["content-length"]))
        if answered <= wrong_answers:
            {wrong}
        self.send_response(200)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, *_): pass

time.sleep(sleep_seconds)
HTTPServer(("127.0.0.1", port), Handler).serve_forever()
"""

WRONG = {
    "a 503": "return self.send_error(503)",
    "another body": "body = b'wrong'",
    "nothing at all": "return self.connection.close()",
    "nonsense": "return self.wfile.write(b'\\x00\\x00 no HTTP\\r\\n\\r\\n')",
}


@contextmanager
def server(
    directory: Path,
    port: int,
    wrong_answers: int = 0,
    sleep_seconds: float = 0,
    wrong: str = "pass",
) -> Iterator[Child]:
    """A server at a port, perhaps of another's, that runs for the length of the block."""
    script = directory / "server.py"
    script.write_text(SERVER.replace("{wrong}", wrong))
    child = process.start(
        "server",
        [sys.executable, str(script), str(port), str(wrong_answers), str(sleep_seconds)],
        directory=directory,
        log_path=directory / "log",
        cpus=(),
    )
    with process.running(child):
        yield child


def start_up(
    directory: Path, wrong_answers: int = 0, sleep_seconds: float = 0, wrong: str = "pass"
) -> StartupFacts:
    port = free_port()
    with server(directory, port, wrong_answers, sleep_seconds, wrong) as child:
        return first_correct_response(child, child.ending, port, READY, 30, SPEAK)


@pytest.mark.parametrize("wrong", WRONG)
def test_an_open_port_that_answers_wrongly_earns_nothing(tmp_path: Path, wrong: str) -> None:
    startup = start_up(tmp_path, wrong_answers=3, wrong=WRONG[wrong])

    assert startup.attempts >= 4
    assert startup.listened_ns is not None
    assert startup.first_request_ns is not None
    # Three wrong answers lie between the open port and the right one.
    assert startup.listened_ns + startup.first_request_ns < startup.first_correct_response_ns


def test_a_server_that_sleeps_before_it_listens_is_that_much_later(tmp_path: Path) -> None:
    startup = start_up(tmp_path, sleep_seconds=0.1)
    assert startup.first_correct_response_ns >= 100_000_000
    assert startup.listened_ns is not None
    assert startup.listened_ns >= 100_000_000


def test_a_server_that_never_answers_correctly_is_told_with_what_was_seen(tmp_path: Path) -> None:
    port = free_port()
    with server(tmp_path, port, wrong_answers=1_000_000, wrong=WRONG["a 503"]) as child:
        until_it_listens(port)
        with pytest.raises(StepFailed) as told:
            first_correct_response(child, child.ending, port, READY, 1, SPEAK)
    assert "no correct response within 1 s: status 503, not 200, to POST /" in told.value.reason


def test_a_server_that_wants_credentials_is_told_how_to_be_asked(tmp_path: Path) -> None:
    port = free_port()
    wrong = WRONG["a 503"].replace("503", "401")
    with server(tmp_path, port, wrong_answers=1_000_000, wrong=wrong) as child:
        until_it_listens(port)
        with pytest.raises(StepFailed, match="wants credentials: let `ready` in"):
            first_correct_response(child, child.ending, port, READY, 1, SPEAK)


def test_a_server_that_listens_elsewhere_is_told_where(tmp_path: Path) -> None:
    port, elsewhere = free_port(), free_port()
    with server(tmp_path, elsewhere) as child:
        until_it_listens(elsewhere)
        with pytest.raises(StepFailed) as told:
            first_correct_response(child, child.ending, port, READY, 1, SPEAK)
    assert f"it listens at 127.0.0.1:{elsewhere}, and not at 127.0.0.1:{port}" in told.value.reason
    assert "the variable PORT" in told.value.reason


def test_a_server_whose_address_is_taken_is_told_of_its_port(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with server(tmp_path, port) as child, pytest.raises(StepFailed) as told:
            first_correct_response(child, child.ending, free_port(), READY, 30, SPEAK)
    assert told.value.reason == (
        "server exited with code 1, since its address is in use: it must take the port from the "
        "variable PORT"
    )


def until_it_listens(port: int) -> None:
    while True:
        with suppress(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", port)).close()
            return


def test_a_server_that_ends_is_told_at_once(tmp_path: Path) -> None:
    child = process.start(
        "server",
        [sys.executable, "-c", "print('no port', flush=True); raise SystemExit(4)"],
        directory=tmp_path,
        log_path=tmp_path / "log",
        cpus=(),
    )
    with process.running(child), pytest.raises(StepFailed) as told:
        first_correct_response(child, child.ending, free_port(), READY, 30, SPEAK)
    assert told.value.reason == "server exited with code 4"
    assert told.value.log_tail == "no port"


@pytest.mark.parametrize(
    ("status", "is_ready"), [(200, True), (401, True), (404, True), (503, False)]
)
def test_of_a_caller_without_credentials_any_answer_will_do(status: int, is_ready: bool) -> None:
    ready = READY.model_copy(update={"any_status": True, "body_equals_request": False})
    with socket.socket() as connection:
        wrong = ask(connection, "127.0.0.1:1", ready, lambda *_: (status, b""))
    assert wrong == (None if is_ready else "status 503, not one below 500, to POST /")
