"""What is loaded, pinned to a CPU: the workbench's servers, the echo backend, nginx, a black hole."""

import json
import os
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.engine.certificate import make_certificate
from benchmarks.engine.settings import SERVER_CPU
from loadstone.deploy import process
from loadstone.deploy.binaries import find_binary
from loadstone.deploy.ports import free_port
from loadstone.errors import LoadstoneError, Unavailable
from loadstone.machine import ownership

START_SECONDS = 5.0
FINISH_SECONDS = 30.0

NGINX = """\
daemon off; master_process off; worker_processes 1; worker_rlimit_nofile 16384;
pid {directory}/nginx.pid; error_log {directory}/error.log;
events {{ worker_connections 12000; multi_accept on; }}
http {{
  access_log off; default_type text/plain;
  keepalive_requests 1000000000; keepalive_timeout 600s;
  client_body_temp_path {directory}/t1; proxy_temp_path {directory}/t2;
  fastcgi_temp_path {directory}/t3; uwsgi_temp_path {directory}/t4; scgi_temp_path {directory}/t5;
  ssl_certificate {chain}; ssl_certificate_key {key};
  server {{ listen {address} {listen}; return 200 "Hello, world!"; }}
}}
"""
"""One process, no log, the same body as the minimal server; everything else is nginx's default."""

NGINX_LISTEN = {"h1c": "", "h1": "ssl", "h2c": "http2", "h2": "ssl http2"}


@dataclass(frozen=True)
class Server:
    """A running server."""

    name: str
    address: str
    pid: int


class ListeningServer:
    """A server that prints where it listens.

    One of the workbench ends, and gives its figures, when its input is closed.
    """

    def __init__(self, program: Path, words: list[str], cpu: int = SERVER_CPU) -> None:
        with process.affinity((cpu,)):
            self._process = subprocess.Popen(
                [str(program), *words],
                env={**os.environ, ownership.VARIABLE: ownership.mark()},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=True,
                text=True,
            )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line.startswith("listening on "):
            self.kill()
            raise LoadstoneError(f"`{program.name} {' '.join(words)}` did not start")
        address = line.removeprefix("listening on ").strip()
        name = words[0] if words else program.name
        self.server = Server(name, address, self._process.pid)

    def finish(self) -> dict[str, Any]:
        """End it and return its figures; empty where it gives none."""
        output, _ = self._process.communicate(timeout=FINISH_SECONDS)
        return dict(json.loads(output)) if output.strip() else {}

    def kill(self) -> None:
        """End it at once, if it has not ended."""
        with suppress(ProcessLookupError):
            self._process.kill()
        self._process.communicate()


@contextmanager
def workbench_server(workbench: Path, *words: str) -> Iterator[ListeningServer]:
    """Run a server of the workbench for the length of the block."""
    running = ListeningServer(workbench, list(words))
    try:
        yield running
    finally:
        running.kill()


@contextmanager
def echo_backend(cpu: int) -> Iterator[Server]:
    """Run the lab's echo backend on a CPU. Raises Unavailable where it is not installed."""
    running = ListeningServer(find_binary("loadstone-echo"), [], cpu)
    try:
        yield running.server
    finally:
        running.kill()


@contextmanager
def nginx(protocol: str) -> Iterator[Server]:
    """Run nginx for the length of the block. Raises Unavailable where it is not installed."""
    program = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if program is None:
        raise Unavailable("nginx is not installed", "run scripts/install-benchmark-peers")
    with ownership.scratch_directory() as directory:
        certificate = make_certificate(directory)
        address = f"127.0.0.1:{free_port()}"
        configuration = directory / "nginx.conf"
        configuration.write_text(
            NGINX.format(
                directory=directory,
                chain=certificate.chain,
                key=certificate.key,
                address=address,
                listen=NGINX_LISTEN[protocol],
            )
        )
        log = directory / "nginx.log"
        child = process.start(
            "nginx",
            [program, "-p", str(directory), "-c", str(configuration), "-e", str(log)],
            directory=directory,
            log_path=log,
            cpus=(SERVER_CPU,),
        )
        with process.running(child):
            _wait_until_open(address, child)
            yield Server("nginx", address, child.pid)


def _wait_until_open(address: str, child: process.Child) -> None:
    host, _, port = address.rpartition(":")
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and child.ending() is None:
        with suppress(OSError), socket.create_connection((host, int(port)), timeout=1):
            return
        time.sleep(0.01)
    raise LoadstoneError(f"{child.name} does not listen on {address}: {child.log_tail()}")


@contextmanager
def black_hole() -> Iterator[str]:
    """Give the address of a server that accepts every connection and never answers."""
    accepted: list[socket.socket] = []
    with socket.create_server(("127.0.0.1", 0), backlog=1024) as listener:

        def accept() -> None:
            with suppress(OSError):  # the listener was shut down
                while True:
                    accepted.append(listener.accept()[0])

        thread = threading.Thread(target=accept, daemon=True)
        thread.start()
        try:
            yield f"127.0.0.1:{listener.getsockname()[1]}"
        finally:
            with suppress(OSError):
                listener.shutdown(socket.SHUT_RDWR)
            thread.join()
            for connection in accepted:
                connection.close()
