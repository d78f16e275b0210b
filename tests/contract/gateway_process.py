"""Start a stack of the mediation system as a process, for a test."""

import fcntl
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path

from loadstone.contract.upstream import RecordingUpstream
from loadstone.deploy.ports import free_port
from loadstone.study.values.model import Protocol

ROOT = Path(__file__).parents[2]
SYSTEM = ROOT / "systems" / "mediation"
EXPRESS = SYSTEM / "gateway" / "express"

END_SECONDS = 10.0
START_SECONDS = 60.0
"""More than the slowest stack takes, also beside other work."""


class Gateway:
    """A gateway that accepts."""

    def __init__(self, process: "subprocess.Popen[str]", url: str, errors: Path) -> None:
        self.process, self.url, self._errors = process, url, errors

    def stop(self, number: int) -> int:
        """Send a signal and return the exit code."""
        self.process.send_signal(number)
        return self.process.wait(END_SECONDS)

    def error_lines(self) -> list[str]:
        return self._errors.read_text().splitlines()


@contextmanager
def gateway(
    command: list[str],
    directory: Path,
    upstream_url: str,
    variables: Mapping[str, str] | None = None,
    *,
    client: Protocol = Protocol.H1C,
    says_its_port: bool = True,
) -> Iterator[Gateway]:
    """Start it on a port of the kernel's choice; it is killed at the end if it still runs.

    One that does not say which port that is gets one that is free. `client` is what its callers
    speak, as its variables (`leg_variables`) tell it.
    """
    host = (variables or {}).get("HOST", "127.0.0.1")
    port = 0 if says_its_port else free_port(host)
    own = {"PORT": str(port), "UPSTREAM_URL": upstream_url}
    with tempfile.NamedTemporaryFile(prefix="gateway-", suffix=".log") as log:
        process = subprocess.Popen(
            command,
            cwd=directory,
            env={**os.environ, **(variables or {}), **own},
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            start_new_session=True,  # one that is started by a script is ended with it
        )
        try:
            if says_its_port:
                port = _said_port(process, Path(log.name), host)
            else:
                _wait_until_it_accepts(process, (host, port), Path(log.name))
            yield Gateway(process, f"{client.scheme}://{host}:{port}", Path(log.name))
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait(END_SECONDS)
            process.stdout.close()  # type: ignore[union-attr]


def leg_variables(client: Protocol, upstream: RecordingUpstream) -> dict[str, str]:
    """What a stack is told of its legs. One certificate serves both ends of it, as in the lab."""
    told = {"CLIENT_PROTOCOL": client.value, "UPSTREAM_PROTOCOL": upstream.protocol.value}
    if upstream.material is not None:
        if client.is_tls:
            told["TLS_CERT"] = str(upstream.material.certificate)
            told["TLS_KEY"] = str(upstream.material.key)
        if upstream.protocol.is_tls:
            told["TLS_CA"] = str(upstream.material.authority)
    return told


def _said_port(process: "subprocess.Popen[str]", log: Path, host: str) -> int:
    assert process.stdout is not None
    # A runtime may speak first.
    before, line = [], ""
    while not line.startswith(f"listening on {host}:"):
        before.append(line := process.stdout.readline())
        assert line, "".join(before) + log.read_text()
    return int(line.rpartition(":")[2])


def _wait_until_it_accepts(
    process: "subprocess.Popen[str]", address: tuple[str, int], log: Path
) -> None:
    end = time.monotonic() + END_SECONDS
    while True:
        assert process.poll() is None, log.read_text()
        with suppress(ConnectionRefusedError):
            socket.create_connection(address, END_SECONDS).close()
            return
        assert time.monotonic() < end, log.read_text()
        time.sleep(0.01)


def install_node_modules() -> Path:
    """The production dependencies of the stack `express`, installed once per lock file."""
    digest = sha256((EXPRESS / "package-lock.json").read_bytes()).hexdigest()[:16]
    installed = ROOT / ".loadstone" / "test-node-modules" / digest
    installed.parent.mkdir(parents=True, exist_ok=True)
    with (installed.parent / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # another run of the tests may be at it
        if not installed.exists():
            _install(installed)
    return installed / "node_modules"


def _install(installed: Path) -> None:
    with tempfile.TemporaryDirectory(dir=installed.parent) as name:
        partial = Path(name) / installed.name
        partial.mkdir()
        for file in ("package.json", "package-lock.json", ".npmrc"):
            shutil.copy(EXPRESS / file, partial)
        subprocess.run(
            ["npm", "ci", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund"],
            cwd=partial,
            check=True,
            capture_output=True,
        )
        # Whole or not at all, so that an interrupted install is not taken for one.
        partial.rename(installed)


def copy_node_stack(directory: Path, node_modules: Path) -> Path:
    """A copy of the stack `express` that can be edited and run."""
    copied = directory / "express"
    shutil.copytree(EXPRESS, copied, ignore=shutil.ignore_patterns("node_modules"))
    (copied / "node_modules").symlink_to(node_modules)
    return copied
