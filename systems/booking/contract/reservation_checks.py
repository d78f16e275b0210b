"""R1 to R3, R7, R8, R10 to R12: what is reserved, who sees it, and what is in its way."""

from functools import partial
from typing import Any

from loadstone.contract import declare
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.subject import Subject

from .lib.accounts import new_owner, new_player
from .lib.clubs import new_club, new_facility, replace_facility
from .lib.instants import at, expect_now, later, read
from .lib.pages import all_pages, ids
from .lib.problems import expect_problem
from .lib.scenes import decide, new_scene, rate, reservation_path, reserve
from .lib.seed import reservations
from .lib.service import MANY_SECONDS, RESERVATIONS, get, post
from .lib.shapes import RESERVATION, STATUSES, object_of, value_of
from .lib.tokens import OWNER, PLAYER, Caller, caller

check = partial(declare.check, operation="reserve", seconds=MANY_SECONDS)
listing = partial(declare.check, operation="list-reservations", seconds=MANY_SECONDS)

NOWHERE = (999_999_999, 9_007_199_254_740_993, 9_999_999_999_999_999)
FAR_AWAY = (999_999_999, (1 << 53) - 1)


@check("R1", "reserve is 201 with its place, its price and its end, and read back equal")
def reserves(subject: Subject) -> None:
    for slot_minutes, closes in ((30, 1320), (60, 1320), (90, 1350)):
        scene = new_scene(subject, slot_minutes=slot_minutes, closes=closes, price_cents=1250)
        starts_at = at(6)
        for slots in (None, 1, 2, 3, 4):
            number = slots or 1
            answer = scene.reserve(starts_at, slots)
            ends_at = later(starts_at, number * slot_minutes)
            wanted = {
                **{"facility_id": scene.facility, "player_id": scene.player.id},
                **{"starts_at": starts_at, "ends_at": ends_at, "status": "pending"},
                **{"price_cents": number * 1250, "decided_at": None},
            }
            found = object_of(answer, 201, RESERVATION, f"{slots} slots", **wanted)
            expect_now(found["created_at"], "created_at of a reservation")
            place = reservation_path(found["id"])
            expect_equal(answer.values("location"), (place,), "Location")
            expect_equal(answer.values("idempotency-replayed"), (), "Idempotency-Replayed")
            for asking in (scene.player, scene.owner):
                read_back = value_of(get(subject, place, asking), 200, "the reservation")
                expect_equal(read_back, found, f"the reservation, as its {asking.role} sees it")
            starts_at = ends_at


@check("R1", "slots may be null, and the first and the last hour of a day are reserved")
def edges(subject: Subject) -> None:
    scene = new_scene(subject, opens=0, closes=1440)
    body = {"facility_id": scene.facility, "starts_at": at(0), "slots": None}
    answer = post(subject, RESERVATIONS, scene.player, body)
    object_of(answer, 201, RESERVATION, "the first hour", ends_at=at(1))
    last = scene.reserved(at(20), 4)
    expect_equal(last["ends_at"], "2042-03-02T00:00:00Z", "the end at midnight")
    scene.reserved("2099-12-31T23:00:00Z")
    free = new_scene(subject, price_cents=0)
    expect_equal(free.reserved(slots=3)["price_cents"], 0, "the price of what is free")
    dear = new_scene(subject, price_cents=1_000_000)
    expect_equal(dear.reserved(slots=4)["price_cents"], 4_000_000, "the price of what is dear")


@check("R2", "the same slot again is 409, of another player and of the same")
def same_slot(subject: Subject) -> None:
    scene, other = new_scene(subject), new_player(subject)
    made = scene.reserved(at(10))
    for state in ("pending", "accepted"):
        if state == "accepted":
            made = scene.decided(made["id"], "accept")
        for player in (other, scene.player):
            answer = scene.reserve(at(10), player=player)
            expect_problem(answer, "slot-taken", f"of a slot in which one is {state}")
    expect_equal(scene.now(made["id"]), made, "the one that is there")
    expect_equal(len(_listed(subject, scene.owner)), 1, "the reservations of the owner's clubs")
    beside = new_facility(subject, scene.owner, scene.club)["id"]
    answer = reserve(subject, other, beside, at(10))
    object_of(answer, 201, RESERVATION, "the same time of another facility")


@check("R2", "a slot that is taken in the seed is 409, and one that is not is free")
def seeded_slots(subject: Subject) -> None:
    # Refused alone: the seed stays as it is.
    player = new_player(subject)
    for each in reservations()[:40]:
        if each.is_live:
            answer = reserve(subject, player, each.facility, each.starts_at)
            expect_problem(answer, "slot-taken", f"of reservation {each.id} of the seed")


