"""P1 and P3: statements and transactions, as the database sees them."""

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from loadstone.contract import declare
from loadstone.contract.client import Answer
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.subject import Subject

from .lib.accounts import log_in, new_email, new_owner, new_player, sign_up
from .lib.clubs import (
    add_facility,
    club_path,
    create_club,
    facility_path,
    new_facility,
    replace_club,
    replace_facility,
    retire_facility,
)
from .lib.database import KINDS, TRANSACTION, counted, sessions, work_now
from .lib.instants import DAY, at
from .lib.operations import expect_well
from .lib.scenes import Scene, decide, new_scene, rate, reservation_path, reserve
from .lib.service import (
    CLUBS,
    FACILITIES,
    JSON,
    LIVE,
    ME,
    MOST_BODY_BYTES,
    READY,
    RESERVATIONS,
    STARTS_SECONDS,
    ask,
    expect_status,
    get,
    post,
)
from .lib.tokens import Caller

check = partial(declare.check, needs_stand=True, seconds=STARTS_SECONDS)

TIMES = 5
REST_SECONDS = 0.1
NOWHERE = 999_999_999


class Counted(NamedTuple):
    """Calls of one kind, and what each of them makes."""

    what: str
    calls: list[Callable[[], Answer]]
    status: int
    statements: dict[str, int]


@check("P1", "each read makes its statements, outside of a transaction")
def reads(subject: Subject) -> None:
    scene = new_scene(subject)
    owner, player = scene.owner, scene.player
    made = scene.reserved()["id"]
    scene.rated(made, 4)
    facility = facility_path(scene.facility)
    filters = f"available=true&at={at(10)}&sport=tennis&city=Checkham&club_id={scene.club}"
    targets: tuple[tuple[str, Caller | None, int], ...] = (
        *((ME, player, 1), (CLUBS, player, 1), (f"{CLUBS}?mine=true&city=a&q=b&limit=3", owner, 1)),
        *(
            (club_path(scene.club), player, 1),
            (FACILITIES, player, 1),
            (f"{FACILITIES}?{filters}", owner, 1),
        ),
        *((facility, player, 1), (f"{facility}/slots?date={DAY}", player, 2)),
        *((reservation_path(made), player, 1), (reservation_path(made), owner, 1)),
        *((RESERVATIONS, player, 1), (RESERVATIONS, owner, 1)),
        *((f"{RESERVATIONS}?status=pending&facility_id={scene.facility}", owner, 1),),
        *((f"{facility}/ratings", player, 3), (f"{facility}/ratings?limit=1", owner, 3)),
        *((READY, None, 1), (LIVE, None, 0)),
    )
    for target, reader, number in targets:
        calls: list[Callable[[], Answer]] = [partial(get, subject, target, reader)] * TIMES
        _expect_counted(subject, Counted(f"GET {target}", calls, 200, {"select": number}))


@check("P1", "each write makes its statements, those with two in one transaction")
def writes(subject: Subject) -> None:
    for each in _writes(new_scene(subject)):
        _expect_counted(subject, each)


@check("P1", "a reservation with a key makes the statements of the key in the same transaction")
def writes_with_keys(subject: Subject) -> None:
    scene = new_scene(subject)
    slots = [scene.slot() for _ in range(TIMES)]
    calls = [
        partial(scene.reserve, slot, 1, key=f"p1-{number}") for number, slot in enumerate(slots)
    ]
    first = {"select": 1, "insert": 2, "update": 1, "other_commands": TRANSACTION}
    _expect_counted(subject, Counted("reserve with a key", list(calls), 201, first))
    again = {"select": 1, "insert": 1, "other_commands": TRANSACTION}
    _expect_counted(subject, Counted("reserve with its key again", list(calls), 201, again))


