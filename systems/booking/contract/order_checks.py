"""T11: of several faults the first in the order of the SPEC is answered."""

from functools import partial

from loadstone.contract import declare
from loadstone.contract.subject import Subject

from .lib.accounts import new_owner, new_player
from .lib.clubs import (
    club_body,
    club_facilities_path,
    club_path,
    facility_body,
    facility_path,
    retire_facility,
)
from .lib.instants import at
from .lib.problems import expect_invalid, expect_problem
from .lib.scenes import KEY, decide, new_scene, rate, reservation_path
from .lib.service import (
    ACCOUNTS,
    CLUBS,
    FACILITIES,
    JSON,
    LOG_IN,
    MANY_SECONDS,
    MOST_BODY_BYTES,
    RESERVATIONS,
    ask,
    compact,
    delete,
    get,
    post,
    put,
)
from .lib.tokens import OWNER, PLAYER, Caller, caller
from .lib.writings import Writing, writings

check = partial(declare.check, seconds=MANY_SECONDS)

NOWHERE = 999_999_999
"""An id that no row has."""
TEXT = ("Content-Type", "text/plain")
LARGE = b"{" * (MOST_BODY_BYTES + 1)
BAD_KEY = (KEY, "k" * 65)
PLAYERS_OWN = ("reserve", "rate")


@check("T11", "path and method come before the token, and that before role, size, type and JSON")
def before_the_members(subject: Subject) -> None:
    for writing in writings(subject):
        what = f"of {writing.operation}"
        method, target, asking = writing.method, writing.target, writing.caller
        answer = ask(subject, "PATCH", f"{target}/", None, TEXT, body=LARGE)
        expect_problem(answer, "not-found", f"{what} at a path that is not there by PATCH")
        answer = ask(subject, "PATCH", target, None, TEXT, body=LARGE)
        expect_problem(answer, "method-not-allowed", f"{what} by PATCH without a token")
        if asking is not None:
            answer = ask(subject, method, target, None, TEXT, BAD_KEY, body=LARGE)
            expect_problem(answer, "unauthenticated", f"{what} without a token")
            other = _of_another_role(writing)
            answer = ask(subject, method, target, other, TEXT, BAD_KEY, body=LARGE)
            expect_problem(answer, "forbidden", f"{what} by an account of another role")
        answer = ask(subject, method, target, asking, TEXT, BAD_KEY, body=LARGE)
        expect_problem(answer, "too-large", f"{what} by too large a text")
        answer = ask(subject, method, target, asking, TEXT, BAD_KEY, body=b"{")
        expect_problem(answer, "unsupported-media-type", f"{what} by text")
        answer = ask(subject, method, target, asking, JSON, body=b'{"name":5')
        expect_problem(answer, "malformed", f"{what} by no JSON")


@check("T11", "a key that is none comes before the members, and what is no JSON is no less")
def key_before_members(subject: Subject) -> None:
    player = new_player(subject)
    for body in (b"{}", b"{", b"[]", compact({"facility_id": NOWHERE, "starts_at": at(6)})):
        answer = ask(subject, "POST", RESERVATIONS, player, JSON, BAD_KEY, body=body)
        expect_problem(answer, "malformed", f"of a key that is none with {body!r}")


@check("T11", "a query that is none comes before what is not there")
def query_before_object(subject: Subject) -> None:
    owner = new_owner(subject)
    path = facility_path(NOWHERE)
    for query in ("slots", "slots?date=x", "ratings?limit=0", "ratings?cursor=x"):
        answer = get(subject, f"{path}/{query}", owner)
        expect_problem(answer, "malformed", f"of {query} of no facility")
        answer = get(subject, f"{path}/{query}")
        expect_problem(answer, "unauthenticated", f"of {query} without a token")
    for path in (CLUBS, FACILITIES, RESERVATIONS):
        answer = get(subject, f"{path}?limit=0")
        expect_problem(answer, "unauthenticated", f"of {path} without limit and token")


