"""The process behind an address: real sockets of real processes, on port 0."""

import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest

from loadstone.deploy.listener import Listener, NoListener, find_listener

NOBODY = 65534

LISTEN = """
import os, socket, sys
listener = socket.socket(socket.AF_INET6 if ":" in sys.argv[1] else socket.AF_INET)
listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
listener.bind((sys.argv[1], int(sys.argv[2])))
listener.listen()
if sys.argv[3] == "fork" and os.fork() == 0:
    sys.stdin.read()
    os._exit(0)
print(listener.getsockname()[1], flush=True)
sys.stdin.read()
"""


@contextmanager
def listening(host: str, port: int = 0, then: str = "") -> Iterator[tuple[int, int]]:
    """A process that listens: its pid and its port."""
    process = subprocess.Popen(
        [sys.executable, "-c", LISTEN, host, str(port), then],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        yield process.pid, int(process.stdout.readline())
    finally:
        process.stdin.close()
        process.wait()
        process.stdout.close()


def found_at(address: str) -> Listener:
    found = find_listener(address)
    assert isinstance(found, Listener)
    return found


def reason_of(address: str) -> str:
    """Why no process is found there."""
    found = find_listener(address)
    assert isinstance(found, NoListener)
    return found.reason


@pytest.mark.parametrize(
    ("bound", "asked"),
    [
        ("127.0.0.1", "127.0.0.1"),
        ("127.0.0.2", "127.0.0.2"),
        ("0.0.0.0", "127.0.0.1"),
        ("::1", "[::1]"),
        ("::", "[::1]"),
        ("::", "127.0.0.1"),
        ("::ffff:127.0.0.1", "127.0.0.1"),
        ("127.0.0.1", "[::ffff:127.0.0.1]"),
    ],
)
def test_the_process_is_found_by_the_socket_that_would_answer(bound: str, asked: str) -> None:
    with listening(bound) as (pid, port):
        found = found_at(f"{asked}:{port}")
        assert found.pid == pid
        assert found.command.startswith(sys.executable)
        assert found.cpus() == tuple(sorted(os.sched_getaffinity(0)))
        assert found.lives()
    assert not found.lives()


def test_a_socket_of_the_address_itself_goes_before_one_of_any_address() -> None:
    with ExitStack() as both:
        _, port = both.enter_context(listening("0.0.0.0"))
        pid, _ = both.enter_context(listening("127.0.0.1", port))
        assert found_at(f"127.0.0.1:{port}").pid == pid


def test_of_a_process_and_the_children_that_share_its_socket_the_parent_is_found() -> None:
    with listening("127.0.0.1", then="fork") as (pid, port):
        assert found_at(f"127.0.0.1:{port}").pid == pid


def test_processes_side_by_side_are_not_taken_for_one() -> None:
    with ExitStack() as both:
        first, port = both.enter_context(listening("127.0.0.1"))
        second, _ = both.enter_context(listening("127.0.0.1", port))
        reason = reason_of(f"127.0.0.1:{port}")
    assert "several processes listen" in reason
    assert str(first) in reason
    assert str(second) in reason


def test_where_nothing_listens_the_reason_says_where_else_it_may_be() -> None:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        reason = reason_of(f"127.0.0.1:{bound.getsockname()[1]}")
    assert re.search(r"nothing that listens .* as in a container", reason)


def test_another_machine_is_not_looked_for_in_the_tables_of_this_one() -> None:
    with listening("0.0.0.0") as (_, port):
        assert "may be on another machine" in reason_of(f"192.0.2.1:{port}")


@pytest.mark.skipif(os.getuid() != 0, reason="only root can look as another user")
def test_another_users_process_is_told_apart_from_none() -> None:
    with listening("127.0.0.1") as (_, port):
        said = said_to_nobody(f"127.0.0.1:{port}")
    assert "belongs to user root, and may be looked at by that user or root alone" in said


def said_to_nobody(address: str) -> str:
    """Why a user without any rights does not find the process."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.setgroups([])
            os.setresuid(NOBODY, NOBODY, NOBODY)
            os.write(write, reason_of(address).encode())
        finally:
            os._exit(0)
    os.close(write)
    with os.fdopen(read) as pipe:
        said = pipe.read()
    os.waitpid(child, 0)
    return said