@check("P1", "what is refused before the database is needed makes no statement")
def refusals(subject: Subject) -> None:
    scene = new_scene(subject)
    owner, player = scene.owner, scene.player
    text = ("Content-Type", "text/plain")
    kinds: dict[int, list[Callable[[], Answer]]] = {
        404: [partial(get, subject, "/nothing", owner), partial(get, subject, "/clubs/x", owner)],
        405: [partial(ask, subject, "PATCH", CLUBS, owner)],
        401: [
            partial(get, subject, CLUBS),
            partial(get, subject, ME, Caller(owner.id, owner.role, "a.b.c")),
        ],
        403: [partial(create_club, subject, player), partial(decide, subject, player, 1, "accept")],
        413: [partial(ask, subject, "POST", CLUBS, owner, JSON, body=b" " * (MOST_BODY_BYTES + 1))],
        415: [partial(ask, subject, "POST", CLUBS, owner, text, body=b"{}")],
        400: [
            partial(ask, subject, "POST", CLUBS, owner, JSON, body=b"{"),
            partial(get, subject, f"{CLUBS}?limit=0", owner),
            partial(get, subject, f"{FACILITIES}?available=true", owner),
            partial(scene.reserve, at(10), key="k" * 65),
        ],
        422: [
            partial(sign_up, subject, password="short"),
            partial(create_club, subject, owner, name=""),
            partial(post, subject, RESERVATIONS, player, {}),
            partial(scene.reserve, "2020-05-01T10:00:00Z"),
            partial(replace_facility, subject, owner, scene.facility, closes=1),
            partial(rate, subject, player, 1, 6),
        ],
    }
    for status, calls in kinds.items():
        for call in calls:
            _expect_counted(subject, Counted(f"what is {status}", [call] * TIMES, status, {}))


@check("P1", "what is refused by what the database says makes no further statement")
def refused_by_rows(subject: Subject) -> None:
    scene, other = new_scene(subject), new_owner(subject)
    owner, player = scene.owner, scene.player
    taken, stranger = scene.reserved(at(10))["starts_at"], new_player(subject)
    decided = scene.in_state("rejected")["id"]
    made = scene.reserved()["id"]
    looked = {"select": 1, "other_commands": TRANSACTION}
    known = str(_email_of(subject))
    slots = partial(get, subject, f"{facility_path(NOWHERE)}/slots?date={DAY}", owner)
    ratings = partial(get, subject, f"{facility_path(NOWHERE)}/ratings", owner)
    retiring = partial(retire_facility, subject, other, scene.facility)
    kinds: tuple[tuple[str, Callable[[], Answer], int, dict[str, int]], ...] = (
        ("sign-up, taken", partial(sign_up, subject, email=known), 409, {"insert": 1}),
        ("log-in, unknown", partial(log_in, subject, new_email()), 401, {"select": 1}),
        ("log-in, wrong", partial(log_in, subject, known, "no"), 401, {"select": 1}),
        ("get-club, unknown", partial(get, subject, club_path(NOWHERE), owner), 404, {"select": 1}),
        ("replace-club, unknown", partial(replace_club, subject, owner, NOWHERE), 404, looked),
        ("replace-club, another's", partial(replace_club, subject, other, scene.club), 403, looked),
        ("add-facility, another's", partial(add_facility, subject, other, scene.club), 403, looked),
        ("retire-facility, another's", retiring, 403, looked),
        ("reserve, unknown", partial(reserve, subject, player, NOWHERE, at(11)), 404, looked),
        ("reserve, off the grid", partial(scene.reserve, at(11, 30)), 422, looked),
        ("reserve, taken", partial(scene.reserve, taken), 409, {**looked, "insert": 1}),
        ("accept, another's", partial(decide, subject, other, made, "accept"), 404, looked),
        ("cancel, another's", partial(decide, subject, stranger, made, "cancel"), 404, looked),
        ("rate, another's", partial(rate, subject, stranger, made, 5), 404, looked),
        ("rate, rejected", partial(rate, subject, player, decided, 5), 409, looked),
        ("list-slots, unknown", slots, 404, {"select": 1}),
        ("list-ratings, unknown", ratings, 404, {"select": 1}),
    )
    for what, call, status, statements in kinds:
        _expect_counted(subject, Counted(what, [call] * TIMES, status, statements))


@check("P1", "a state that is wrong is told by the row, or by the statement that changes none")
def wrong_states(subject: Subject) -> None:
    scene = new_scene(subject)
    decided = scene.in_state("rejected")["id"]
    looked = dict.fromkeys(KINDS, 0) | {"select": 1, "other_commands": TRANSACTION}
    for decision, asking in (("accept", scene.owner), ("cancel", scene.player)):
        before = work_now(subject)
        answer = decide(subject, asking, decided, decision)
        expect_status(answer, 409, f"to {decision} what is rejected")
        seen = {kind: number - before[kind] for kind, number in work_now(subject).items()}
        is_right = seen in (looked, {**looked, "update": 1})
        expect(is_right, f"the statements to {decision} what is rejected are {seen}")


