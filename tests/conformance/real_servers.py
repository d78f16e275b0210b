"""The real servers: how each is built, started on free ports, and ended.

A server is `kinds` of answers and a port for each protocol. What it is built of or run by may be
missing on a machine: then `Missing` says what, and how to get it.
"""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import IO

from bodies import body_of
from certificates import Certificates

CHECKOUT = Path(__file__).parents[2]
HERE = Path(__file__).parent
SOURCES = HERE / "servers"
BUILDS = CHECKOUT / ".loadstone" / "conformance"
BINARIES = Path(sys.executable).parent
SIZES = [0, 50, 1024, 1 << 20, 50 << 20]
RELOAD_SECONDS = 0.5
"""More than HAProxy takes to start."""

HTTP1 = ["h1c", "h1"]
EVERY_PROTOCOL = ["h1c", "h1", "h2c", "h2"]


class Missing(Exception):
    """A server cannot run here; the text says what it lacks."""


@dataclass(frozen=True)
class RealServer:
    """A server that accepts."""

    ports: dict[str, int]


def need(*commands: str) -> None:
    """Raise `Missing` unless all of these are here."""
    missing = [command for command in commands if shutil.which(command, path=_path()) is None]
    if missing:
        raise Missing(
            f"{', '.join(missing)} not found: as root, scripts/install-conformance-servers installs it"
        )


def _path() -> str:
    # Debian keeps servers where only root's path leads.
    return os.pathsep.join([os.environ["PATH"], "/usr/sbin", "/usr/local/sbin"])


def start(stack: ExitStack, command: list[str], **env: str) -> str:
    """Start a process that ends with the stack, and give its first line."""
    errors = stack.enter_context(tempfile.TemporaryFile("w+"))  # noqa: SIM115
    process = _spawn(stack, command, errors, **env)
    assert process.stdout is not None
    line = process.stdout.readline()
    if not line:
        errors.seek(0)
        raise AssertionError(f"{command[0]} did not start: {errors.read()}")
    return line


def inheriting(
    stack: ExitStack, command: list[str], sockets: Iterable[socket.socket], **env: str
) -> "subprocess.Popen[str]":
    """Start a process that ends with the stack, and that inherits sockets which listen already: it need
    not say when it accepts.
    """
    errors = stack.enter_context(tempfile.TemporaryFile("w+"))  # noqa: SIM115
    return _spawn(stack, command, errors, tuple(it.fileno() for it in sockets), **env)


def _spawn(
    stack: ExitStack,
    command: list[str],
    errors: IO[str],
    pass_fds: tuple[int, ...] = (),
    **env: str,
) -> "subprocess.Popen[str]":
    process = subprocess.Popen(
        command,
        env={**os.environ, "PATH": _path(), "PYTHONPATH": str(HERE), **env},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=errors,
        text=True,
        pass_fds=pass_fds,
    )
    assert process.stdout is not None
    stack.callback(process.stdout.close)
    stack.callback(process.wait)
    stack.callback(process.terminate)
    return process


def _announced(command: list[str]) -> Callable[[ExitStack, Certificates], RealServer]:
    def begin(stack: ExitStack, certificates: Certificates) -> RealServer:
        need(command[0])
        line = start(stack, [*command, str(certificates.folder)])
        return RealServer(json.loads(line))

    return begin


