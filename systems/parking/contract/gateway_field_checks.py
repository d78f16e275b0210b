"""G7, G8 and G14: which fields pass on, which end at the gateway, and which it sets."""

from collections.abc import Iterable
from functools import partial
from secrets import token_hex

from loadstone.contract import declare
from loadstone.contract.client import Answer
from loadstone.contract.exchange import Exchange, Reply
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.scripts import Script, fixed
from loadstone.contract.subject import Subject
from loadstone.contract.wire import Head

from .lib.gateway_answers import OWN_REQUEST_FIELDS, REQUEST_ID, expect_refused, request_id_of
from .lib.gateway_service import (
    COINS,
    HEALTH,
    LOGIN,
    MANY_SECONDS,
    ORIGIN,
    USERS,
    ask,
    ask_on,
    get,
    post,
)
from .lib.gateway_tokens import token_of
from .lib.objects import JSON, expect_status
from .lib.tokens import bearer

check = partial(declare.check, needs_upstream=True, seconds=MANY_SECONDS)

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
ID, ROLE = "X-User-Id", "X-User-Role"
FORGED = (
    *((ID, "1"), ("x-user-id", "2"), ("X-USER-ID", "3"), ("x-User-iD", "4")),
    *((ROLE, "SUPERVISOR"), ("x-user-role", "DEVICE"), ("X-USER-ROLE", "ADMIN")),
)
FORWARDED = ("X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host")
FORGED_FORWARDED = (
    *(("X-Forwarded-For", "192.0.2.7"), ("x-forwarded-for", "192.0.2.8, 192.0.2.9")),
    *(
        ("X-Forwarded-Proto", "gopher"),
        ("X-FORWARDED-PROTO", "https"),
        ("x-forwarded-proto", "http"),
    ),
    *(("X-Forwarded-Host", "evil.example"), ("x-forwarded-host", "worse.example")),
)
NO_REQUEST_IDS = (
    *("", "1234567", "a" * 65, "with_underscore", "with.dots.in.it", "with blanks in it"),
    *("a,b,c,d,e,f", "(parentheses)", "12345678;x", "12345678/9"),
)
HOP_BY_HOP = (
    *(("Keep-Alive", "timeout=77"), ("Proxy-Connection", "close"), ("TE", "trailers")),
    *(
        ("Proxy-Authorization", "Basic eDp5"),
        ("Proxy-Authenticate", "Basic"),
        ("Trailer", "X-Last"),
    ),
)
ON_HTTP2 = (
    *(("te", "trailers"), ("proxy-authorization", "Basic eDp5"), ("proxy-authenticate", "Basic")),
    ("trailer", "x-last"),
)
"""Those that HTTP/2 allows on its legs, and that are hop-by-hop nevertheless."""


@check("G7", "on every method the service sees one id and one role, the token's")
def identity(subject: Subject) -> None:
    for number, method in enumerate(METHODS, start=10):
        for fields in ((), FORGED):
            subject.upstream.forget()
            token = token_of(number, "CUSTOMER")
            answer = ask(subject, method, "/users/5/vehicles", *fields, token=token)
            expect_status(answer, 200, f"{method} with {len(fields)} fields of the caller's")
            _expect_identity(subject, str(number), "CUSTOMER", f"of {method}")
    subject.upstream.forget()
    sent = [bearer(token_of(6, "DEVICE")), *FORGED, JSON]
    with subject.connect() as connection:
        call = connection.begin("/users/6/status", sent, method="PUT")
        call.send_piece(b"{}")
        call.end()
        expect_status(call.receive_answer(), 200, "a PUT whose length is not said")
    _expect_identity(subject, "6", "DEVICE", "of a body whose length is not said")


@check("G7", "on open routes the caller's identity does not arrive")
def identity_on_open_routes(subject: Subject) -> None:
    for target in (USERS, LOGIN):
        for token in (None, token_of(3)):
            subject.upstream.forget()
            answer = ask(subject, "POST", target, JSON, *FORGED, body=b"{}", token=token)
            expect_status(answer, 200, f"POST {target}")
            head = subject.upstream.only_exchange().head
            for name in (ID, ROLE, "Authorization"):
                expect_equal(head.values(name), (), f"{name} of POST {target} at the service")


