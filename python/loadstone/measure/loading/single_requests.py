"""Single requests after a load, which tell whether other callers are answered as the load was.

A load has one caller who asks for one URL again and again. What answers it may be a cache of that URL,
or a way of its own for callers that are no browsers: see `audit/service/other_callers.py`. Requests of
each kind take turns on one connection, so that whatever else changes meets them all.
"""

import http.client
import secrets
import ssl
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from loadstone.deploy.target_address import Target
from loadstone.measure.loading.engine_plan import EngineOptions
from loadstone.results.single_requests import SingleRequests
from loadstone.study.values.model import Operation, Protocol, Workload

ROUNDS = 20
ALL_SECONDS = 5.0
"""Of all rounds together: slow services have fewer of them."""
ONE_SECONDS = 2.0
"""Of one request."""
SAFE_METHODS = ("GET", "HEAD")
"""Those that may be sent at will: RFC 9110, 9.2.1."""

BROWSER = (
    ("User-Agent", "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0"),
    ("Accept-Language", "en-US,en;q=0.5"),
)
"""What says that a browser asks, but nothing that asks for another form of the answer."""
NEW_PARAMETER = "loadstone-new-url"

Headers = tuple[tuple[str, str], ...]


class _Request(NamedTuple):
    path: str
    headers: Headers


class _Reply(NamedTuple):
    time_ns: int
    status: int
    coding: str


def may_ask(workload: Workload) -> bool:
    """Whether the requests of a load may be sent once more: they are known, and change nothing."""
    session = workload.plain_session
    if session is None:
        return False
    return all(each.method in SAFE_METHODS and not each.body for each in session)


def ask_single_requests(
    workload: Workload, target: Target, protocol: Protocol, options: EngineOptions
) -> SingleRequests | None:
    """Send them; none where the service does not speak HTTP/1.1 or does not answer.

    Takes at most `ALL_SECONDS` and one request more. Raises nothing of the network.
    """
    if protocol is Protocol.H2C:
        return None
    caller = _Caller(target, protocol, options)
    try:
        return _rounds(caller, workload.session[0])
    except (OSError, http.client.HTTPException):
        return None
    finally:
        caller.close()


class _Caller(http.client.HTTPConnection):
    """A connection to the address itself: the name in the URL is for the certificate and `Host`."""

    def __init__(self, target: Target, protocol: Protocol, options: EngineOptions) -> None:
        super().__init__(target.ip, target.port, timeout=ONE_SECONDS)
        self._target, self._context = target, None
        if protocol.is_tls:
            self._context = ssl.create_default_context(cadata=options.roots_pem)
            self._context.set_alpn_protocols(["http/1.1"])
            if not options.verify:
                self._context.check_hostname = False
                self._context.verify_mode = ssl.CERT_NONE

    def connect(self) -> None:
        """Connect, also again where the service has ended the connection."""
        super().connect()
        if self._context is not None:
            self.sock = self._context.wrap_socket(self.sock, server_hostname=self._target.name)

    def ask(self, method: str, request: _Request) -> _Reply:
        """Send one request and read its whole answer. Raises OSError, HTTPException."""
        self.putrequest(method, request.path, skip_host=True, skip_accept_encoding=True)
        self.putheader("Host", self._target.host)
        for name, value in request.headers:
            self.putheader(name, value)
        began = time.perf_counter_ns()
        self.endheaders()
        answer = self.getresponse()
        while answer.read1():
            if time.perf_counter_ns() - began > ONE_SECONDS * 1e9:
                raise TimeoutError("the answer does not end")
        time_ns = time.perf_counter_ns() - began
        answer.close()
        return _Reply(time_ns, answer.status, answer.getheader("Content-Encoding") or "")


def _rounds(caller: _Caller, operation: Operation) -> SingleRequests | None:
    kinds: tuple[Callable[[], _Request], ...] = (
        lambda: _Request(operation.path, operation.headers),
        lambda: _Request(operation.path, _of_a_browser(operation.headers)),
        lambda: _Request(_new_url(operation.path), operation.headers),
    )
    until = time.monotonic() + ALL_SECONDS
    first = caller.ask(operation.method, kinds[0]())  # connects
    seen: tuple[list[_Reply], ...] = tuple([] for _ in kinds)
    for number in range(ROUNDS):
        for turn in range(len(kinds)):
            kind = (number + turn) % len(kinds)
            seen[kind].append(caller.ask(operation.method, kinds[kind]()))
        if time.monotonic() >= until:
            break
    as_loaded, of_a_browser, of_a_new_url = (_times(each, first.status) for each in seen)
    if not as_loaded:
        return None
    asked = {name.lower() for name, _ in operation.headers}
    return SingleRequests(
        as_loaded_ns=as_loaded,
        of_a_browser_ns=of_a_browser,
        of_a_new_url_ns=of_a_new_url,
        coding="" if "accept-encoding" in asked else first.coding,
    )


def _times(replies: Sequence[_Reply], status: int) -> tuple[int, ...]:
    is_alike = all(each.status == status for each in replies)
    return tuple(each.time_ns for each in replies) if is_alike else ()


def _of_a_browser(headers: Headers) -> Headers:
    given = {name.lower() for name, _ in headers}
    return (*headers, *(each for each in BROWSER if each[0].lower() not in given))


def _new_url(path: str) -> str:
    return f"{path}{'&' if '?' in path else '?'}{NEW_PARAMETER}={secrets.token_hex(8)}"
