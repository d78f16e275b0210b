"""G9 to G11, G38 and G39: which requests are routed, and that they and their answers pass unchanged."""

import gzip
from functools import partial
from secrets import token_bytes, token_hex

from loadstone.contract import declare
from loadstone.contract.exchange import Exchange, Reply
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.scripts import Script, fixed
from loadstone.contract.subject import Subject
from loadstone.contract.wire import BrokenMessage

from .lib.gateway_answers import OWN_ANSWER_FIELDS, expect_refused
from .lib.gateway_service import (
    COINS,
    LOGIN,
    MANY_SECONDS,
    USERS,
    ask,
    ask_on,
    expect_none_arrived,
    get,
    post,
)
from .lib.objects import JSON, expect_status
from .lib.problems import body_of

check = partial(declare.check, needs_upstream=True, seconds=MANY_SECONDS)
quick = partial(declare.check, quick=True)

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
NOT_ROUTED = (
    *("/usersx", "/Users", "/USERS", "//users", "/%75sers", "/user%73", "/internal/coins/debits"),
    *(
        "//internal",
        "/",
        "/user",
        "/users;a=b",
        "/users;a=b/1",
        "/users.json",
        "/users%20",
        "/nothing",
    ),
    *("/healthx", "/health/", "/Health", "//health", "/api/users", "/x/users", "/internal", "//"),
    *("/users%3Fa", "/users%2F1", "/users:1", "/?users", "/eureka/apps", "/actuator/health"),
)
"""Their first segment is not `users` to the letter."""
DOTS = (
    *(
        "/users/../internal",
        "/users/../internal/coins/debits",
        "/users/..",
        "/users/.",
        "/users/./1",
    ),
    *("/users/%2e%2e/internal", "/users/%2E%2E/internal/coins/debits", "/users/.%2e/internal"),
    *(
        "/users/%2e./internal",
        "/users/%2e",
        "/users/%2E/1",
        "/users/1/..",
        "/users/1/../../internal",
    ),
    *(
        "/users/..%2finternal",
        "/users/..%2Finternal",
        "/users/..%5cinternal",
        "/users/..%5Cinternal",
    ),
    *("/users/a%2f..%2f..%2finternal", "/users/%2e%2e%2finternal", "/users/%2e%2e%5cinternal"),
    *(
        "/../users",
        "/./users",
        "/internal/../users",
        "/%2e%2e/users",
        "/x/%2e/users",
        "/..",
        "/%2E",
    ),
    *("/users/..?a=1", "/users/%2e%2e?/users", "/users//../internal", "/users/1/%2e%2e/"),
)
PASSED = (
    *("/users/", "/users/5", "/users//5", "/users///", "/users/5/", "/users/nothing/at/all"),
    *("/users/%41", "/users/%61%7e", "/users/~x", "/users/x%7Ey", "/users/a%20b", "/users/a%2Fb"),
    *("/users/a%2fb", "/users/a;b=c", "/users/a,b:c@d!$&'()*+=e", "/users/..a", "/users/a..b/..."),
    *("/users/%252e%252e/x", "/users/a%5Cb", "/users/%C3%A4", "/users/.well-known", "/users/a.b"),
    *("/users/%2e%2ea", "/users/USERS/Login", "/users/%00", "/users/%0d%0aX-A:b"),
)
QUERIES = (
    *("?", "?a=1&a=2&b=&c", "?c=3&b=2&a=1", "?a=1&a=1", "?x=%2F%2f%20+%C3%A4", "?a=b?c=d", "??"),
    *("?q=;&&==", "?/users/../internal", "?path=../..&x=%2e%2e", "?=", "?a", "?%61=%41"),
    *("?a=~!$'()*,:@", "?a+b=c+d", "?limit=10&after=%00", "?a=1&", "?&a=1"),
)
BODIES = (b"", b"\x00", bytes(range(256)), b'{ "a" : 1.0e2,\t"a":"\\u0041" }\r\n', b"0\r\n\r\n")