@check(
    "G7", "a Connection that names the identity takes away the caller's alone", client="http/1.1"
)
def identity_named_by_connection(subject: Subject) -> None:
    named = ("Connection", "X-User-Id, x-user-role, X-Forwarded-For, X-Request-Id, keep-alive")
    token = token_of(8, "PARK_MANAGER")
    for fields in ((named,), (named, *FORGED, *FORGED_FORWARDED)):
        subject.upstream.forget()
        expect_status(get(subject, USERS, *fields, token=token), 200, "a request that names them")
        _expect_identity(subject, "8", "PARK_MANAGER", "where Connection names it")
        head = subject.upstream.only_exchange().head
        expect_equal(head.values("x-forwarded-for"), ("127.0.0.1",), "X-Forwarded-For there")
        request_id_of(head, "at the service where Connection names it")
    subject.upstream.forget()
    answer = ask(subject, "POST", USERS, named, *FORGED, body=b"{}", token=None)
    expect_status(answer, 200, "an open request that names them")
    head = subject.upstream.only_exchange().head
    expect_equal((head.values(ID), head.values(ROLE)), ((), ()), "the identity there")


@check("G8", "Authorization ends at the gateway")
def authorization(subject: Subject) -> None:
    for method in METHODS:
        expect_status(ask(subject, method, "/users/5"), 200, f"the status of {method}")
    for exchange in subject.upstream.exchanges:
        values = exchange.head.values("authorization")
        expect_equal(values, (), f"Authorization of {exchange.method} at the service")


@check("G8", "hop-by-hop fields, and those that Connection names, end here", client="http/1.1")
def hop_by_hop(subject: Subject) -> None:
    named = f"X-Hop-{token_hex(4)}"
    for connection in (
        *(f"keep-alive, TE, {named}", f"{named.lower()}", f"keep-alive , {named.upper()} ,"),
    ):
        subject.upstream.forget()
        fields = [("Connection", connection), (named, "1"), *HOP_BY_HOP]
        expect_status(post(subject, COINS, b"{}", *fields), 200, f"with Connection: {connection}")
        head = subject.upstream.only_exchange().head
        for name, _ in ((named, ""), *HOP_BY_HOP):
            expect_equal(head.values(name), (), f"{name} at the service with {connection!r}")
        passed = [each.lower() for each in head.values("connection")]
        expect(set(passed) <= {"keep-alive", "close"}, f"Connection at the service is {passed}")
    subject.upstream.forget()
    two = [("Connection", named), ("connection", f"{named}-2"), (named, "1"), (f"{named}-2", "2")]
    expect_status(get(subject, USERS, *two), 200, "with two fields Connection")
    head = subject.upstream.only_exchange().head
    values = (head.values(named), head.values(f"{named}-2"))
    expect_equal(values, ((), ()), "what the two name, at the service")


@check("G8", "an upgrade that is offered ends here", client="http/1.1")
def upgrade(subject: Subject) -> None:
    offer = [
        ("Connection", "Upgrade, HTTP2-Settings"),
        ("Upgrade", "h2c"),
        ("HTTP2-Settings", "AA"),
    ]
    expect_status(get(subject, USERS, *offer), 200, "a request that offers an upgrade")
    head = subject.upstream.only_exchange().head
    for name in ("Upgrade", "HTTP2-Settings"):
        expect_equal(head.values(name), (), f"{name} at the service")


@check("G8", "hop-by-hop fields that HTTP/2 allows end here, too", client="http/2")
def hop_by_hop_of_http2(subject: Subject) -> None:
    expect_status(post(subject, COINS, b"{}", *ON_HTTP2), 200, "with fields of one hop")
    head = subject.upstream.only_exchange().head
    for name, value in ON_HTTP2:
        expect(value not in head.values(name), f"{name}: {value} reached the service")


@check("G8", "hop-by-hop fields of an answer end here", upstream="http/1.1")
def hop_by_hop_of_answers(subject: Subject) -> None:
    named = f"X-Hop-{token_hex(4)}"
    ending = [
        *(("Keep-Alive", "timeout=77, max=7"), ("Proxy-Connection", "close"), ("Upgrade", "h2c")),
        *(("Proxy-Authenticate", "Basic"), ("Proxy-Authorization", "Basic eDp5")),
        *(("Trailer", "X-Last"), (named, "1")),
    ]
    fields = [("Connection", f"keep-alive, {named}"), *ending, ("X-Kept", "1")]
    for status in (200, 404):
        for script in (fixed(status, fields, b"{}"), _in_chunks(status, fields)):
            subject.upstream.answer_with(script)
            answer = get(subject)
            expect_status(answer, status, "an answer with fields of one hop")
            for name, value in ending:
                expect(value not in answer.values(name), f"{name}: {value} reached the caller")
            passed = answer.values("connection")
            expect(not any(named in each for each in passed), f"Connection is {passed}")
            expect_equal(answer.values("x-kept"), ("1",), "a field that nobody names")


