"""G29: what the gateway answers itself."""

from functools import partial

from loadstone.contract import declare
from loadstone.contract.client import Answer
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.scripts import close_unanswered
from loadstone.contract.subject import Subject

from .lib.gateway_answers import UP, expect_own_fields, expect_refused
from .lib.gateway_service import (
    AS_SUPERVISOR,
    COINS,
    HEALTH,
    MANY_SECONDS,
    MEBIBYTE,
    ask,
    ask_on,
    expect_none_arrived,
    get,
    post,
    settle,
)
from .lib.objects import JSON, expect_status
from .lib.problems import expect_allow

check = partial(declare.check, needs_upstream=True, seconds=MANY_SECONDS)

OTHER_METHODS = ("POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND")
TEXT = "text-of-the-caller"


@declare.check("G29", "/health is 200 without a token, and another method 405", quick=True)
def quick_health(subject: Subject) -> None:
    _expect_up(subject, get(subject, HEALTH, token=None), "without a token")
    _expect_not_allowed(subject, ask(subject, "PUT", HEALTH, token=None), "PUT")


@check("G29", "/health asks for no token, looks at none, and does not ask the service")
def health(subject: Subject) -> None:
    for fields in (
        *([], [AS_SUPERVISOR], [("Authorization", "Bearer a.b.c")], [("Accept", "text/html")]),
        *([("Accept-Encoding", "gzip")], [("If-None-Match", "*")], [("X-User-Id", "1")]),
    ):
        _expect_up(subject, get(subject, HEALTH, *fields, token=None), f"with {fields}")
    for query in ("?", "?a=1", "?x=/users/.."):
        _expect_up(subject, get(subject, f"{HEALTH}{query}", token=None), f"with {query}")
    expect_none_arrived(subject, "/health")


@check("G29", "every other method of /health is 405, HEAD is as GET or 405")
def other_methods(subject: Subject) -> None:
    for method in OTHER_METHODS:
        for token in (None, "a.b.c"):
            answer = ask(subject, method, HEALTH, token=token)
            _expect_not_allowed(subject, answer, method)
    answer = ask(subject, "POST", HEALTH, JSON, body=b"{}", token=None)
    _expect_not_allowed(subject, answer, "POST with a body")
    with subject.connect() as connection:
        answer = ask_on(connection, "HEAD", HEALTH, token=None)
        expect(answer.status in (200, 405), f"the status of HEAD is {answer.status}")
        expect_own_fields(subject, answer, "of HEAD")
        # A body that was sent in spite of it would stand before this answer.
        _expect_up(subject, ask_on(connection, "GET", HEALTH, token=None), "behind HEAD")
    expect_none_arrived(subject, "other methods of /health")


@check("G29", "each error is the problem of its status, with the fields of all answers")
def problems(subject: Subject) -> None:
    told = {
        "malformed": get(subject, "/users/../x"),
        "token-missing": get(subject, token=None),
        "token-invalid": get(subject, token="a.b.c"),
        "not-found": get(subject, "/nothing"),
        "method-not-allowed": ask(subject, "DELETE", HEALTH),
        "too-large": _too_large(subject),
    }
    for code, answer in told.items():
        expect_refused(subject, answer, code, f"of {code}")
    expect_none_arrived(subject, "what is refused")
    try:
        subject.upstream.answer_with(close_unanswered)
        answer = post(subject, COINS, b"{}", JSON)
        expect_refused(subject, answer, "upstream", "of a service that does not answer")
        answer = post(subject, COINS, b"{}", JSON)
        code = "upstream" if answer.status == 502 else "unavailable"
        expect_refused(subject, answer, code, "of a service that is left out")
    finally:
        settle(subject)


@check("G29", "no text of a caller, and no address, is in an error")
def no_text_of_a_caller(subject: Subject) -> None:
    fields = [("X-Any", TEXT), ("User-Agent", TEXT), ("Referer", f"https://{TEXT}.example/")]
    answers = [
        get(subject, f"/{TEXT}?a={TEXT}", *fields),
        get(subject, f"/users/../{TEXT}", *fields),
        get(subject, f"/users/{TEXT}", *fields, token=TEXT),
        ask(subject, "POST", HEALTH, *fields, body=TEXT.encode()),
    ]
    for answer in answers:
        seen = str(answer.headers) + answer.body.decode("latin-1")
        expect(answer.status >= 400, f"the status of what is refused is {answer.status}")
        expect(TEXT not in seen, f"a {answer.status} has a text of the caller")
        expect(subject.upstream.authority not in seen, f"a {answer.status} has an address")


@check("G29", "the first fault in the order of work is told")
def order(subject: Subject) -> None:
    for method, target, token, code in (
        ("GET", "/users/../x", None, "malformed"),
        ("GET", "/nothing/../x", None, "malformed"),
        ("GET", "/nothing", "a.b.c", "not-found"),
        ("PUT", "/users/nothing", None, "token-missing"),
        ("PUT", "/users", "a.b.c", "token-invalid"),
    ):
        answer = ask(subject, method, target, token=token)
        expect_refused(subject, answer, code, f"of {method} {target}")
    try:
        with subject.upstream.away(subject.deadline):
            post(subject, COINS, b"{}", JSON)  # now the only instance is left out
            for target, token, code in (
                (COINS, None, "token-missing"),
                (COINS, "a.b.c", "token-invalid"),
                ("/nothing", None, "not-found"),
            ):
                answer = ask(subject, "POST", target, token=token)
                expect_refused(subject, answer, code, f"of {target} without an instance")
            answer = _too_large(subject)
            expect_refused(subject, answer, "too-large", "of a body without an instance")
    finally:
        settle(subject)


def _too_large(subject: Subject) -> Answer:
    with subject.connect() as connection:
        call = connection.begin(COINS, [AS_SUPERVISOR, JSON], length=MEBIBYTE + 1)
        return call.receive_answer()


def _expect_up(subject: Subject, answer: Answer, when: str) -> None:
    expect_status(answer, 200, f"/health {when}")
    expect_equal(answer.body, UP, f"the body of /health {when}")
    expect_equal(answer.values("content-type"), ("application/json",), f"Content-Type {when}")
    expect_equal(answer.values("content-encoding"), (), f"Content-Encoding {when}")
    expect_own_fields(subject, answer, f"of /health {when}")


def _expect_not_allowed(subject: Subject, answer: Answer, method: str) -> None:
    expect_refused(subject, answer, "method-not-allowed", f"of {method} {HEALTH}")
    expect_allow(answer, {"GET"}, f"{method} {HEALTH}")