@check("R3", "what overlaps is 409, and what touches is 201")
def overlaps(subject: Subject) -> None:
    scene = new_scene(subject)
    scene.reserved(at(10), 2)
    for hour, slots in (
        (9, 2),
        (9, 3),
        (9, 4),
        (10, 1),
        (10, 2),
        (11, 1),
        (11, 2),
        (11, 4),
        (8, 3),
    ):
        answer = scene.reserve(at(hour), slots)
        expect_problem(answer, "slot-taken", f"of {slots} slots from {hour} on")
    scene.reserved(at(9))
    scene.reserved(at(12), 4)
    scene.reserved(at(7), 2)
    expect_equal(len(_listed(subject, scene.owner)), 4, "the reservations that are there")
    scene.reserved(at(10, day="2042-03-02"), 2)


@check("R3", "reservations of a facility of other hours overlap by their time alone")
def other_hours(subject: Subject) -> None:
    scene = new_scene(subject)
    scene.reserved(at(10))
    # From now on its slots are of half an hour: the hour that was reserved is two of them.
    replace_facility(subject, scene.owner, scene.facility, slot_minutes=30)
    for minute in (0, 30):
        expect_problem(scene.reserve(at(10, minute)), "slot-taken", f"at 10:{minute:02}")
    scene.reserved(at(9, 30))
    scene.reserved(at(11))


@check("R7", "an unknown facility is 404")
def unknown_facility(subject: Subject) -> None:
    player = new_player(subject)
    for number in FAR_AWAY:
        answer = reserve(subject, player, number, at(10))
        expect_problem(answer, "not-found", f"of facility {number}")


@check("R8", "a reservation is seen by its player and by the owner of its club, and by no other")
def seen_by(subject: Subject) -> None:
    scene = new_scene(subject)
    made = scene.reserved()
    path = reservation_path(made["id"])
    for state in STATUSES:
        there = made if state == "pending" else scene.in_state(state)
        for asking in (scene.player, scene.owner):
            answer = get(subject, reservation_path(there["id"]), asking)
            expect_equal(value_of(answer, 200, "a reservation"), there, f"to its {asking.role}")
    others = {
        "another player": new_player(subject),
        "another owner": new_owner(subject),
        "nobody": caller(9_999_999_999_999_999, PLAYER),
        "its player as an owner": caller(scene.player.id, OWNER),
        "its owner as a player": caller(scene.owner.id, PLAYER),
    }
    for who, asking in others.items():
        expect_problem(get(subject, path, asking), "not-found", f"of it to {who}")
    for number in NOWHERE:
        for asking in (scene.player, scene.owner):
            answer = get(subject, reservation_path(number), asking)
            expect_problem(answer, "not-found", f"of reservation {number}")


@check("R10", "a slot that was freed is reserved again")
def freed_slots(subject: Subject) -> None:
    scene, other = new_scene(subject), new_player(subject)
    for hour, decisions in enumerate((["reject"], ["cancel"], ["accept", "cancel"]), start=10):
        first = scene.reserved(at(hour), 2 if hour == 10 else None)
        for decision in decisions:
            first = scene.decided(first["id"], decision)
        again = scene.reserved(at(hour), player=other)
        expect(again["id"] > first["id"], "the second reservation has no later id")
        expect_equal(scene.now(first["id"]), first, "the first reservation behind it")
        answer = scene.reserve(at(hour))
        expect_problem(answer, "slot-taken", f"of what was reserved again at {hour}")


@check("R11", "another price leaves the reservations that are there as they are")
def other_prices(subject: Subject) -> None:
    scene = new_scene(subject, price_cents=1000)
    first, second = scene.reserved(at(10), 2), scene.reserved(at(14))
    changes = {"price_cents": 333, "name": "Dear", "slot_minutes": 90, "opens": 420, "closes": 1320}
    replace_facility(subject, scene.owner, scene.facility, **changes)
    expect_equal(scene.now(first["id"]), first, "a reservation behind it")
    listed = _listed(subject, scene.player)
    expect_equal(listed, [second, first], "the player's list behind it")
    third = scene.reserved(at(7, day="2042-03-02"), 3)
    seen = third["price_cents"], third["ends_at"]
    expect_equal(seen, (999, at(11, 30, day="2042-03-02")), "a new one")
    changed = scene.decided(first["id"], "accept")
    expect_equal(changed["price_cents"], 2000, "the price of the first, accepted,")
    rate(subject, scene.player, first["id"], 5)
    decide(subject, scene.player, first["id"], "cancel")
    expect_equal(scene.now(first["id"])["price_cents"], 2000, "the price of the first, cancelled,")


