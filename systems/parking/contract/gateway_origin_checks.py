"""G26: what pages of the allowed origin are told, and that others are told nothing."""

from functools import partial
from typing import Final

from loadstone.contract import declare
from loadstone.contract.client import Answer
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.scripts import fixed
from loadstone.contract.subject import Subject

from .lib.gateway_answers import CORS_FIELDS, expect_own_fields, expect_refused
from .lib.gateway_service import (
    COINS,
    HEALTH,
    LOGIN,
    MANY_SECONDS,
    ORIGIN,
    USERS,
    ask,
    expect_none_arrived,
    get,
)
from .lib.objects import JSON, expect_status

check = partial(declare.check, needs_upstream=True, seconds=MANY_SECONDS)

FROM_THE_ORIGIN: Final = ("Origin", ORIGIN)
ASKED: Final = ("Access-Control-Request-Method", "PUT")
PREFLIGHT: Final = {
    "Access-Control-Allow-Origin": ORIGIN,
    "Access-Control-Allow-Methods": "GET, POST, PUT",
    "Access-Control-Allow-Headers": "authorization, content-type, idempotency-key",
    "Access-Control-Max-Age": "600",
    "Vary": "Origin",
}
EXPOSED: Final = "location, idempotency-replayed, x-request-id"
OTHER_ORIGINS: Final = (
    *(
        "https://other.example",
        "http://park.example",
        "https://park.example/",
        "https://PARK.example",
    ),
    *("https://park.example:443", "https://park.example.evil.example", "null", "", "*"),
    *("https://a.park.example", f"{ORIGIN}, {ORIGIN}", f"{ORIGIN} https://other.example"),
)


@declare.check("G26", "a preflight of the allowed origin is 204", quick=True)
def quick_preflight(subject: Subject) -> None:
    _expect_preflight(subject, ask(subject, "OPTIONS", USERS, FROM_THE_ORIGIN, ASKED, token=None))


@check("G26", "a preflight is 204 without a token, whatever its path, and does not arrive")
def preflights(subject: Subject) -> None:
    headers = ("Access-Control-Request-Headers", "authorization, content-type, x-any")
    for target in (
        USERS,
        LOGIN,
        "/users/5/status?a=b",
        "/nothing",
        HEALTH,
        "/internal/coins/debits",
    ):
        for method in ("GET", "PUT", "DELETE"):
            asked = ("Access-Control-Request-Method", method)
            for fields in ((), (headers,)):
                for token in (None, "a.b.c"):
                    answer = ask(
                        subject, "OPTIONS", target, FROM_THE_ORIGIN, asked, *fields, token=token
                    )
                    _expect_preflight(subject, answer)
    expect_none_arrived(subject, "preflights")


@check("G26", "an OPTIONS without a method that is asked for is a request as any other")
def no_preflight(subject: Subject) -> None:
    answer = ask(subject, "OPTIONS", USERS, FROM_THE_ORIGIN, token=None)
    expect_refused(subject, answer, "token-missing", "of an OPTIONS of the origin")
    _expect_exposed(answer, "of an OPTIONS of the origin without a token")
    answer = ask(subject, "OPTIONS", USERS, ASKED, token=None)
    expect_refused(subject, answer, "token-missing", "of an OPTIONS without an origin")
    _expect_none(answer, "of an OPTIONS without an origin")
    expect_none_arrived(subject, "an OPTIONS without a token")
    expect_status(ask(subject, "OPTIONS", USERS, FROM_THE_ORIGIN), 200, "an OPTIONS by a token")
    expect_equal(subject.upstream.only_exchange().method, "OPTIONS", "the method at the service")


