"""A server of one's own: started, asked, filled and ended as the system's file says."""

import os
import socket
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from loadstone.deploy.confinement.choose import choose, own_groups_here
from loadstone.deploy.dependencies import command
from loadstone.deploy.dependencies.command import CommandServer, start_command
from loadstone.deploy.dependencies.interface import Place
from loadstone.deploy.dependencies.registry import require_servers
from loadstone.errors import StepFailed, Unavailable
from loadstone.machine import ownership
from loadstone.study.systems.catalogue import open_catalogue
from loadstone.study.values.dependency import DependencyOptions, ServerCommands
from private_servers import WAIT_SECONDS

SERVER = """
import http.server, os, pathlib, signal, subprocess, sys

class Server(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        path = pathlib.Path("kept")
        body = path.read_bytes() if path.exists() else b""
        self.send_response(200 if self.path in ("/ready", "/kept") else 404)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass

def end(*_):
    pathlib.Path("ended-by-sigint").touch()
    sys.exit(0)

signal.signal(signal.SIGINT, end)
subprocess.Popen(["sleep", "600"], start_new_session=True)
assert os.environ["PORT"] == sys.argv[1]
print("serving", file=sys.stderr, flush=True)
http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Server).serve_forever()
"""
CONNECT = "import socket; socket.create_connection(('127.0.0.1', {port}))"
HTTP = ServerCommands(start="python3 server.py {port}", ready_path="/ready")


@pytest.fixture
def place(tmp_path: Path) -> Place:
    system = tmp_path / "system"
    system.mkdir()
    (system / "server.py").write_text(SERVER)
    cpus = tuple(sorted(os.sched_getaffinity(0)))[:1]
    return Place(
        "broker",
        cpus,
        tmp_path / "logs",
        cache=tmp_path,
        options=DependencyOptions(commands=HTTP),
        directory=system,
        confine=choose(own_groups_here()).confine,
    )


def with_commands(place: Place, **changes: str | None) -> Place:
    commands = HTTP.model_copy(update=changes)
    return replace(place, options=DependencyOptions(commands=commands))


@contextmanager
def started(place: Place) -> Iterator[CommandServer]:
    server = start_command(place)
    try:
        server.seed()
        yield server
    finally:
        server.stop()


def kept(server: CommandServer) -> str:
    with urllib.request.urlopen(f"{server.url}/kept") as answer:
        return str(answer.read().decode())


def processes_of(server: CommandServer) -> set[int]:
    leader = psutil.Process(server.leaders[0].pid)
    return {leader.pid, *(each.pid for each in leader.children(recursive=True))}


def all_end(pids: set[int]) -> bool:
    """Wait until processes have ended; whoever took them over may not have taken note of it yet."""
    deadline = time.monotonic() + WAIT_SECONDS
    while time.monotonic() < deadline:
        if all(ownership.start_time(pid) is None for pid in pids):
            return True
        time.sleep(0.01)
    return False


def marked_processes() -> set[int]:
    """Processes that this one has started, also for tests before."""
    return {pid for pid in psutil.pids() if ownership.owner_of(pid) == ownership.mark()}


def homes() -> set[Path]:
    """Those of this process: other labs may be at work."""
    return set(ownership.MEMORY.glob(f"{ownership.marked_name('')}*"))


def data_folders() -> set[Path]:
    return set(ownership.MEMORY.glob(f"{ownership.marked_name('')}*/data"))


@pytest.mark.parametrize(
    "ready",
    [
        {"ready_path": "/ready"},
        {"ready_path": None},
        {
            "ready_path": None,
            "ready_command": f'python3 -c "{CONNECT}"',
        },
    ],
    ids=["an answer", "a connection", "a command"],
)
def test_it_is_ready_where_its_url_says(place: Place, ready: dict[str, str | None]) -> None:
    with started(with_commands(place, **ready)) as server:
        assert server.ending() is None
        assert server.url == f"http://127.0.0.1:{server.leaders[0].command.split()[-1]}"


def test_its_url_is_what_the_system_says(place: Place) -> None:
    with started(with_commands(place, url="amqp://guest:guest@127.0.0.1:{port}/")) as server:
        port = server.leaders[0].command.split()[-1]
        assert server.url == f"amqp://guest:guest@127.0.0.1:{port}/"


def test_its_seed_and_its_reset_are_run_in_the_systems_folder(place: Place) -> None:
    commands = {"seed": "printf seeded-$PORT > kept", "reset": "printf reset-{port} > kept"}
    with started(with_commands(place, **commands)) as server:
        port = server.leaders[0].command.split()[-1]
        assert kept(server) == f"seeded-{port}"
        server.reset()
        assert kept(server) == f"reset-{port}"
    assert server.work() is server.rows() is server.store() is server.hand is None


def test_it_is_pinned_and_tells_what_it_was_started_with(place: Place) -> None:
    with started(with_commands(place, stop_signal="SIGINT")) as server:
        (leader,) = server.leaders
        assert leader.cpus == place.cpus
        assert server.settings == {
            "start": "python3 server.py {port}",
            "ready path": "/ready",
            "stop signal": "SIGINT",
            "url": "http://127.0.0.1:{port}",
        }


