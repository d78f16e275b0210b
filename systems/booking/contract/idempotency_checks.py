"""I1 to I5: keys by which a reservation can be asked for again."""

from functools import partial
from hashlib import sha256
from secrets import token_hex
from typing import Any

from loadstone.contract import declare
from loadstone.contract.client import Answer
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.subject import Subject

from .lib.accounts import new_player
from .lib.at_once import at_once, patiently
from .lib.clubs import club_body, new_facility, replace_facility, retire_facility
from .lib.instants import at
from .lib.operations import warm
from .lib.pages import all_pages
from .lib.problems import expect_invalid, expect_problem
from .lib.scenes import KEY, REPLAYED, Scene, decide, new_scene, reservation_path, reserve
from .lib.service import (
    CLUBS,
    DATABASE,
    JSON,
    MANY_SECONDS,
    RESERVATIONS,
    STARTS_SECONDS,
    ask,
    bearer,
    compact,
    expect_status,
    post,
)
from .lib.shapes import CLUB, RESERVATION, object_of
from .lib.tokens import Caller

check = partial(declare.check, operation="reserve", seconds=MANY_SECONDS)
with_stand = partial(check, needs_stand=True, seconds=STARTS_SECONDS)

LONGEST = "k" * 64
KEYS = ("!", "~", "0", "a-b_c.d", "$1", "';--", "{}[]", '"', "\\", "%00", LONGEST)
NO_KEYS = ("", "k" * 65, "k" * 1000, "a b", "a\tb", "é", "\x80", "\xffa", "key ,key x")
"""Beside those that are too long: what is no visible ASCII, sent as bytes of one each."""
MANY = 20


@check("I1", "the same key and body is the same 201, which says that it is shown again")
def replays(subject: Subject) -> None:
    scene = new_scene(subject)
    for key in KEYS:
        starts_at = scene.slot()
        first = scene.reserve(starts_at, 1, key=key)
        made = object_of(first, 201, RESERVATION, f"reserving with the key {key}")
        expect_equal(first.values(REPLAYED), (), f"{REPLAYED} of the first")
        for _ in range(2):
            _expect_replayed(scene.reserve(starts_at, 1, key=key), first, f"the key {key}")
        there = [each for each in _there(scene) if each["starts_at"] == starts_at]
        expect_equal(there, [made], "the reservations that are there")


@check("I1", "an instant of another offset and slots by default are the same body")
def same_bodies(subject: Subject) -> None:
    scene = new_scene(subject)
    first = scene.reserve(at(10), key="same")
    expect_status(first, 201, "reserving")
    facility = scene.facility
    bodies: tuple[dict[str, object], ...] = (
        {"facility_id": facility, "starts_at": "2042-03-01T12:00:00+02:00"},
        {"facility_id": facility, "starts_at": "2042-03-01T10:00:00.000Z", "slots": 1},
        {"slots": None, "starts_at": "2042-03-01T04:30:00-05:30", "facility_id": facility},
        {"x": token_hex(4), "starts_at": at(10), "facility_id": facility, "slots": 1},
    )
    for body in bodies:
        answer = post(subject, RESERVATIONS, scene.player, body, (KEY, "same"))
        _expect_replayed(answer, first, f"the body {body}")
    answer = post(subject, RESERVATIONS, scene.player, bodies[0], ("idempotency-KEY", "same"))
    _expect_replayed(answer, first, "the field in other letters")
    expect_equal(len(_there(scene)), 1, "the number of reservations")


@check("I1", "what is shown again is as it was then, whatever has become of it")
def as_it_was(subject: Subject) -> None:
    scene = new_scene(subject)
    starts_at = scene.slot()
    first = scene.reserve(starts_at, 2, key="then")
    made = object_of(first, 201, RESERVATION, "reserving")
    scene.decided(made["id"], "accept")
    _expect_replayed(scene.reserve(starts_at, 2, key="then"), first, "what was accepted")
    replace_facility(subject, scene.owner, scene.facility, price_cents=9, closes=1260)
    scene.decided(made["id"], "cancel")
    scene.reserved(starts_at, player=new_player(subject))
    _expect_replayed(scene.reserve(starts_at, 2, key="then"), first, "what was cancelled")
    # The key is looked at before the facility is, its hours and its end.
    hours = {"opens": 600, "closes": 720, "slot_minutes": 30}
    replace_facility(subject, scene.owner, scene.facility, **hours)
    retire_facility(subject, scene.owner, scene.facility)
    _expect_replayed(scene.reserve(starts_at, 2, key="then"), first, "what was retired")
    expect_problem(scene.reserve(at(10), key="now"), "facility-retired", "of another key")


