"""Who listens on a port is found, and told apart from what the lab started."""

import os
import socket
import subprocess
import sys

from loadstone.deploy.taken_port import foreign_listener
from loadstone.machine import ownership

LISTEN = (
    "import socket, time\n"
    "listener = socket.create_server(('127.0.0.1', 0))\n"
    "print(listener.getsockname()[1], flush=True)\n"
    "time.sleep(60)"
)


def listening(owner: str) -> "tuple[subprocess.Popen[str], int]":
    other = subprocess.Popen(
        [sys.executable, "-c", LISTEN],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, ownership.VARIABLE: owner},
    )
    assert other.stdout is not None
    return other, int(other.stdout.readline())


def test_another_program_is_named_with_its_process() -> None:
    other, port = listening("somebody else")
    with other:
        found = foreign_listener(port)
        other.kill()
    assert found is not None
    assert found.startswith(sys.executable)
    assert found.endswith(f"({other.pid})")


def test_what_the_lab_started_and_the_lab_itself_are_not_foreign() -> None:
    own, port = listening(ownership.mark())
    with own:
        assert foreign_listener(port) is None
        own.kill()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        assert foreign_listener(listener.getsockname()[1]) is None


def test_a_port_on_which_nobody_listens_has_no_listener() -> None:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        assert foreign_listener(bound.getsockname()[1]) is None