@quick("G9", "another first segment is 404")
def quick_not_routed(subject: Subject) -> None:
    for path in ("/usersx", "/internal/coins/debits"):
        expect_refused(subject, get(subject, path), "not-found", f"of {path}")


@check("G9", "what does not begin with users is 404, with any token and none")
def not_routed(subject: Subject) -> None:
    for path in NOT_ROUTED:
        for method, token in (("GET", None), ("POST", "a.b.c")):
            answer = ask(subject, method, path, token=token)
            expect_refused(subject, answer, "not-found", f"of {method} {path} without a token")
        expect_refused(subject, get(subject, path), "not-found", f"of {path}")
    for method in METHODS[2:]:
        answer = ask(subject, method, "/internal/coins/debits")
        expect_refused(subject, answer, "not-found", f"of {method} to what is internal")
    expect_none_arrived(subject, "other paths")


@check("G9", "segments that are dots are 400, with any token and none")
def dots(subject: Subject) -> None:
    for path in DOTS:
        for method, token in (("GET", None), ("POST", "a.b.c")):
            answer = ask(subject, method, path, token=token)
            expect_refused(subject, answer, "malformed", f"of {method} {path} without a token")
        expect_refused(subject, get(subject, path), "malformed", f"of {path}")
    expect_none_arrived(subject, "paths with dots")


@check("G9", "dots between backslashes are 400, whoever says so")
def backslashes(subject: Subject) -> None:
    # Such a target is none of HTTP, so what reads messages may refuse it first, in its own words.
    for path in ("/users/..\\internal", "/users/\\..\\internal", "/users\\..\\internal"):
        try:
            answer = get(subject, path)
        except (BrokenMessage, ConnectionError):
            expect(subject.client.is_http2, f"the connection ended unanswered after {path}")
        else:
            expect_status(answer, 400, path)
    expect_none_arrived(subject, "paths with backslashes")


@check("G10", "every method arrives as itself")
def methods(subject: Subject) -> None:
    for method in (*METHODS, "PROPFIND"):
        subject.upstream.forget()
        expect_status(ask(subject, method, "/users/5/status"), 200, method)
        exchange = subject.upstream.only_exchange()
        expect_equal((exchange.method, exchange.target), (method, "/users/5/status"), "the request")


@check("G10", "path and query arrive byte for byte")
def targets(subject: Subject) -> None:
    queries = [f"{path}{query}" for path in (USERS, "/users/5/coins") for query in QUERIES]
    for target in (USERS, *PASSED, *queries):
        for method in ("GET", "PUT"):
            subject.upstream.forget()
            expect_status(ask(subject, method, target), 200, f"{method} {target}")
            arrived = subject.upstream.only_exchange()
            expect_equal((arrived.method, arrived.target), (method, target), "the request there")


@check("G10", "a query on the open requests arrives, and needs no token")
def query_on_open_requests(subject: Subject) -> None:
    for target in (f"{USERS}?a=1&a=2", f"{LOGIN}?"):
        subject.upstream.forget()
        answer = ask(subject, "POST", target, JSON, body=b"{}", token=None)
        expect_status(answer, 200, f"POST {target} without a token")
        expect_equal(subject.upstream.only_exchange().target, target, "the target there")


@check("G10", "a body arrives byte for byte, of every method")
def bodies(subject: Subject) -> None:
    for method in ("POST", "PUT", "PATCH", "DELETE"):
        for body in (*BODIES, token_bytes(70_000)):
            subject.upstream.forget()
            answer = ask(subject, method, COINS, ("Content-Type", "application/x-any"), body=body)
            expect_equal((answer.status, answer.body), (200, body), f"the echo of a {method}")
            expect_equal(subject.upstream.only_exchange().body, body, f"the body of {method} there")


