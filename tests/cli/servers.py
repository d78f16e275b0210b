"""Small real servers for `bench`, each on port 0 of loopback, in a thread of the test."""

import math
import queue
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Literal

HERE = Path(__file__).parent
CERTIFICATES = HERE / "certificates"
ROOT = CERTIFICATES / "root.pem"


class Hello(BaseHTTPRequestHandler):
    """Answers any GET with five bytes, and any POST with its own body."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self._answer(200, b"hello")

    def do_POST(self) -> None:
        self._answer(200, self.rfile.read(int(self.headers["content-length"])))

    def _answer(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


class Broken(Hello):
    """Answers every third request with 500."""

    count = 0

    def do_GET(self) -> None:
        type(self).count += 1
        self._answer(500 if type(self).count % 3 == 0 else 200, b"hello")


class Mixed(Hello):
    """Answers every fiftieth request with another one's five bytes."""

    count = 0

    def do_GET(self) -> None:
        type(self).count += 1
        self._answer(200, b"olleh" if type(self).count % 50 == 0 else b"hello")


class Counting(Hello):
    """Tells how many it has answered."""

    count = 0

    def do_GET(self) -> None:
        type(self).count += 1
        self._answer(200, b'{"items": [{"id": 7}], "count": %d}' % type(self).count)


class Unequal(Hello):
    """Serves one connection thirty times as slowly as the others."""

    connections = 0

    def setup(self) -> None:
        super().setup()
        type(self).connections += 1
        # The first one is the lab's, which only looks whether anything listens.
        self.seconds = 0.06 if type(self).connections == 4 else 0.002

    def do_GET(self) -> None:
        time.sleep(self.seconds)
        super().do_GET()


class Warming(Hello):
    """Answers after 60 ms at first, and sooner and sooner: by a factor of e every 6 s."""

    wbufsize = -1  # one packet an answer: of two the second waits for an acknowledgement
    began = 0.0

    def do_GET(self) -> None:
        cls = type(self)
        cls.began = cls.began or time.monotonic()
        time.sleep(0.002 + 0.06 * math.exp(-(time.monotonic() - cls.began) / 6))
        super().do_GET()


class Cached(Hello):
    """Makes a page in 20 ms for each new URL, and keeps it."""

    wbufsize = -1
    kept: frozenset[str] = frozenset()

    def do_GET(self) -> None:
        if self.path not in type(self).kept:
            time.sleep(0.02)
            type(self).kept |= {self.path}
        super().do_GET()


class ForBrowsers(Hello):
    """Takes 20 ms where a browser asks."""

    wbufsize = -1

    def do_GET(self) -> None:
        if "user-agent" in self.headers:
            time.sleep(0.02)
        super().do_GET()


class Stalling(Hello):
    """Counts, and takes a tenth of a second where it is not the load that asks."""

    wbufsize = -1
    loaded = 0

    def do_GET(self) -> None:
        type(self).loaded += 1
        if type(self).loaded > 100:
            time.sleep(0.1)
        super().do_GET()


class Acknowledging(Hello):
    """Takes orders at once, and carries them out one after the other."""

    orders: "queue.SimpleQueue[bool]" = queue.SimpleQueue()

    def do_POST(self) -> None:
        type(self).orders.put(True)
        super().do_POST()


@contextmanager
def http_server(handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    """Serve, and give the base URL."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def node_server(protocol: Literal["h1", "h2c", "h2"], host: str = "127.0.0.1") -> Iterator[str]:
    """Serve `server.mjs`, and give the base URL. Its certificate is verified by `ROOT`."""
    server = subprocess.Popen(
        ["node", HERE / "server.mjs", protocol, host, CERTIFICATES],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdin is not None
    assert server.stdout is not None
    try:
        port = int(server.stdout.readline())
        name = f"[{host}]" if ":" in host else host
        yield f"{'http' if protocol == 'h2c' else 'https'}://{name}:{port}"
    finally:
        server.stdin.close()
        server.wait()
        server.stdout.close()


@contextmanager
def accepting(then: Callable[[socket.socket], None]) -> Iterator[str]:
    """Accept connections, do something with each, and give the base URL."""
    listener = socket.create_server(("127.0.0.1", 0))
    connections: list[socket.socket] = []

    def accept() -> None:
        with suppress(OSError):
            while True:
                connection, _ = listener.accept()
                connections.append(connection)
                then(connection)

    thread = threading.Thread(target=accept)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        thread.join()
        for connection in connections:
            connection.close()
