"""T1 to T3: paths and methods, and how errors are told."""

from functools import partial

from loadstone.contract import declare
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.subject import Subject

from .lib.accounts import account, log_in, new_email, sign_up
from .lib.clubs import create_club, facility_path, get_facility, retire_facility
from .lib.problems import expect_invalid, expect_problem
from .lib.scenes import decide, new_scene, reservation_path
from .lib.service import (
    ACCOUNTS,
    CLUBS,
    DATABASE,
    FACILITIES,
    JSON,
    LIVE,
    LOG_IN,
    MANY_SECONDS,
    ME,
    MOST_BODY_BYTES,
    READY,
    RESERVATIONS,
    ask,
    expect_status,
    get,
    post,
)
from .lib.shapes import value_of
from .lib.tokens import OWNER, PLAYER, caller

check = partial(declare.check, seconds=MANY_SECONDS)
quick = partial(declare.check, quick=True)

READER = caller(1, OWNER)
NOBODY = 9_999_999_999_999_999
"""The greatest id of a path; no account has it."""

METHODS = {
    ACCOUNTS: {"POST"},
    ME: {"GET"},
    LOG_IN: {"POST"},
    CLUBS: {"GET", "POST"},
    "/clubs/1": {"GET", "PUT"},
    "/clubs/1/facilities": {"POST"},
    FACILITIES: {"GET"},
    "/facilities/1": {"GET", "PUT", "DELETE"},
    "/facilities/1/slots": {"GET"},
    "/facilities/1/ratings": {"GET"},
    RESERVATIONS: {"GET", "POST"},
    "/reservations/1": {"GET"},
    "/reservations/1/accept": {"POST"},
    "/reservations/1/reject": {"POST"},
    "/reservations/1/cancel": {"POST"},
    "/reservations/1/rating": {"PUT"},
    LIVE: {"GET"},
    READY: {"GET"},
}
TRIED_METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
WITH_AN_ID = tuple(path for path in METHODS if "/1" in path)
NO_IDS = (
    *("0", "01", "x", "12345678901234567", "-1", "+1", "1.0", "1e3", "1x", "x1", "0x1", "00"),
    *("%20", "1%20", "%D9%A1", "1%0A", "me"),
)
"""The last but one are an Arabic digit, and an id with a line's end behind it."""
OTHER_PATHS = (
    *("/", "/nothing", "/account", "/auth", "/auth/log-in", "/accounts/1", "/club", "/clubs/1/2"),
    *("/clubs/1/facilities/1", "/facilities/1/slot", "/facilities/1/slots/1", "/slots", "/ratings"),
    *("/reservations/1/decline", "/reservations/1/ratings", "/reservations/1/accept/now"),
    *("/healthz/x", "/health", "/readyz/db", "/metrics", "/clubs.json", "/openapi.yaml", "/me"),
    *("//clubs", "/clubs//facilities", "/clubs;a=b", "/clubs/1;a=b", "/healthz;a"),
)


@quick("T2", "an unknown path, and a path without an id, are 404")
def unknown_path(subject: Subject) -> None:
    for path in ("/nothing", f"{CLUBS}/", "/Clubs", "/clubs/x"):
        expect_problem(get(subject, path, READER), "not-found", f"of {path}")


@check("T2", "paths are compared exactly, before anything else is looked at")
def exact_paths(subject: Subject) -> None:
    slashes = [f"{path}/" for path in METHODS]
    upper = [path.upper() for path in METHODS]
    for path in (*OTHER_PATHS, *slashes, *upper, "/clubs/1/Facilities", "/Healthz"):
        expect_problem(get(subject, path, READER), "not-found", f"of GET {path}")
        answer = post(subject, path, None, {})
        expect_problem(answer, "not-found", f"of POST {path} by nobody")
    expect_problem(ask(subject, "PATCH", "/nothing"), "not-found", "of PATCH /nothing")


@check("T2", "what is no id is an unknown path, for everybody")
def no_ids(subject: Subject) -> None:
    for path in WITH_AN_ID:
        (method, *_) = sorted(METHODS[path])
        for text in NO_IDS:
            target = path.replace("/1", f"/{text}", 1)
            for asking in (READER, None):
                answer = ask(subject, method, target, asking, JSON, body=b"{}")
                expect_problem(answer, "not-found", f"of {method} {target}")
        # With 16 digits it is an id: nobody is told more than that a token is needed.
        answer = ask(subject, method, path.replace("/1", f"/{NOBODY}", 1))
        expect_problem(answer, "unauthenticated", f"of {method} {path} with an id of 16 digits")


@quick("T3", "another method is 405 and names those of the path")
def other_method(subject: Subject) -> None:
    _expect_not_allowed(subject, "PATCH", CLUBS)


@check("T3", "every other method of every path is 405, for everybody")
def every_other_method(subject: Subject) -> None:
    for path, allowed in METHODS.items():
        for method in TRIED_METHODS:
            if method not in allowed:
                _expect_not_allowed(subject, method, path)