@check("G26", "every other answer to the allowed origin names it, and what may be read")
def answers_to_the_origin(subject: Subject) -> None:
    origin = FROM_THE_ORIGIN
    own = {
        "a 401": get(subject, USERS, origin, token=None),
        "a 404": get(subject, "/nothing", origin),
        "a 400": get(subject, "/users/..", origin),
        "/health": get(subject, HEALTH, origin, token=None),
        "a 405": ask(subject, "PUT", HEALTH, origin, token=None),
    }
    for what, answer in own.items():
        _expect_exposed(answer, f"of {what}")
    for status in (200, 201, 204, 404, 409, 500, 503):
        subject.upstream.answer_with(fixed(status, [("ETag", '"1"')]))
        for method in ("GET", "POST"):
            answer = ask(subject, method, COINS, origin)
            expect_status(answer, status, f"{method} of the origin")
            _expect_exposed(answer, f"of {method} with {status}")
            expect_equal(answer.values("etag"), ('"1"',), "ETag")
    subject.upstream.forget()
    answer = ask(subject, "POST", LOGIN, origin, JSON, body=b"{}", token=None)
    expect_status(answer, 200, "logging in from a page")
    _expect_exposed(answer, "of logging in")
    values = subject.upstream.only_exchange().head.values("origin")
    expect_equal(values, (ORIGIN,), "Origin at the service")


@check("G26", "what the service says of Vary is kept beside the gateway's")
def keeps_vary(subject: Subject) -> None:
    subject.upstream.answer_with(fixed(200, [("Vary", "Accept"), ("Vary", "X-Any")]))
    told = _vary(get(subject, USERS, FROM_THE_ORIGIN))
    expect({"accept", "x-any", "origin"} <= told, f"Vary is {told}")


@check("G26", "other origins get no field of these, and their requests are served")
def other_origins(subject: Subject) -> None:
    for origin in OTHER_ORIGINS:
        field = ("Origin", origin)
        subject.upstream.forget()
        answer = get(subject, USERS, field)
        expect_status(answer, 200, f"a GET from {origin!r}")
        _expect_none(answer, f"of a GET from {origin!r}")
        subject.upstream.only_exchange()
        answer = ask(subject, "OPTIONS", USERS, field, ASKED, token=None)
        expect_refused(subject, answer, "token-missing", f"of an OPTIONS from {origin!r}")
        _expect_none(answer, f"of an OPTIONS from {origin!r}")
        answer = ask(subject, "OPTIONS", USERS, field, ASKED)
        expect_status(answer, 200, f"an OPTIONS from {origin!r} by a token")
        _expect_none(answer, f"of an OPTIONS from {origin!r} by a token")
        expect_equal(len(subject.upstream.exchanges), 2, f"requests from {origin!r} there")


@check("G26", "without an origin no answer has a field of these")
def without_origin(subject: Subject) -> None:
    for what, answer in {
        "a GET": get(subject),
        "a 401": get(subject, token=None),
        "a 404": get(subject, "/nothing"),
        "/health": get(subject, HEALTH, token=None),
    }.items():
        _expect_none(answer, f"of {what}")


def _expect_preflight(subject: Subject, answer: Answer) -> None:
    expect_equal((answer.status, answer.body), (204, b""), "status and body of a preflight")
    for name, value in PREFLIGHT.items():
        expect_equal(answer.values(name), (value,), f"{name} of a preflight")
    for name in set(CORS_FIELDS) - set(PREFLIGHT):
        expect_equal(answer.values(name), (), f"{name} of a preflight")
    expect_own_fields(subject, answer, "of a preflight")


def _expect_exposed(answer: Answer, what: str) -> None:
    """Expect the fields of an answer that is none to a preflight."""
    expect_equal(answer.values("access-control-allow-origin"), (ORIGIN,), f"Allow-Origin {what}")
    expect_equal(answer.values("access-control-expose-headers"), (EXPOSED,), f"Expose {what}")
    expect("origin" in _vary(answer), f"Vary {what} is {_vary(answer)}")
    for name in ("Access-Control-Allow-Methods", "Access-Control-Allow-Credentials"):
        expect_equal(answer.values(name), (), f"{name} {what}")


def _expect_none(answer: Answer, what: str) -> None:
    for name in CORS_FIELDS:
        expect_equal(answer.values(name), (), f"{name} {what}")
    expect("origin" not in _vary(answer), f"Vary {what} is {_vary(answer)}")


def _vary(answer: Answer) -> set[str]:
    return {each.strip().lower() for value in answer.values("vary") for each in value.split(",")}
