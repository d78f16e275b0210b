"""Engines of this machine in the place of those of others, and what they load: threads and pipes,
no Ray."""

import queue
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from carrying_out import carry_out

from loadstone.cluster.engines.engine_lab import EngineLab
from loadstone.cluster.engines.messages import (
    EngineAnswer,
    EngineAt,
    EngineCommand,
    FromEngine,
    LoadLeft,
    ToEngine,
    folder_from,
    folder_of,
)
from loadstone.cluster.engines.remote_load import RemoteEngines
from loadstone.deploy.placement import available_cpus
from loadstone.study.design.resolve import ResolvedPlan
from loadstone.study.values.model import Workload

HERE = "127.0.0.1"
Meddle = Callable[[str, EngineCommand], EngineCommand | None]
"""What becomes of a command on its way to a machine; none: it is lost."""


class _Echo(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def echo_server() -> Iterator[str]:
    """Echo bodies for the length of the block; give the base URL."""
    server = ThreadingHTTPServer((HERE, 0), _Echo)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://{HERE}:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class _Machine:
    """One machine with an engine, as a thread."""

    def __init__(self, name: str, results: Path, leading: Path, resolved: ResolvedPlan) -> None:
        self.commands: queue.SimpleQueue[EngineCommand | None] = queue.SimpleQueue()
        self.inbox: queue.SimpleQueue[FromEngine] = queue.SimpleQueue()
        self._name, self._results, self._leading = name, results, leading
        self.lab = EngineLab(resolved, HERE, results, (), self._answer)
        self.thread = threading.Thread(target=carry_out, args=(self.commands, self.lab), name=name)

    def _answer(self, answer: EngineAnswer) -> None:
        """As the driver passes it on: files first."""
        if isinstance(answer, LoadLeft):
            shutil.copytree(
                self._results / folder_of(answer.load),
                self._leading / folder_from(answer.load, self._name),
            )
        self.inbox.put(FromEngine(machine=self._name, answer=answer))


@contextmanager
def engines_here(
    directory: Path,
    workload: Workload,
    machines: tuple[str, ...],
    meddle: Meddle = lambda _, command: command,
) -> Iterator[RemoteEngines]:
    """Give engines for the length of the block, each with one CPU."""
    resolved = cast(
        ResolvedPlan,
        SimpleNamespace(
            plan=SimpleNamespace(workloads=(workload,)), system=SimpleNamespace(workloads=directory)
        ),
    )
    leading = directory / "leading"
    leading.mkdir(parents=True)
    found = {name: _Machine(name, directory / name, leading, resolved) for name in machines}
    inbox: queue.SimpleQueue[FromEngine] = queue.SimpleQueue()
    for machine in found.values():
        machine.inbox = inbox
        machine.thread.start()

    def tell(line: ToEngine) -> None:
        if (command := meddle(line.machine, line.command)) is not None:
            found[line.machine].commands.put(command)

    cpus = available_cpus()
    at = {name: EngineAt(address=HERE, cpus=cpus[:1]) for name in machines}
    try:
        yield RemoteEngines(at, leading, tell, inbox)
    finally:
        for machine in found.values():
            machine.commands.put(None)
            machine.thread.join()


def nothing(*_: Any) -> None:
    """Do nothing."""