def _built(name: str, tools: list[str], command: list[str], artifact: str) -> Path:
    """What `command` makes of a copy of the sources, kept by their content."""
    need(*tools)
    files = sorted(path for path in (SOURCES / name).rglob("*") if path.is_file())
    digest = sha256(b"".join(path.read_bytes() for path in files)).hexdigest()[:16]
    built = BUILDS / f"{name}-{digest}"
    if not built.exists():
        BUILDS.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=BUILDS) as partial:
            copy = Path(partial) / name
            shutil.copytree(SOURCES / name, copy)
            done = subprocess.run(command, cwd=copy, capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stdout + done.stderr
            # Whole or not at all, so that an interrupted build is not taken for one.
            copy.rename(built)
    return built / artifact


def _go(stack: ExitStack, certificates: Certificates) -> RealServer:
    binary = _built("go", ["go"], ["go", "build", "-o", "server", "."], "server")
    return _announced([str(binary)])(stack, certificates)


def _jdk(stack: ExitStack, certificates: Certificates) -> RealServer:
    # A single file is compiled when it is started.
    need("javac")
    command = ["java", "-Xmx1g", str(SOURCES / "java" / "Jdk.java")]
    return _announced(command)(stack, certificates)


def _jetty(stack: ExitStack, certificates: Certificates) -> RealServer:
    maven = ["mvn", "-q", "-B", "compile"]
    target = _built("jetty", ["java", "javac", "mvn"], maven, "target")
    classes = f"{target}/classes:{target}/dependency/*"
    return _announced(["java", "-Xmx1g", "-cp", classes, "JettyServer"])(stack, certificates)


def _hyper(stack: ExitStack, certificates: Certificates) -> RealServer:
    """The echo backend, which speaks one protocol a process."""
    identity = [
        *("--tls-certificate", str(certificates.folder / "server.pem")),
        *("--tls-key", str(certificates.folder / "server.key")),
    ]
    ports = {}
    for protocol in EVERY_PROTOCOL:
        command = [str(BINARIES / "loadstone-echo"), "--protocol", protocol]
        command += ["--max-body-bytes", str(SIZES[-1])]
        line = start(stack, command + (identity if protocol in {"h1", "h2"} else []))
        ports[protocol] = int(line.rpartition(":")[2])
    return RealServer(ports)


def _listening(stack: ExitStack) -> dict[str, socket.socket]:
    """A socket for each protocol, for servers that inherit them: no port can be lost to another."""
    opened = {}
    for protocol in EVERY_PROTOCOL:
        listener = stack.enter_context(socket.create_server(("127.0.0.1", 0), backlog=128))
        opened[protocol] = listener
    return opened


def _configured(source: Path, folder: Path, words: dict[str, object]) -> Path:
    text = re.sub(r"@(\w+)@", lambda match: str(words[match[1]]), source.read_text())
    (folder / source.name).write_text(text)
    return folder / source.name


def _nginx(stack: ExitStack, certificates: Certificates) -> RealServer:
    # The tests keep a connection for more requests than the default of 1,000.
    return nginx(stack, certificates, "keepalive_requests 100000;").server


@dataclass(frozen=True)
class Reloadable:
    """A server that can be told to begin anew, and lets its connections end meanwhile."""

    server: RealServer
    reload: Callable[[], None]


def nginx(stack: ExitStack, certificates: Certificates, keepalive: str = "") -> Reloadable:
    """Start nginx, with its own defaults for kept connections or what is said of them."""
    need("nginx")
    folder = _copy_of(stack, certificates)
    (folder / "bodies").mkdir()
    for size in SIZES:
        (folder / "bodies" / str(size)).write_bytes(body_of(size))
    sockets = _listening(stack)
    ports = {protocol: it.getsockname()[1] for protocol, it in sockets.items()}
    echo = _go(stack, certificates).ports["h1c"]
    words = {"folder": folder, "echo": echo, "keepalive": keepalive, **ports}
    config = _configured(SOURCES / "nginx" / "nginx.conf", folder, words)
    # By this variable nginx hands its sockets over to a newer binary of itself.
    inherited = "".join(f"{it.fileno()};" for it in sockets.values())
    command = ["nginx", "-p", str(folder), "-c", str(config)]
    process = inheriting(stack, command, sockets.values(), NGINX=inherited)
    return Reloadable(RealServer(ports), lambda: process.send_signal(signal.SIGHUP))


def _haproxy(stack: ExitStack, certificates: Certificates) -> RealServer:
    return haproxy(stack, certificates).server


def haproxy(stack: ExitStack, certificates: Certificates) -> Reloadable:
    """Start HAProxy, with its own defaults for kept connections."""
    need("haproxy")
    folder = _copy_of(stack, certificates)
    sockets = _listening(stack)
    echo = _go(stack, certificates).ports["h1c"]
    words = {"folder": folder, "echo": echo}
    descriptors = {protocol: it.fileno() for protocol, it in sockets.items()}
    config = _configured(SOURCES / "haproxy" / "haproxy.cfg", folder, words | descriptors)
    command = ["haproxy", "-db", "-f", str(config)]
    running = [inheriting(stack, command, sockets.values())]

    def reload() -> None:
        # A newer process accepts from the same sockets before the older one is told to stop.
        running.append(inheriting(stack, command, sockets.values()))
        time.sleep(RELOAD_SECONDS)
        running[-2].send_signal(signal.SIGUSR1)

    ports = {protocol: it.getsockname()[1] for protocol, it in sockets.items()}
    return Reloadable(RealServer(ports), reload)


def _copy_of(stack: ExitStack, certificates: Certificates) -> Path:
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="conformance-")))
    shutil.copytree(certificates.folder, folder, dirs_exist_ok=True)
    # nginx's workers are another user when root runs it, and need to read the bodies.
    folder.chmod(0o755)
    return folder


@dataclass(frozen=True)
class Kind:
    """What one server can do, and how it begins."""

    begin: Callable[[ExitStack, Certificates], RealServer]
    protocols: list[str]
    # `bytes`, `chunked`, `close` (until the connection ends; HTTP/1.1), `status`, `echo`.
    answers: set[str]
    # Where requests may be sent before the response to the one before.
    pipelines: tuple[str, ...] = ("h1c", "h1")


_WITHOUT_CLOSE = {"bytes", "chunked", "status", "echo"}
_EVERY_ANSWER = _WITHOUT_CLOSE | {"close"}
_PYTHON = str(SOURCES / "python")

KINDS = {
    "nginx": Kind(_nginx, EVERY_PROTOCOL, _EVERY_ANSWER),
    "haproxy": Kind(_haproxy, EVERY_PROTOCOL, _EVERY_ANSWER),
    "go": Kind(_go, EVERY_PROTOCOL, _EVERY_ANSWER),
    "node": Kind(
        _announced(["node", str(SOURCES / "node" / "server.mjs")]), EVERY_PROTOCOL, _EVERY_ANSWER
    ),
    # Over TLS it leaves decrypted requests unanswered until further bytes come.
    "jdk": Kind(_jdk, HTTP1, _WITHOUT_CLOSE, pipelines=("h1c",)),
    "jetty": Kind(_jetty, EVERY_PROTOCOL, _WITHOUT_CLOSE),
    "python": Kind(
        _announced([sys.executable, f"{_PYTHON}/stdlib_server.py"]), HTTP1, _EVERY_ANSWER
    ),
    "hypercorn": Kind(
        _announced([sys.executable, f"{_PYTHON}/hypercorn_server.py"]),
        EVERY_PROTOCOL,
        _WITHOUT_CLOSE,
    ),
    "hyper": Kind(_hyper, EVERY_PROTOCOL, {"echo"}),
}


@contextmanager
def real_server(name: str, certificates: Certificates) -> Iterator[RealServer]:
    """Start a server by its name, and end it and whatever stands behind it."""
    with ExitStack() as stack:
        yield KINDS[name].begin(stack, certificates)