@listing("R12", "a player lists own reservations alone, from the newest on")
def of_a_player(subject: Subject) -> None:
    scene, other = new_scene(subject), new_player(subject)
    expect_equal(_listed(subject, scene.player), [], "the reservations of a new player")
    second = new_scene(subject)
    mine: list[dict[str, Any]] = []
    for _ in range(3):
        mine.append(scene.reserved())
        scene.reserved(player=other)
        answer = reserve(subject, scene.player, second.facility, second.slot())
        mine.append(object_of(answer, 201, RESERVATION, "reserving at another club"))
    expect_equal(_listed(subject, scene.player), mine[::-1], "a player's reservations")
    seeded = [each for each in reversed(reservations()) if each.player == 11]
    newest = _listed(subject, caller(11, PLAYER))
    numbers = [number for number in ids(newest, RESERVATION) if number <= 9600]
    expect_equal(
        numbers, [each.id for each in seeded], "the reservations of the seed's first player"
    )
    seen = [(each["facility_id"], each["starts_at"], each["status"]) for each in newest]
    wanted = [(each.facility, each.starts_at, each.status) for each in seeded]
    expect_equal(seen[-len(wanted) :], wanted, "what is said of them")


@listing("R12", "an owner lists those of own clubs, from the newest on")
def of_an_owner(subject: Subject) -> None:
    scene, other = new_scene(subject), new_scene(subject)
    club = new_club(subject, scene.owner)["id"]
    facility = new_facility(subject, scene.owner, club)["id"]
    expect_equal(_listed(subject, scene.owner), [], "the reservations of a new owner")
    there: list[dict[str, Any]] = []
    for _ in range(3):
        there.append(scene.reserved())
        other.reserved()
        answer = reserve(subject, other.player, facility, scene.slot())
        there.append(object_of(answer, 201, RESERVATION, "reserving at the second club"))
    expect_equal(_listed(subject, scene.owner), there[::-1], "an owner's reservations")
    # The role decides which they are, and not who the account is.
    as_player = caller(scene.owner.id, PLAYER)
    expect_equal(_listed(subject, as_player), [], "those of the owner as a player")
    as_owner = caller(other.player.id, OWNER)
    expect_equal(_listed(subject, as_owner), [], "those of a player as an owner")


@listing("R12", "facility_id and status filter, each and together")
def filters(subject: Subject) -> None:
    scene = new_scene(subject)
    second = new_facility(subject, scene.owner, scene.club)["id"]
    made = [scene.in_state(state) for state in (*STATUSES, *STATUSES)]
    answer = reserve(subject, scene.player, second, at(10))
    made.append(object_of(answer, 201, RESERVATION, "at the second facility"))
    stranger = new_scene(subject)
    stranger.reserved()
    for asking in (scene.player, scene.owner):
        for facility in (None, scene.facility, second, stranger.facility, 9_999_999_999_999_999):
            for status in (None, *STATUSES):
                told = {"facility_id": facility, "status": status}
                query = "&".join(
                    f"{key}={value}" for key, value in told.items() if value is not None
                )
                wanted = [
                    each
                    for each in reversed(made)
                    if facility in (None, each["facility_id"]) and status in (None, each["status"])
                ]
                found = _listed(subject, asking, query)
                expect_equal(found, wanted, f"what a {asking.role} lists by {query}")
    found = _listed(subject, scene.player, "x=1&Status=open&facility=0")
    expect_equal(len(found), len(made), "what is listed with parameters that are not named")


@listing("R12", "the seed's reservations of an owner are those that its rules say")
def of_the_seed(subject: Subject) -> None:
    # Owner 7 has the clubs 7 and 17, so every tenth facility.
    wanted = [each.id for each in reversed(reservations()) if each.facility % 10 == 7]
    found = _listed(subject, caller(7, OWNER))
    numbers = [number for number in ids(found, RESERVATION) if number <= 9600]
    expect_equal(numbers, wanted, "the reservations of the seed's seventh owner")
    by_id = {each.id: each for each in reservations()}
    for each in found[-50:]:
        seeded = by_id[each["id"]]
        seen = (each["player_id"], each["starts_at"], each["status"], each["facility_id"])
        rule = (seeded.player, seeded.starts_at, seeded.status, seeded.facility)
        expect_equal(seen, rule, f"reservation {each['id']} of the seed")
        hours = read(each["ends_at"]) - read(each["starts_at"])
        expect_equal(hours.total_seconds(), 3600.0, f"the length of reservation {each['id']}")


def _listed(subject: Subject, reader: Caller, query: str = "") -> list[dict[str, Any]]:
    target = f"{RESERVATIONS}?{query}" if query else RESERVATIONS
    return all_pages(subject, target, reader, RESERVATION)