@check("G8", "hop-by-hop fields of an answer on HTTP/2 end here, too", upstream="http/2")
def hop_by_hop_of_http2_answers(subject: Subject) -> None:
    ending = [each for each in ON_HTTP2 if each[0] != "te"]
    subject.upstream.answer_with(fixed(200, [*ending, ("X-Kept", "1")], b"{}"))
    answer = get(subject)
    expect_status(answer, 200, "an answer with fields of one hop")
    for name, value in ending:
        expect(value not in answer.values(name), f"{name}: {value} reached the caller")
    expect_equal(answer.values("x-kept"), ("1",), "a field that nobody names")


@check("G8", "all other fields reach the service as they were, repeated ones too")
def other_fields(subject: Subject) -> None:
    token = token_hex(4)
    fields = [
        ("Content-Type", f'application/json; charset="utf-8"; v={token}'),
        ("User-Agent", f"caller/{token}"),
        ("Accept", "application/json, text/*;q=0.5"),
        ("Accept-Encoding", "br;q=0.9, identity"),
        ("Accept-Language", "de-CH"),
        ("Cookie", f"a={token}; b=2"),
        ("If-None-Match", f'"{token}"'),
        ("Forwarded", "for=192.0.2.7"),
        ("Idempotency-Key", f"0123456789-{token}"),
        ("X-User", token),
        ("X-User-Id-2", token),
        (f"X-{token}", token),
    ]
    repeated = [("X-Repeated", token), ("X-Repeated", "second")]
    expect_status(post(subject, COINS, b"{}", *fields, *repeated), 200, "the request")
    head = subject.upstream.only_exchange().head
    for name, value in fields:
        values = head.values(name)
        if name == "Cookie" and subject.upstream_protocol.is_http2:
            values = ("; ".join(values),)  # it may be in crumbs there (RFC 9113, 8.2.3)
        expect_equal(values, (value,), f"{name} at the service")
    joined = ", ".join(head.values("x-repeated"))
    expect_equal(joined, f"{token}, second", "X-Repeated at the service")


@check("G8", "the gateway adds nothing but its own fields")
def no_field_added(subject: Subject) -> None:
    for method in ("GET", "POST"):
        subject.upstream.forget()
        expect_status(ask(subject, method, "/users/coins"), 200, f"the status of {method}")
        names = {name.lower() for name, _ in subject.upstream.only_exchange().headers}
        expect_equal(names - OWN_REQUEST_FIELDS, set(), f"what the gateway added to {method}")


@check("G14", "a good X-Request-Id is kept, the same at the service and the caller")
def request_id_kept(subject: Subject) -> None:
    for value in ("12345678", "a" * 64, f"Check-{token_hex(8)}", "--------", "0" * 9):
        subject.upstream.forget()
        answer = get(subject, USERS, (REQUEST_ID, value))
        _expect_request_id(subject, answer, f"of {value[:20]}", value)


@check("G14", "one that is missing, wrong or there twice is made anew")
def request_id_made(subject: Subject) -> None:
    made: list[str] = []
    for fields in (
        *((), (), ((REQUEST_ID, "12345678"), (REQUEST_ID, "12345678"))),
        *(((REQUEST_ID, "12345678"), ("x-request-id", "87654321")),),
        *(((REQUEST_ID, value),) for value in NO_REQUEST_IDS),
    ):
        subject.upstream.forget()
        answer = get(subject, USERS, *fields)
        value = _expect_request_id(subject, answer, f"of {fields}")
        expect(all(value != given for _, given in fields), f"{value} of {fields} is kept")
        made.append(value)
    expect_equal(len(set(made)), len(made), "how many of the ids that were made differ")


@check("G14", "the service's own X-Request-Id is replaced")
def request_id_of_the_service(subject: Subject) -> None:
    others = [(REQUEST_ID, "of-the-service"), ("x-request-id", "and-another-one")]
    for fields in (others[:1], others):
        for status in (200, 404, 500):
            subject.upstream.forget()
            subject.upstream.answer_with(fixed(status, fields, b"{}"))
            answer = get(subject, USERS, (REQUEST_ID, "of-the-caller"))
            expect_status(answer, status, "an answer with an id of its own")
            _expect_request_id(subject, answer, f"of {status}", "of-the-caller")