@check("P3", "a tenth of a second behind the last answer no transaction is open")
def no_transaction(subject: Subject) -> None:
    scene, other = new_scene(subject), new_owner(subject)
    expect_well(subject, "before it")
    taken = scene.reserved(at(10))["starts_at"]
    for each in _writes(scene):
        each.calls[0]()
    wrong: tuple[Callable[[], Answer], ...] = (
        partial(replace_club, subject, other, scene.club),
        partial(replace_club, subject, other, NOWHERE),
        partial(add_facility, subject, other, NOWHERE),
        partial(replace_facility, subject, other, scene.facility),
        partial(retire_facility, subject, other, scene.facility),
        partial(scene.reserve, taken),
        partial(scene.reserve, taken, key="p3"),
        partial(scene.reserve, at(10, 30), key="p3"),
        partial(reserve, subject, scene.player, NOWHERE, at(10)),
        partial(decide, subject, other, 1, "accept"),
        partial(rate, subject, scene.player, NOWHERE, 5),
        partial(get, subject, f"{facility_path(NOWHERE)}/ratings", other),
        partial(get, subject, f"{facility_path(NOWHERE)}/slots?date={DAY}", other),
        partial(get, subject, READY),
        partial(get, subject, RESERVATIONS, other),
    )
    for call in wrong:
        call()
        time.sleep(REST_SECONDS)
        opened = [each.command for each in sessions(subject) if each.in_transaction]
        expect_equal(opened, [], "the transactions that are open behind an answer")
    expect(bool(sessions(subject)), "there is no connection to be in one")


def _writes(scene: Scene) -> Iterator[Counted]:
    """Each operation that writes, a few times over, each time with rows that are not counted."""
    subject, owner, player = scene.subject, scene.owner, scene.player
    club, facility = scene.club, scene.facility
    one = {"insert": 1}
    added = {"select": 1, "insert": 1, "other_commands": TRANSACTION}
    changed = {"select": 1, "update": 1, "other_commands": TRANSACTION}

    def counted_as(
        what: str, call: Callable[[], Answer], status: int, statements: dict[str, int]
    ) -> Counted:
        return Counted(what, [call] * TIMES, status, statements)

    yield counted_as("sign-up", partial(sign_up, subject), 201, one)
    yield counted_as("log-in", partial(log_in, subject, _email_of(subject)), 200, {"select": 1})
    yield counted_as("create-club", partial(create_club, subject, owner), 201, one)
    yield counted_as("replace-club", partial(replace_club, subject, owner, club), 200, changed)
    yield counted_as("add-facility", partial(add_facility, subject, owner, club), 201, added)
    call = partial(replace_facility, subject, owner, facility)
    yield counted_as("replace-facility", call, 200, changed)
    spare = new_facility(subject, owner, club)["id"]
    yield counted_as(
        "retire-facility", partial(retire_facility, subject, owner, spare), 204, changed
    )
    yield counted_as("reserve", scene.reserve, 201, added)
    for decision, asking in (("accept", owner), ("reject", owner), ("cancel", player)):
        made = [scene.reserved()["id"] for _ in range(TIMES)]
        calls: list[Callable[[], Answer]] = [
            partial(decide, subject, asking, each, decision) for each in made
        ]
        yield Counted(decision, calls, 200, changed)
    made = [scene.reserved()["id"] for _ in range(TIMES)]
    calls = [partial(rate, subject, player, each, 4) for each in made]
    yield Counted("rate", calls, 201, added)
    yield Counted("rate again", calls, 200, added)


def _email_of(subject: Subject) -> str:
    """An address that has an account."""
    email = new_email()
    expect_status(sign_up(subject, email=email), 201, "signing up")
    return email


def _expect_counted(subject: Subject, each: Counted) -> None:
    with counted(subject, each.what, len(each.calls), **each.statements):
        for call in each.calls:
            expect_status(call(), each.status, each.what)