@with_stand("I1", "a key is kept with the fingerprint and the body that the SPEC says")
def kept_keys(subject: Subject) -> None:
    scene, hand = new_scene(subject), subject.stand.dependency(DATABASE)
    answer = scene.reserve("2042-03-01T12:00:00+02:00", 2, key="kept")
    expect_status(answer, 201, "reserving")
    wanted = f"{scene.facility}|{at(10)}|2".encode()
    rows = hand.execute(
        "SELECT key, fingerprint, body FROM idempotency WHERE account_id = %s", (scene.player.id,)
    )
    kept = [(key, bytes(said), str(body).encode()) for key, said, body in rows]
    expect_equal(kept, [("kept", sha256(wanted).digest(), answer.body)], "what is kept of the key")
    scene.reserve(at(10), key="refused")
    ((number,),) = hand.execute(
        "SELECT count(*) FROM idempotency WHERE account_id = %s", (scene.player.id,)
    )
    expect_equal(number, 1, "the keys that are kept behind one that was refused")


@check("I2", "another body is 422, before anything else is looked at")
def other_bodies(subject: Subject) -> None:
    scene = new_scene(subject)
    beside = new_facility(subject, scene.owner, scene.club)["id"]
    first = scene.reserve(at(10), 1, key="used")
    expect_status(first, 201, "reserving")
    others: tuple[tuple[int, str, int], ...] = (
        *((scene.facility, at(10), 2), (scene.facility, at(11), 1), (beside, at(10), 1)),
        *((999_999_999, at(10), 1), (scene.facility, at(10, 30), 1), (scene.facility, at(23), 1)),
        *(
            (scene.facility, at(10, day="2042-03-02"), 1),
            (scene.facility, "2042-03-01T10:00:01Z", 1),
        ),
        (scene.facility, "2042-03-01T10:00:00+01:00", 1),
    )
    for facility, starts_at, slots in others:
        answer = reserve(subject, scene.player, facility, starts_at, slots, "used")
        what = f"of {slots} slots of {facility} from {starts_at} on by a key that was used"
        expect_problem(answer, "idempotency-mismatch", what)
    _expect_replayed(scene.reserve(at(10), 1, key="used"), first, "the first body")
    expect_equal(len(_there(scene)), 1, "the number of reservations")
    # What has a fault of its own has that.
    answer = scene.reserve("2020-05-01T10:00:00Z", key="used")
    expect_invalid(answer, ("/starts_at", "in-past"))
    expect_invalid(scene.reserve(at(10), 9, key="used"), ("/slots", "range"))


@check("I2", "what is no key is 400, and nothing is reserved")
def no_keys(subject: Subject) -> None:
    scene = new_scene(subject)
    body = {"facility_id": scene.facility, "starts_at": at(10)}
    for key in NO_KEYS:
        answer = post(subject, RESERVATIONS, scene.player, body, (KEY, key))
        expect_problem(answer, "malformed", f"of the key {key[:20]!r}")
    expect_equal(_there(scene), [], "the reservations that are there")


@check("I2", "other operations take no key")
def of_reserve_alone(subject: Subject) -> None:
    scene = new_scene(subject)
    for key in ("once", "once", "", "k" * 65):
        field = (KEY, key)
        answer = ask(subject, "POST", CLUBS, scene.owner, JSON, field, body=compact(club_body()))
        object_of(answer, 201, CLUB, f"a club with the key {key[:20]!r}")
        expect_equal(answer.values(REPLAYED), (), f"{REPLAYED} of a club")
        made = scene.reserved()["id"]
        target = f"{reservation_path(made)}/accept"
        answer = subject.ask(target, [bearer(scene.owner.token), field])
        object_of(answer, 200, RESERVATION, f"an acceptance with the key {key[:20]!r}")