def test_it_is_ended_by_its_signal_and_nothing_of_it_is_left(place: Place) -> None:
    with started(with_commands(place, stop_signal="SIGINT")) as server:
        pids = processes_of(server)
        assert len(pids) == 2, "it has a helper in a session of its own"
    assert (place.directory / "ended-by-sigint").exists()
    assert server.killed_after_ns is None
    assert all_end(pids)
    groups = {group for own in own_groups_here().values() for group in own.glob("*-broker")}
    assert not groups
    server.stop()


def test_without_control_groups_its_helpers_end_too(place: Place) -> None:
    with started(replace(place, confine=None)) as server:
        pids = processes_of(server)
    assert all_end(pids)


def test_its_data_are_in_memory_and_go_with_it(place: Place) -> None:
    before = data_folders()
    with started(with_commands(place, seed="touch {data}/x", reset="rm {data}/x")) as server:
        (folder,) = data_folders() - before
        assert [each.name for each in folder.iterdir()] == ["x"]
        server.reset()
        assert list(folder.iterdir()) == []
    assert not folder.exists()


@pytest.mark.parametrize(
    ("changes", "seconds", "reason", "tail"),
    [
        (
            {"start": "sh -c 'echo no config >&2; exit 3'"},
            WAIT_SECONDS,
            "exited with code 3 before it was ready; it must stay in the foreground",
            "no config",
        ),
        ({"start": "./absent"}, 0.5, "cannot be started by `./absent`: ", ""),
        (
            {"ready_path": "/absent"},
            5.0,  # it must have come up by then, also where other work takes the processors
            "is not ready within 5 s: GET /absent is answered by 404",
            "",
        ),
        (
            {"ready_path": None, "ready_command": "exit 4"},
            0.5,
            "within 0.5 s: exited with code 4",
            "",
        ),
        (
            {"start": "sleep 600", "ready_path": None},
            0.5,
            "within 0.5 s: ConnectionRefusedError",
            "",
        ),
    ],
)
def test_a_server_that_does_not_come_up_is_told_with_its_log_and_leaves_nothing(
    place: Place,
    monkeypatch: pytest.MonkeyPatch,
    changes: dict[str, str | None],
    seconds: float,
    reason: str,
    tail: str,
) -> None:
    monkeypatch.setattr(command, "READY_SECONDS", seconds)
    before, running = homes(), marked_processes()
    with pytest.raises(StepFailed) as caught:
        start_command(with_commands(place, **changes))
    assert caught.value.step == "deploy"
    assert "dependency broker " in caught.value.reason
    assert reason in caught.value.reason
    assert tail in caught.value.log_tail
    assert homes() == before
    assert marked_processes() <= running


@pytest.mark.parametrize("step", ["seed", "reset"])
@pytest.mark.parametrize(
    ("shell", "reason"),
    [
        ("echo no table >&2; exit 5", "exited with code 5"),
        ("echo no table >&2; sleep 600", "did not end within 0.5 s"),
    ],
)
def test_a_command_that_fails_is_told_with_what_it_printed(
    place: Place, monkeypatch: pytest.MonkeyPatch, step: str, shell: str, reason: str
) -> None:
    monkeypatch.setattr(command, "COMMAND_SECONDS", 0.5)
    server = start_command(with_commands(place, **{step: shell}))
    try:
        with pytest.raises(StepFailed) as caught:
            getattr(server, step)()
    finally:
        server.stop()
    assert caught.value.step == step
    assert caught.value.reason == f"the {step} of broker, `{shell}`, {reason}"
    assert caught.value.log_tail == "no table"


def test_a_server_that_ends_by_itself_says_so(place: Place) -> None:
    with started(place) as server:
        psutil.Process(server.leaders[0].pid).kill()
        os.waitid(os.P_PID, server.leaders[0].pid, os.WEXITED | os.WNOWAIT)
        assert server.ending() == "was killed by SIGKILL"
        assert server.log_tail() == "serving"


def test_a_program_that_is_not_here_is_told_before_anything_is_started() -> None:
    commands = DependencyOptions(commands=ServerCommands(start="no-such-broker --port {port}"))
    system = open_catalogue().system("mediation")
    changes = {"dependencies": {"broker": "command"}, "dependency_options": {"broker": commands}}
    with pytest.raises(Unavailable) as caught:
        require_servers(system.model_copy(update=changes))
    assert caught.value.message == (
        "the start of the dependency broker: 'no-such-broker' is not a program on the PATH"
    )
    assert "system.yaml" in (caught.value.remedy or "")


def test_another_port_is_chosen_for_each(place: Place) -> None:
    with started(place) as one, started(place) as other:
        assert one.url != other.url
        for each in (one, other):
            with socket.create_connection(("127.0.0.1", int(each.url.rpartition(":")[2])), 5):
                pass