@check("G10", "a body whose length is not said arrives whole")
def body_in_pieces(subject: Subject) -> None:
    pieces = [token_bytes(size) for size in (1, 300, 7000, 1)]
    with subject.connect() as connection:
        call = connection.begin(USERS, [JSON])
        for piece in pieces:
            call.send_piece(piece)
        call.end()
        answer = call.receive_answer()
    expect_equal((answer.status, answer.body), (200, b"".join(pieces)), "the echo")
    expect_equal(subject.upstream.only_exchange().body, b"".join(pieces), "the body there")


@check("G10", "the authority at the service is the instance's")
def authority(subject: Subject) -> None:
    get(subject)
    exchange = subject.upstream.only_exchange()
    wanted = subject.upstream.authority
    expect_equal(exchange.authority, wanted, "the service's authority")
    expect(set(exchange.head.values("host")) <= {wanted}, "the service's Host is another")


@check("G11", "whatever status, fields and body the service has are the caller's")
def any_answer(subject: Subject) -> None:
    for status in (200, 201, 202, 400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 502, 503, 504):
        token = token_hex(4)
        fields = [
            ("Content-Type", "application/problem+json" if status >= 400 else "application/json"),
            ("Cache-Control", "no-store"),
            ("X-Instance-Id", f"users-{status}"),
            ("ETag", f'W/"{token}"'),
            ("Vary", "Accept"),
            (f"X-{token}", token),
        ]
        fields += [("Location", f"/users/{status}")] if status == 201 else []
        fields += [("WWW-Authenticate", 'Basic realm="x"')] if status == 401 else []
        fields += [("Retry-After", "77")] if status == 503 else []
        body = f'{{"a": {status}, "a":"{token}"}}\n'.encode()
        subject.upstream.answer_with(fixed(status, fields, body))
        answer = get(subject)
        expect_equal((answer.status, answer.body), (status, body), f"the answer of {status}")
        for name, value in fields:
            expect_equal(answer.values(name), (value,), f"{name} of {status}")


@check("G11", "a problem of the service is not the gateway's")
def problem(subject: Subject) -> None:
    for code, status in (("coins", 409), ("internal", 500), ("unavailable", 503)):
        body = body_of(code)
        fields = [("Content-Type", "application/problem+json")]
        subject.upstream.answer_with(fixed(status, fields, body))
        for method in ("GET", "POST"):
            answer = ask(subject, method, COINS)
            expect_equal((answer.status, answer.body), (status, body), f"{code} by {method}")
            expect_equal(answer.values("retry-after"), (), f"Retry-After of {code}")
            expect_equal(answer.values("x-instance-id"), (), f"X-Instance-Id of {code}")
    expect_equal(len(subject.upstream.exchanges), 6, "requests at the service")


@check("G11", "an answer without a body stays without")
def without_body(subject: Subject) -> None:
    for status in (200, 202, 204, 304, 404):
        subject.upstream.answer_with(fixed(status, [("ETag", '"1"')]))
        with subject.connect() as connection:
            for _ in range(2):  # a body that is none would stand before the second answer
                answer = ask_on(connection, "GET", USERS)
                expect_equal((answer.status, answer.body), (status, b""), "status and body")
                expect_equal(answer.values("etag"), ('"1"',), f"ETag of {status}")
                expect_equal(answer.values("content-type"), (), f"Content-Type of {status}")


@check("G11", "no field is added, and no content type guessed")
def no_field_added(subject: Subject) -> None:
    for status in (200, 404, 500):
        subject.upstream.answer_with(fixed(status, [], b"<html><body>not labelled</body></html>"))
        names = {name.lower() for name, _ in get(subject).headers}
        expect_equal(names - OWN_ANSWER_FIELDS, set(), f"what the gateway added to {status}")


@check("G11", "large bodies come back whole, framed by a length or not")
def large_answers(subject: Subject) -> None:
    body = token_bytes(1 << 20)
    for script in (fixed(200, [], body), _in_pieces(body)):
        subject.upstream.answer_with(script)
        answer = get(subject)
        expect_status(answer, 200, "a large answer")
        expect(answer.body == body, f"{len(answer.body)} bytes came back otherwise")


