"""The command with another kind of dependency in place of the echo backend: one that keeps something.

It answers by echo, too, and has what the echo lacks: a data directory, files to be seeded with, a
reset, a second process in a session of its own, and ways to fail. `KEEPER_JOURNAL` names the file in
which it says what was done to it; `KEEPER_FAILS` the step in which it fails.
"""

import json
import os
import shutil
import signal
import sys
import urllib.request
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from loadstone.cli.main import main
from loadstone.deploy import process
from loadstone.deploy.dependencies.data import DataDirectory
from loadstone.deploy.dependencies.interface import Leader, Place, Seed
from loadstone.deploy.dependencies.registry import KINDS, Kind
from loadstone.errors import StepFailed

JOURNAL = Path(os.environ["KEEPER_JOURNAL"])
FAILS = os.environ.get("KEEPER_FAILS", "")

SERVER = """
import http.server, os, subprocess, sys, threading
answered, last = 0, int(sys.argv[1])

class Keeper(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_POST(self):
        global answered
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        if self.path == "/reset":
            body, answered = str(answered).encode(), 0
        else:
            answered += 1
        if answered > last:
            print("the keeper had enough", file=sys.stderr, flush=True)
            os._exit(7)
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        if "Content-Type" in self.headers:
            self.send_header("Content-Type", self.headers["Content-Type"])
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass

class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 256

helper = subprocess.Popen(["sleep", "600"], start_new_session=True)
server = Server(("127.0.0.1", 0), Keeper)
print(f"listening on 127.0.0.1:{server.server_port} {helper.pid}", flush=True)
server.serve_forever()
"""


def note(event: str, **details: object) -> None:
    with JOURNAL.open("a") as file:
        file.write(json.dumps({"event": event, **details}) + "\n")


class Keeper:
    """A dependency that keeps what it was seeded with."""

    def __init__(
        self, child: process.Child, address: str, helper: int, data: DataDirectory, seed: Seed
    ) -> None:
        self._child, self._helper, self._data, self._seed = child, helper, data, seed
        self.name, self.url = child.name, f"http://{address}"

    @property
    def settings(self) -> Mapping[str, str]:
        return {"durability": "none"}

    @property
    def leaders(self) -> tuple[Leader, ...]:
        child = self._child
        cpus = child.cpus()
        return (
            Leader(self.name, child.command, child.pid, cpus),
            Leader(f"{self.name}-helper", "sleep 600", self._helper, cpus),
        )

    @property
    def killed_after_ns(self) -> int | None:
        return self._child.killed_after_ns

    def seed(self) -> None:
        files = self._seed.files
        note("seed", files=[path.name for path in files], answered=self._forget())
        if FAILS == "seed":
            raise StepFailed("seed", f"{self.name} does not take {files[0].name}", "near line 1")
        for path in files:
            shutil.copy(path, self._data.path)

    def services_stand(self) -> None:
        """Keep what there is."""

    def reset(self) -> None:
        note("reset", answered=self._forget(), kept=self._kept())
        if FAILS == "reset":
            raise StepFailed("reset", f"{self.name} cannot be reset")

    def work(self) -> None:
        return None

    def rows(self) -> None:
        return None

    def open_connections(self) -> None:
        """Nothing."""

    def store(self) -> None:
        return None

    @property
    def hand(self) -> None:
        return None

    def ending(self) -> str | None:
        return self._child.ending()

    def log_tail(self) -> str:
        return self._child.log_tail()

    def stop(self) -> None:
        note("stop")
        self._child.stop()
        with suppress(ProcessLookupError):
            os.kill(self._helper, signal.SIGKILL)
        self._data.remove()

    def _kept(self) -> list[str]:
        return sorted(path.name for path in self._data.path.iterdir())

    def _forget(self) -> int:
        with urllib.request.urlopen(f"{self.url}/reset", data=b"") as answer:
            return int(answer.read())


def start(place: Place) -> Keeper:
    data = DataDirectory()
    note("start", data=str(data.path))
    program = "raise SystemExit('no room')" if FAILS == "deploy" else SERVER
    last = 100 if FAILS == "load" else 10**9
    child = process.start(
        place.name,
        [sys.executable, "-c", program, str(last)],
        directory=data.path,
        log_path=place.logs / f"{place.name}.log",
        cpus=place.cpus,
        pipe_output=True,
    )
    try:
        address, helper = process.wait_for_line(child, "listening on ", 10).split()
    except (TimeoutError, ChildProcessError) as error:
        child.stop()
        data.remove()
        raise StepFailed("deploy", str(error), child.log_tail()) from error
    return Keeper(child, address, int(helper), data, place.seed)


KINDS["echo"] = Kind(start, is_upstream=True)
sys.exit(main())