@check("G14", "the gateway's own answers have it, too")
def request_id_of_own_answers(subject: Subject) -> None:
    given = (REQUEST_ID, "of-the-caller")
    preflight = [("Origin", ORIGIN), ("Access-Control-Request-Method", "GET")]
    answers = {
        "401": get(subject, USERS, given, token=None),
        "404": get(subject, "/nothing", given),
        "400": get(subject, "/users/../users", given),
        "health": get(subject, HEALTH, given, token=None),
        "405": ask(subject, "PUT", HEALTH, given, token=None),
        "a preflight": ask(subject, "OPTIONS", USERS, given, *preflight, token=None),
    }
    for what, answer in answers.items():
        expect_equal(request_id_of(answer, f"of {what}"), given[1], f"{REQUEST_ID} of {what}")
    answer = get(subject, "/nothing", (REQUEST_ID, "wrong"))
    expect_refused(subject, answer, "not-found", "with a wrong id")
    expect(request_id_of(answer, "made anew") != "wrong", "a wrong id is kept")


@check("G14", "X-Forwarded-For, -Proto and -Host are the gateway's, once each")
def forwarded(subject: Subject) -> None:
    wanted = {
        "X-Forwarded-For": ("127.0.0.1",),
        "X-Forwarded-Proto": (subject.client.scheme,),
        "X-Forwarded-Host": (f"127.0.0.1:{subject.address[1]}",),
    }
    requests = (("GET", USERS), ("POST", LOGIN), ("PUT", "/users/1/status"))
    for fields in ((), FORGED_FORWARDED):
        for method, target in requests:
            subject.upstream.forget()
            answer = ask(subject, method, target, *fields)
            expect_status(answer, 200, f"{method} {target}")
            head = subject.upstream.only_exchange().head
            for name in FORWARDED:
                expect_equal(head.values(name), wanted[name], f"{name} of {method} {target}")


@check("G14", "X-Forwarded-Host is what the caller says as its host, and the service sees its own")
def forwarded_host(subject: Subject) -> None:
    for host in ("park.example", "park.example:8443", "PARK.example"):
        subject.upstream.forget()
        with subject.connect() as connection:
            connection.authority = host
            expect_status(ask_on(connection, "GET", USERS), 200, f"a request to {host}")
        exchange = subject.upstream.only_exchange()
        values = exchange.head.values("x-forwarded-host")
        expect_equal(values, (host,), "X-Forwarded-Host")
        expect_equal(exchange.authority, subject.upstream.authority, "the service's authority")


@check("G14", "on one connection each request has its own id and identity")
def each_its_own(subject: Subject) -> None:
    with subject.connect() as connection:
        for number in range(1, 6):
            given = (REQUEST_ID, f"request-{number}")
            answer = ask_on(connection, "GET", USERS, given, token=token_of(number))
            expect_equal(request_id_of(answer, f"of {number}"), given[1], REQUEST_ID)
            expect_equal(ask_on(connection, "GET", USERS, token=None).status, 401, "in between")
    ids = [each.head.values(ID) for each in subject.upstream.exchanges]
    expect_equal(ids, [(str(number),) for number in range(1, 6)], f"{ID} at the service")


def _in_chunks(status: int, fields: Iterable[tuple[str, str]]) -> Script:
    told = tuple(fields)

    def answer(_exchange: Exchange, reply: Reply) -> None:
        reply.begin(status, told)
        reply.piece(b"{}")
        reply.end()

    return answer


def _expect_identity(subject: Subject, user: str, role: str, what: str) -> None:
    head = subject.upstream.only_exchange().head
    expect_equal(head.values(ID), (user,), f"{ID} {what} at the service")
    expect_equal(head.values(ROLE), (role,), f"{ROLE} {what} at the service")


def _expect_request_id(
    subject: Subject, answer: Answer, what: str, wanted: str | None = None
) -> str:
    """Expect one good id, the same on both sides, and return it."""
    head: Head = subject.upstream.only_exchange().head
    value = request_id_of(head, f"{what} at the service")
    expect_equal(request_id_of(answer, f"{what} at the caller"), value, f"{REQUEST_ID} {what}")
    if wanted is not None:
        expect_equal(value, wanted, f"{REQUEST_ID} {what}")
    return value
