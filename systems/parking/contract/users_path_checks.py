"""U23 and U27: paths, and the methods that they have."""

from functools import partial

from loadstone.contract import declare
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.subject import Subject

from .lib.objects import JSON, expect_status, list_of, value_of
from .lib.problems import expect_allow, expect_problem
from .lib.shapes import USER
from .lib.users_service import (
    COINS,
    DEBITS,
    HEALTH,
    INTERNAL,
    LOGIN,
    MANY_SECONDS,
    NOBODY,
    SERVICE,
    SUPERVISOR,
    TOP,
    USERS,
    ask,
    get,
    post,
)

check = partial(declare.check, service=SERVICE, seconds=MANY_SECONDS)

METHODS = {
    USERS: {"GET", "POST"},
    LOGIN: {"POST"},
    TOP: {"GET"},
    COINS: {"POST"},
    "/users/1": {"GET"},
    "/users/1/status": {"PUT"},
    "/users/1/vehicles": {"GET"},
    "/users/1/vehicles/LA-00003": {"PUT"},
    "/users/1/payment-method": {"GET", "PUT"},
    "/users/1/coins": {"GET"},
    DEBITS: {"POST"},
    HEALTH: {"GET"},
}
TRIED_METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
WITH_AN_ID = tuple(path for path in METHODS if "/1" in path)
NO_IDS = (
    *("0", "01", "x", "12345678901234567", "-1", "+1", "1.0", "1e3", "1x", "x1", "0x1", "00"),
    *("%20", "1%20", "%D9%A1", "1%0A", "me", "1;a=b", "1,2", "NaN", "toString"),
)
"""Among them are an Arabic digit, and an id with a line's end behind it."""
NO_PLATES = (
    *("LA-0000", "LA-000003", "la-00003", "MA-00003", "LA00003", "LA_00003", "LA-0000x", "x", "1"),
    *("LA-00003%0A", "LA-00003%20", "%20LA-00003", "L%C3%80-00003", "LA-00003.json", "LA-00003;a"),
    *("LA-%D9%A0%D9%A0%D9%A0%D9%A0%D9%A1", "L1-00003", "LA--0003", "LA-+0003"),
)
OTHER_PATHS = (
    *("/", "/nothing", "/user", "/usersx", "/users/1/2", "/users/log-in", "/users/top", "/coins"),
    *("/users/1/vehicle", "/users/1/vehicles/LA-00003/x", "/users/1/payment", "/users/1/coins/1"),
    *("/users/1/status/x", "/internal", "/internal/coins", "/internal/coins/debits/1", "/login"),
    *("/healthz", "/health/x", "/readyz", "/metrics", "/users.json", "/openapi.yaml", "/actuator"),
    *("//users", "/users//1", "/users;a=b", "/users/1/vehicles;a=b", "/health;a", "/index.html"),
    *("/users/1/", "/users/coins/1", "/users/login/x", "/users/1//coins", "/favicon.ico"),
)


@check("U27", "paths are compared exactly, before anything else is looked at")
def exact_paths(subject: Subject) -> None:
    slashes = [f"{path}/" for path in METHODS]
    upper = [path.upper() for path in METHODS]
    for path in (*OTHER_PATHS, *slashes, *upper, "/users/1/Vehicles", "/Health", "/Users"):
        expect_problem(get(subject, path, SUPERVISOR), "not-found", f"of GET {path}")
        answer = post(subject, path, None, {}, INTERNAL)
        expect_problem(answer, "not-found", f"of POST {path} by nobody")
    for method in TRIED_METHODS:
        answer = ask(subject, method, "/nothing")
        expect_problem(answer, "not-found", f"of {method} /nothing")


@check("U27", "what is no id is an unknown path, for everybody")
def no_ids(subject: Subject) -> None:
    for path in WITH_AN_ID:
        (method, *_) = sorted(METHODS[path])
        for text in NO_IDS:
            target = path.replace("/1", f"/{text}", 1)
            for caller in (SUPERVISOR, None):
                answer = ask(subject, method, target, caller, JSON, body=b"{}")
                expect_problem(answer, "not-found", f"of {method} {target}")
        # With 16 digits it is an id: nobody is told more than that a token is needed.
        answer = ask(subject, method, path.replace("/1", f"/{NOBODY}", 1))
        expect_problem(answer, "token-missing", f"of {method} {path} with an id of 16 digits")


@check("U27", "what is no plate is an unknown path, for everybody")
def no_plates(subject: Subject) -> None:
    for text in NO_PLATES:
        target = f"/users/1/vehicles/{text}"
        for caller in (SUPERVISOR.has("CUSTOMER"), None):
            answer = ask(subject, "PUT", target, caller, JSON, body=b"{}")
            expect_problem(answer, "not-found", f"of PUT {target}")
    for plate in ("LZ-99999", "LA-00000"):
        answer = ask(subject, "PUT", f"/users/1/vehicles/{plate}")
        expect_problem(answer, "token-missing", f"of PUT {plate} by nobody")


@check("U27", "a query changes no path")
def queries(subject: Subject) -> None:
    for query in ("?", "?a=b", "?/", "?/users/1", "?x=%2F"):
        found = list_of(get(subject, f"{USERS}{query}", SUPERVISOR), USER, f"/users{query}")
        expect(len(found) > 1, f"/users{query} has {len(found)} users")
        expect_problem(get(subject, f"/nothing{query}"), "not-found", f"of /nothing{query}")
        expect_problem(get(subject, f"{USERS}/{query}"), "not-found", f"of /users/{query}")
        expect_status(get(subject, f"{HEALTH}{query}"), 200, f"/health{query}")


@check("U23", "every other method of every path is 405 and names those of the path, for everybody")
def every_other_method(subject: Subject) -> None:
    for path, allowed in METHODS.items():
        for method in TRIED_METHODS:
            if method in allowed:
                continue
            for caller in (SUPERVISOR, None):
                answer = ask(subject, method, path, caller)
                expect_problem(answer, "method-not-allowed", f"of {method} {path}")
                expect_allow(answer, allowed, f"{method} {path}")


@check("U23", "HEAD is as GET without the body, or 405")
def head(subject: Subject) -> None:
    for path, allowed in METHODS.items():
        with subject.connect() as connection:
            fields = [("X-User-Id", "1"), ("X-User-Role", "SUPERVISOR")]
            answer = connection.send_request(path, fields, method="HEAD").receive_answer()
            what = f"the status of HEAD {path} is {answer.status}"
            expect_equal(answer.body, b"", f"the body of HEAD {path}")
            if answer.status == 405:
                expect_allow(answer, allowed, f"HEAD {path}")
            else:
                expect("GET" in allowed, what)
                expect_equal(answer.status, get(subject, path, SUPERVISOR).status, what)
            # A body that was sent in spite of it would stand before this answer.
            again = connection.send_request(HEALTH, method="GET").receive_answer()
            value_of(again, 200, f"/health behind HEAD {path}")