@check("T11", "members come before the object, and that before whose it is")
def members_object_owner(subject: Subject) -> None:
    scene, other = new_scene(subject), new_owner(subject)
    wrong = {"name": ""}
    for path, body in (
        (club_path(NOWHERE), club_body(**wrong)),
        (club_path(scene.club), club_body(**wrong)),
        (facility_path(NOWHERE), facility_body(**wrong)),
        (facility_path(scene.facility), facility_body(**wrong)),
    ):
        expect_invalid(put(subject, path, other, body), ("/name", "too-short"))
    for club in (NOWHERE, scene.club):
        answer = post(subject, club_facilities_path(club), other, facility_body(**wrong))
        expect_invalid(answer, ("/name", "too-short"))
    # What is not there is nobody's.
    answer = put(subject, club_path(NOWHERE), other, club_body())
    expect_problem(answer, "not-found", "of a club that is not there")
    answer = delete(subject, facility_path(NOWHERE), other)
    expect_problem(answer, "not-found", "of a facility that is not there")


@check("T11", "the role comes before the object")
def role_before_object(subject: Subject) -> None:
    scene = new_scene(subject)
    owner, player = scene.owner, scene.player
    for decision, asking in (("accept", player), ("reject", player), ("cancel", owner)):
        for reservation in (NOWHERE, scene.reserved()["id"]):
            answer = decide(subject, asking, reservation, decision)
            expect_problem(answer, "forbidden", f"to {decision} as {asking.role}")
    answer = delete(subject, facility_path(NOWHERE), player)
    expect_problem(answer, "forbidden", "of a player's DELETE of no facility")
    expect_problem(rate(subject, owner, NOWHERE, 9), "forbidden", "of an owner's rating")
    answer = put(subject, club_path(NOWHERE), player, {})
    expect_problem(answer, "forbidden", "of a player's PUT of no club")


@check("T11", "of a reservation members come first, then the facility, then grid, then rivals")
def of_a_reservation(subject: Subject) -> None:
    scene = new_scene(subject)
    scene.reserved(at(10))
    body: dict[str, object] = {"facility_id": NOWHERE, "starts_at": at(10, 30), "slots": 0}
    answer = post(subject, RESERVATIONS, scene.player, body)
    expect_invalid(answer, ("/slots", "range"))
    past = {"facility_id": NOWHERE, "starts_at": "2020-05-01T10:30:00Z"}
    answer = post(subject, RESERVATIONS, scene.player, past)
    expect_invalid(answer, ("/starts_at", "in-past"))
    answer = post(subject, RESERVATIONS, scene.player, {**body, "slots": 1})
    expect_problem(answer, "not-found", "of no facility off the grid")
    expect_invalid(scene.reserve(at(9, 30), 2), ("/starts_at", "not-aligned"))
    expect_problem(scene.reserve(at(9), 2), "slot-taken", "of a slot that is taken")
    retire_facility(subject, scene.owner, scene.facility)
    expect_invalid(scene.reserve(at(9, 30), 2), ("/starts_at", "not-aligned"))
    expect_invalid(scene.reserve(at(23)), ("/starts_at", "outside-hours"))
    for hour in (10, 12):
        what = f"of {hour} o'clock where the facility is retired"
        expect_problem(scene.reserve(at(hour)), "facility-retired", what)


@check(
    "T11", "of a decision and a rating the object comes before its state, and members before both"
)
def of_decisions(subject: Subject) -> None:
    scene, other, stranger = new_scene(subject), new_owner(subject), new_player(subject)
    decided = scene.in_state("rejected")["id"]
    for decision, asking in (("accept", other), ("reject", other), ("cancel", stranger)):
        answer = decide(subject, asking, decided, decision)
        expect_problem(answer, "not-found", f"to {decision} what is another's and is rejected")
    for asking in (stranger, scene.player):
        expect_invalid(rate(subject, asking, decided, 9), ("/stars", "range"))
        expect_invalid(rate(subject, asking, NOWHERE, 9), ("/stars", "range"))
    answer = rate(subject, stranger, decided, 5)
    expect_problem(answer, "not-found", "of rating what is another's and is rejected")
    answer = get(subject, reservation_path(decided))
    expect_problem(answer, "unauthenticated", "of a reservation without a token")


@check("T11", "members come before what the database knows of an address")
def of_accounts(subject: Subject) -> None:
    answer = post(subject, ACCOUNTS, None, {"email": "owner-1@booking.example", "password": "x"})
    expect_invalid(answer, ("/name", "required"), ("/password", "too-short"))
    answer = post(subject, LOG_IN, None, {"email": "nobody"})
    expect_invalid(answer, ("/password", "required"))


def _of_another_role(writing: Writing) -> Caller:
    return caller(1, OWNER if writing.operation in PLAYERS_OWN else PLAYER)
