"""A19 and A20: what an account may do by its token alone."""

from functools import partial

from loadstone.contract import declare
from loadstone.contract.expect import expect_equal
from loadstone.contract.subject import Subject

from .lib.clubs import (
    add_facility,
    club_body,
    create_club,
    facility_body,
    get_facility,
    replace_club,
    replace_facility,
    retire_facility,
)
from .lib.database import counted
from .lib.instants import at
from .lib.problems import expect_problem
from .lib.scenes import decide, new_scene, rate, reserve
from .lib.service import CLUBS, FACILITIES, JSON, ME, RESERVATIONS, STARTS_SECONDS, ask, get, post
from .lib.shapes import CLUB, FACILITY, RESERVATION, object_of, page_of, value_of
from .lib.tokens import OWNER, PLAYER, caller

check = partial(declare.check, seconds=60.0)
with_stand = partial(declare.check, needs_stand=True, seconds=STARTS_SECONDS)

NOBODY = 9_999_999_999_999_999
"""Of whom there is no account."""


@check("A19", "what owners do is 403 to a player")
def owners_work(subject: Subject) -> None:
    scene = new_scene(subject)
    player, club, facility = scene.player, scene.club, scene.facility
    before = get_facility(subject, player, facility)
    made = scene.reserved()
    answers = {
        "create-club": create_club(subject, player),
        "replace-club": replace_club(subject, player, club),
        "add-facility": add_facility(subject, player, club),
        "replace-facility": replace_facility(subject, player, facility, name="Mine"),
        "retire-facility": retire_facility(subject, player, facility),
        "accept": decide(subject, player, made["id"], "accept"),
        "reject": decide(subject, player, made["id"], "reject"),
        "create-club by no JSON": ask(subject, "POST", CLUBS, player, JSON, body=b"{"),
    }
    for operation, answer in answers.items():
        expect_problem(answer, "forbidden", f"of a player's {operation}")
    expect_equal(get_facility(subject, player, facility), before, "the facility behind it")
    expect_equal(scene.now(made["id"]), made, "the reservation behind it")


@check("A19", "what players do is 403 to an owner, of the own club as well")
def players_work(subject: Subject) -> None:
    scene = new_scene(subject)
    owner, made = scene.owner, scene.reserved()
    answers = {
        "reserve": reserve(subject, owner, scene.facility, at(10)),
        "reserve by no JSON": ask(subject, "POST", RESERVATIONS, owner, JSON, body=b"{"),
        "cancel": decide(subject, owner, made["id"], "cancel"),
        "rate": rate(subject, owner, made["id"], 5),
    }
    for operation, answer in answers.items():
        expect_problem(answer, "forbidden", f"of an owner's {operation}")
    expect_equal(scene.now(made["id"]), made, "the reservation behind it")
    expect_equal(scene.reserve(at(10)).status, 201, "the status of a player's reservation")


@check("A19", "the role is the token's, whatever the account's is")
def role_of_the_token(subject: Subject) -> None:
    scene = new_scene(subject)
    promoted = caller(scene.player.id, OWNER)
    answer = post(subject, CLUBS, promoted, club_body())
    club = object_of(answer, 201, CLUB, "a club of a player with an owner's token")
    target = f"{CLUBS}/{club['id']}/facilities"
    answer = post(subject, target, promoted, facility_body())
    object_of(answer, 201, FACILITY, "a facility of such an owner", club_id=club["id"])
    demoted = caller(scene.owner.id, PLAYER)
    expect_problem(create_club(subject, demoted), "forbidden", "of an owner with a player's token")
    answer = scene.reserve(player=demoted)
    wanted = {"player_id": scene.owner.id}
    object_of(answer, 201, RESERVATION, "a reservation of an owner as a player", **wanted)


@check("A20", "a token of no account lists, and its me is 401")
def no_account(subject: Subject) -> None:
    for role in (OWNER, PLAYER):
        reader = caller(NOBODY, role)
        whole = get(subject, CLUBS, caller(1, OWNER))
        page_of(whole, CLUB, "a list")
        answer = get(subject, CLUBS, reader)
        expect_equal(answer.body, whole.body, "a list by a token of no account")
        page_of(get(subject, FACILITIES, reader), FACILITY, "facilities by such a token")
        for target in (f"{CLUBS}?mine=true", RESERVATIONS):
            value = value_of(get(subject, target, reader), 200, f"{target} of no account")
            expect_equal(value, {"items": [], "next_cursor": None}, f"{target} of no account")
        expect_problem(get(subject, ME, reader), "unauthenticated", "of me of no account")


@with_stand("A20", "no statement is made to know a token")
def no_look(subject: Subject) -> None:
    reader = caller(NOBODY, PLAYER)
    with counted(subject, "a list by a token of no account", 5, select=1):
        for _ in range(5):
            get(subject, CLUBS, reader)
    with counted(subject, "what such a token may not do", 5):
        for _ in range(5):
            expect_problem(create_club(subject, reader), "forbidden", "of a club")