@check("I3", "20 at once of one key make one row, and have equal bodies")
def at_the_same_time(subject: Subject) -> None:
    scene = new_scene(subject)
    warm(subject)
    for _ in range(3):
        key, starts_at = token_hex(8), scene.slot()
        calls = [partial(patiently, partial(scene.reserve, starts_at, 1, key=key))] * MANY
        answers = at_once(calls)
        firsts = [answer for answer in answers if not answer.values(REPLAYED)]
        expect_equal(len(firsts), 1, "the answers that are not shown again")
        made = object_of(firsts[0], 201, RESERVATION, "the first of 20")
        for answer in answers:
            if answer is not firsts[0]:
                _expect_replayed(answer, firsts[0], "one of 20")
        there = [each for each in _there(scene) if each["starts_at"] == starts_at]
        expect_equal(there, [made], "the reservations that are there")


@check("I4", "another account's equal key is another key")
def of_another_account(subject: Subject) -> None:
    scene, other = new_scene(subject), new_player(subject)
    first = scene.reserve(at(10), key="equal")
    expect_status(first, 201, "reserving")
    expect_problem(scene.reserve(at(10), player=other, key="equal"), "slot-taken", "of its slot")
    second = scene.reserve(at(11), player=other, key="equal")
    wanted = {"player_id": other.id, "starts_at": at(11)}
    object_of(second, 201, RESERVATION, "reserving by the equal key", **wanted)
    expect_equal(second.values(REPLAYED), (), f"{REPLAYED} of another account's first")
    _expect_replayed(scene.reserve(at(10), key="equal"), first, "the first account's")
    answer = scene.reserve(at(11), player=other, key="equal")
    _expect_replayed(answer, second, "the second account's")
    answer = scene.reserve(at(11), key="EQUAL")
    expect_problem(answer, "slot-taken", "of a key in other letters, which is another")


@check("I5", "a 409 is not kept: once its rival is cancelled the same key is 201")
def rival_cancelled(subject: Subject) -> None:
    scene, rival = new_scene(subject), new_player(subject)
    taken = scene.reserved(at(10), player=rival)
    for _ in range(2):
        answer = scene.reserve(at(10), key="again")
        expect_problem(answer, "slot-taken", "of a slot that is taken")
    expect_status(decide(subject, rival, taken["id"], "cancel"), 200, "the rival's cancellation")
    answer = _first(scene, scene.player, "again")
    _expect_replayed(scene.reserve(at(10), key="again"), answer, "the 201 that came of it")


@check("I5", "no other refusal is kept either, so that the key may come with another body")
def other_refusals(subject: Subject) -> None:
    scene = new_scene(subject)
    retired = new_facility(subject, scene.owner, scene.club)["id"]
    retire_facility(subject, scene.owner, retired)
    taken = scene.reserved(at(15))["starts_at"]
    refused: tuple[tuple[int, str, int, int], ...] = (
        *(
            (999_999_999, at(10), 1, 404),
            (retired, at(10), 1, 409),
            (scene.facility, taken, 1, 409),
        ),
        *((scene.facility, at(10, 30), 1, 422), (scene.facility, at(23), 1, 422)),
        *((scene.facility, at(10), 5, 422), (scene.facility, "2020-05-01T10:00:00Z", 1, 422)),
    )
    for facility, starts_at, slots, status in refused:
        answer = reserve(subject, scene.player, facility, starts_at, slots, "key")
        expect_status(answer, status, f"{slots} slots of {facility} from {starts_at} on")
    _first(scene, scene.player, "key")


def _first(scene: Scene, player: Caller, key: str) -> Answer:
    """A reservation by a key at ten, which is not there yet."""
    answer = scene.reserve(at(10), player=player, key=key)
    object_of(answer, 201, RESERVATION, f"reserving by the key {key}")
    expect_equal(answer.values(REPLAYED), (), f"{REPLAYED} of the first")
    return answer


def _expect_replayed(answer: Answer, first: Answer, what: str) -> None:
    """Expect the bytes of the first, and the two fields that belong to them."""
    expect_status(answer, 201, f"{what}, again,")
    expect_equal(answer.body, first.body, f"the body of {what}, again,")
    for name in ("content-type", "location"):
        expect_equal(answer.values(name), first.values(name), f"{name} of {what}, again,")
    expect(bool(answer.values("location")), f"{what}, again, has no Location")
    expect_equal(answer.values(REPLAYED), ("true",), f"{REPLAYED} of {what}, again,")


def _there(scene: Scene) -> list[dict[str, Any]]:
    return all_pages(scene.subject, RESERVATIONS, scene.owner, RESERVATION)