@check("G38", "a redirect is passed on, not followed")
def redirects(subject: Subject) -> None:
    for status in (301, 302, 303, 307, 308):
        for method in ("GET", "POST"):
            subject.upstream.forget()
            location = f"{subject.upstream.url}/users/elsewhere/{token_hex(4)}"
            subject.upstream.answer_with(fixed(status, [("Location", location)]))
            answer = ask(subject, method, COINS)
            expect_status(answer, status, f"{method} that is redirected")
            expect_equal(answer.values("location"), (location,), "Location")
            subject.upstream.only_exchange()


@check("G38", "a coded body stays as it is, asked for or not")
def coded_bodies(subject: Subject) -> None:
    body = gzip.compress(token_hex(200).encode())
    for coding in ("gzip", "br", "x-own"):
        subject.upstream.answer_with(fixed(200, [JSON, ("Content-Encoding", coding)], body))
        for asked in ([], [("Accept-Encoding", "gzip, br")]):
            answer = get(subject, USERS, *asked)
            expect_equal(answer.values("content-encoding"), (coding,), "Content-Encoding")
            expect_equal(answer.body, body, f"the body in {coding}")
    subject.upstream.forget()
    answer = post(subject, COINS, body, JSON, ("Content-Encoding", "gzip"))
    exchange = subject.upstream.only_exchange()
    expect_equal(exchange.head.values("content-encoding"), ("gzip",), "Content-Encoding there")
    expect_equal((exchange.body, answer.body), (body, body), "a coded body of a request")


@check("G38", "nothing is compressed that was not")
def compresses_nothing(subject: Subject) -> None:
    body = b"a" * 20_000
    subject.upstream.answer_with(fixed(200, [JSON], body))
    answer = get(subject, USERS, ("Accept-Encoding", "gzip, br, deflate, zstd"))
    expect_equal(answer.values("content-encoding"), (), "Content-Encoding")
    expect_equal(answer.body, body, "the body")


@check("G38", "repeated fields of an answer stay repeated")
def repeated_fields(subject: Subject) -> None:
    # Set-Cookie is the one field whose values cannot be joined.
    cookies = (f"a={token_hex(4)}; Path=/", f"b={token_hex(4)}, c", "a=3")
    others = ("1", "2", "1")
    fields = [("Set-Cookie", each) for each in cookies] + [("X-Repeated", each) for each in others]
    subject.upstream.answer_with(fixed(200, fields, b"{}"))
    answer = get(subject)
    expect_equal(answer.values("set-cookie"), cookies, "Set-Cookie")
    expect_equal(answer.values("x-repeated"), others, "X-Repeated")


@check("G39", "two equal GETs are two requests of the service")
def caches_nothing(subject: Subject) -> None:
    fields = [JSON, ("Cache-Control", "public, max-age=3600"), ("ETag", '"same"'), ("Age", "0")]
    for number in (1, 2, 3):
        body = token_hex(8).encode()
        subject.upstream.answer_with(fixed(200, fields, body))
        answer = get(subject, "/users/5")
        expect_equal((answer.status, answer.body), (200, body), f"answer {number}")
        expect_equal(len(subject.upstream.exchanges), number, "requests at the service")
    answer = get(subject, "/users/5", ("If-None-Match", '"same"'))
    expect_status(answer, 200, "a GET that names the tag, of a service that does not look at it")
    values = subject.upstream.exchanges[-1].head.values("if-none-match")
    expect_equal(values, ('"same"',), "If-None-Match at the service")


def _in_pieces(body: bytes) -> Script:
    def answer(_exchange: Exchange, reply: Reply) -> None:
        reply.begin(200)
        for at in range(0, len(body), 50_000):
            reply.piece(body[at : at + 50_000])
        reply.end()

    return answer
