"""A booking service that keeps what it was asked, session by session, and may refuse some.

Sessions say who they are in two headers, which both generators send beside those of the workload. Ids
and tokens follow from the request alone, so whoever asks the same is answered the same.
"""

import threading
from collections import defaultdict
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import NamedTuple, Self

from model import Request

from booking import answer

GROUP, SESSION = "x-group", "x-session"
COMPARED = ("authorization", "content-type")


class Asked(NamedTuple):
    """One request, as far as it is compared."""

    method: str
    target: str
    headers: tuple[tuple[str, str], ...]
    body: bytes


class Place(NamedTuple):
    """A session's group and number."""

    group: str
    session: int


Refusal = Callable[[Place, int], int | None]
"""The status with which a session's step, from 0, is refused; none: it is answered as it should be."""


class RecordingService:
    """Listens while it is entered."""

    def __init__(self, refusal: Refusal) -> None:
        self.sessions: dict[Place, list[Asked]] = defaultdict(list)
        self.has_come_far = threading.Event()
        """Set when every place of every group has begun a session behind those that are compared."""
        self._refusal = refusal
        self._lock = threading.Lock()
        self._awaited: set[tuple[str, int]] = set()
        self._compared = self._users = 0
        service = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_GET(self) -> None:
                service._answer(self)

            def do_POST(self) -> None:
                service._answer(self)

            def do_PUT(self) -> None:
                service._answer(self)

            def log_message(self, *_: object) -> None:
                """Nothing is said of each request."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.address = f"127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def await_sessions(self, groups: tuple[str, ...], users: int, sessions: int) -> None:
        """Say of how many users in which groups how many sessions in all are compared."""
        self._compared, self._users = sessions, users
        self._awaited = {(group, user) for group in groups for user in range(users)}

    def _answer(self, handler: BaseHTTPRequestHandler) -> None:
        body = handler.rfile.read(int(handler.headers.get("content-length", "0")))
        place = Place(handler.headers[GROUP], int(handler.headers[SESSION]))
        headers = tuple(
            (name, handler.headers[name]) for name in COMPARED if name in handler.headers
        )
        with self._lock:
            asked = self.sessions[place]
            step = len(asked)
            asked.append(Asked(handler.command, handler.path, headers, body))
            if place.session >= self._compared and self._awaited:
                self._awaited.discard((place.group, place.session % self._users))
                if not self._awaited:
                    self.has_come_far.set()
        known = answer(Request("", step, handler.command, handler.path, headers, body.decode()))
        refused = self._refusal(place, step)
        status, text = (known.status, known.body) if refused is None else (refused, "{}")
        handler.send_response(status)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Content-Length", str(len(text.encode())))
        handler.end_headers()
        handler.wfile.write(text.encode())
