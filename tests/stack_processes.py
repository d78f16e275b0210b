"""Processes of a stack that a test starts itself, beside the lab: what they print, and how they end."""

import os
import shlex
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from loadstone.deploy.deployment import Launch
from loadstone.study.systems.launch import gc_log_path, with_gc_log

LOOPBACK = "127.0.0.1"
ANOTHER = "127.0.0.2"
"""Of this machine, too."""
START_SECONDS = 60.0
"""More than the slowest stack takes, also beside other work."""
END_SECONDS = 15.0


@dataclass(frozen=True)
class Started:
    """A process that accepts, and what it has printed."""

    process: "subprocess.Popen[str]"
    port: int
    before: tuple[str, ...]
    """Lines of stdout before the one that says where it listens."""
    errors: Path
    said: tuple[str, ...] = ()
    """Lines of stderr before that one: how it started."""
    host: str = LOOPBACK

    @property
    def url(self) -> str:
        return f"http://{self.host}:{self.port}"

    def stop(self, number: int) -> int:
        """Send a signal and return the exit code."""
        self.process.send_signal(number)
        return self.process.wait(END_SECONDS)

    def error_lines(self) -> list[str]:
        """What it has written to stderr since it accepts."""
        return self.errors.read_text().splitlines()[len(self.said) :]


def command_of(launch: Launch, logs: Path) -> list[str]:
    return shlex.split(with_gc_log(launch.command, gc_log_path(logs, "service")))


def variables_of(launch: Launch, told: Mapping[str, str]) -> dict[str, str]:
    runtime = {} if launch.runtime is None else launch.runtime.variables(os.environ["PATH"])
    return {**os.environ, **runtime, **told}


@contextmanager
def started(launch: Launch, logs: Path, told: Mapping[str, str]) -> Iterator[Started]:
    """Start it on a port of the kernel's choice; it is killed at the end if it still runs."""
    with tempfile.NamedTemporaryFile(prefix="service-", suffix=".log", dir=logs) as log:
        process = subprocess.Popen(
            command_of(launch, logs),
            cwd=launch.directory,
            env=variables_of(launch, {"PORT": "0", **told}),
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            start_new_session=True,  # one that is started by a script is ended with it
        )
        try:
            yield _accepting(process, Path(log.name), told.get("HOST", LOOPBACK))
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait(END_SECONDS)
            process.stdout.close()  # type: ignore[union-attr]


def _accepting(process: "subprocess.Popen[str]", errors: Path, host: str) -> Started:
    assert process.stdout is not None
    before: list[str] = []
    while not (line := process.stdout.readline()).startswith(f"listening on {host}:"):
        assert line, "".join(before) + errors.read_text()
        before.append(line)
    said = tuple(errors.read_text().splitlines())
    return Started(process, int(line.rpartition(":")[2]), tuple(before), errors, said, host)


def listens(host: str, port: int) -> bool:
    """Whether a connection to an address of this machine is taken."""
    try:
        socket.create_connection((host, port), END_SECONDS).close()
    except ConnectionRefusedError:
        return False
    return True


def refused(
    launch: Launch, logs: Path, told: Mapping[str, str]
) -> "subprocess.CompletedProcess[str]":
    """Start it wrongly, and return its end."""
    return subprocess.run(
        command_of(launch, logs),
        cwd=launch.directory,
        env=variables_of(launch, told),
        capture_output=True,
        text=True,
        timeout=START_SECONDS,
        check=False,
    )


def refused_at_a_taken_port(
    launch: Launch, logs: Path, told: Mapping[str, str]
) -> "subprocess.CompletedProcess[str]":
    """Start it on a port that another listens on, and return its end."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        return refused(launch, logs, {**told, "PORT": str(taken.getsockname()[1])})


def expect_to_listen_where_host_says(
    service: str, launch: Launch, logs: Path, told: Mapping[str, str]
) -> None:
    """Start it at another address of this machine, and with one that is none."""
    with started(launch, logs, {**told, "HOST": ANOTHER}) as found:
        assert listens(ANOTHER, found.port)
        assert not listens(LOOPBACK, found.port)
    ended = refused(launch, logs, {"PORT": "0", **told, "HOST": "everywhere"})
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.startswith(f"{service}: HOST must be an IPv4 address")