@check("T3", "HEAD is as GET without the body, or 405")
def head(subject: Subject) -> None:
    for path, allowed in METHODS.items():
        with subject.connect() as connection:
            token = ("Authorization", f"Bearer {READER.token}")
            answer = connection.send_request(path, [token], method="HEAD").receive_answer()
            what = f"the status of HEAD {path} is {answer.status}"
            if answer.status == 405:
                _expect_allow(answer.values("allow"), allowed, f"HEAD {path}")
            else:
                expect("GET" in allowed, what)
                expect_equal(answer.status, get(subject, path, READER).status, what)
            # A body that was sent in spite of it would stand before this answer.
            again = connection.send_request(LIVE, method="GET").receive_answer()
            value_of(again, 200, f"/healthz behind HEAD {path}")


@check("T1", "every fault of a caller is told as a problem of its status")
def faults(subject: Subject) -> None:
    scene = new_scene(subject)
    owner, player = scene.owner, scene.player
    made = scene.reserved()
    expect_problem(get(subject, "/nothing"), "not-found", "of an unknown path")
    expect_problem(get(subject, f"/clubs/{NOBODY}", owner), "not-found", "of an unknown club")
    expect_problem(get(subject, CLUBS), "unauthenticated", "without a token")
    expect_problem(log_in(subject, new_email()), "bad-credentials", "of an unknown address")
    expect_problem(create_club(subject, player), "forbidden", "of a player's club")
    answer = ask(subject, "PATCH", CLUBS, owner)
    expect_problem(answer, "method-not-allowed", "of PATCH")
    expect_problem(get(subject, f"{CLUBS}?limit=0", owner), "malformed", "of no limit")
    answer = ask(subject, "POST", CLUBS, owner, JSON, body=b"{")
    expect_problem(answer, "malformed", "of no JSON")
    answer = ask(subject, "POST", CLUBS, owner, JSON, body=b" " * (MOST_BODY_BYTES + 1))
    expect_problem(answer, "too-large", "of a byte too many")
    answer = ask(subject, "POST", CLUBS, owner, ("Content-Type", "text/plain"), body=b"{}")
    expect_problem(answer, "unsupported-media-type", "of plain text")
    expect_invalid(create_club(subject, owner, name=""), ("/name", "too-short"))
    taken = account()
    expect_status(post(subject, ACCOUNTS, None, taken), 201, "signing up")
    expect_problem(sign_up(subject, email=taken["email"]), "email-taken", "of a known address")
    expect_problem(scene.reserve(made["starts_at"]), "slot-taken", "of a slot that is taken")
    scene.decided(made["id"], "accept")
    answer = decide(subject, owner, made["id"], "accept")
    expect_problem(answer, "wrong-state", "of accepting again")
    starts_at = scene.slot()
    expect_status(scene.reserve(starts_at, key="t1"), 201, "reserving with a key")
    answer = scene.reserve(starts_at, 2, key="t1")
    expect_problem(answer, "idempotency-mismatch", "of a key that was used")
    expect_equal(retire_facility(subject, owner, scene.facility).status, 204, "the retirement")
    expect_problem(scene.reserve(), "facility-retired", "of a facility that is retired")


@check("T1", "every failure of the service is told as a problem", needs_stand=True)
def failures(subject: Subject) -> None:
    # A table that is away is an error that no other clause is about.
    scene = new_scene(subject)
    made, owner = scene.reserved()["id"], scene.owner
    facility = facility_path(scene.facility)
    calls = {
        "list-facilities": partial(get, subject, FACILITIES, owner),
        "get-facility": partial(get, subject, facility, owner),
        "list-slots": partial(get, subject, f"{facility}/slots?date=2042-03-01", owner),
        "list-ratings": partial(get, subject, f"{facility}/ratings", owner),
        "retire-facility": partial(retire_facility, subject, owner, scene.facility),
        "reserve": partial(scene.reserve, scene.slot()),
        "get-reservation": partial(get, subject, reservation_path(made), owner),
        "list-reservations": partial(get, subject, RESERVATIONS, owner),
        "accept": partial(decide, subject, owner, made, "accept"),
    }
    hand = subject.stand.dependency(DATABASE)
    hand.execute("ALTER TABLE facility RENAME TO away")
    try:
        answers = {operation: call() for operation, call in calls.items()}
    finally:
        hand.execute("ALTER TABLE away RENAME TO facility")
    for operation, answer in answers.items():
        expect_problem(answer, "internal", f"of {operation} without a table")
    # Nothing is left of it: every connection serves as before.
    for _ in range(20):
        get_facility(subject, owner, scene.facility)
    scene.decided(made, "accept")


@check("T1", "an error of the database that no rule names is 500")
def unnamed_error(subject: Subject) -> None:
    # The account is not there, so the row's owner is none.
    for role, code in ((OWNER, "internal"), (PLAYER, "forbidden")):
        answer = create_club(subject, caller(NOBODY, role))
        expect_problem(answer, code, f"of a club of no {role}")


def _expect_not_allowed(subject: Subject, method: str, path: str) -> None:
    for asking in (READER, None):
        answer = ask(subject, method, path, asking)
        expect_problem(answer, "method-not-allowed", f"of {method} {path}")
        _expect_allow(answer.values("allow"), METHODS[path], f"{method} {path}")


def _expect_allow(values: tuple[str, ...], allowed: set[str], what: str) -> None:
    told = {name.strip() for value in values for name in value.split(",")}
    expect_equal(told - {"HEAD"}, allowed, f"Allow after {what}")
