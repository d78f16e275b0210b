"""C8 and C9: which facilities are available at an instant."""

from functools import partial
from urllib.parse import quote

from loadstone.contract import declare
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.subject import Subject

from .lib.accounts import new_owner
from .lib.clubs import new_club, new_facility, replace_facility, retire_facility
from .lib.instants import NEXT_DAY, at
from .lib.pages import all_pages, ids
from .lib.scenes import Scene, new_scene
from .lib.seed import FACILITIES as SEED_FACILITIES
from .lib.seed import free_facilities
from .lib.service import FACILITIES, MANY_SECONDS
from .lib.shapes import FACILITY
from .lib.tokens import OWNER, Caller, caller

check = partial(declare.check, operation="list-facilities", seconds=MANY_SECONDS)

READER = caller(1, OWNER)
TEN = "2040-03-10T10:00:00Z"
FREE_AT_TEN = 93


@check("C8", "of the seed those are available that its rules leave, and no others")
def of_the_seed(subject: Subject) -> None:
    expect_equal(len(free_facilities(TEN)), FREE_AT_TEN, "the rules, read by this check,")
    instants = {
        **{TEN: TEN, "2040-03-10T12:00:00+02:00": TEN, "2040-03-10T10:00:00.00Z": TEN},
        **{each: each for each in ("2040-03-01T06:00:00Z", "2040-04-29T21:00:00Z")},
        **{each: each for each in ("2040-03-31T08:00:00Z", "2040-04-10T13:00:00Z")},
    }
    for text, instant in instants.items():
        found = _available(subject, text, READER)
        seeded = [number for number in found if number <= SEED_FACILITIES]
        expect_equal(seeded, free_facilities(instant), f"what is available at {text}")
    # Behind the sixty days, and before them, nothing is in the way of anybody.
    every = list(range(1, SEED_FACILITIES + 1))
    for text in ("2040-05-01T10:00:00Z", "2040-02-29T10:00:00Z", "2020-01-01T10:00:00Z"):
        found = _available(subject, text, READER)
        expect_equal(found[:SEED_FACILITIES], every, f"what is available at {text}")


@check("C8", "pages of what is available have no gaps, and filters hold beside it")
def pages_of_available(subject: Subject) -> None:
    target = f"{FACILITIES}?available=true&at={TEN}"
    found = ids(all_pages(subject, target, READER, FACILITY, limit=7), FACILITY)
    seeded = [number for number in found if number <= SEED_FACILITIES]
    expect_equal(seeded, free_facilities(TEN), "what is available, in pages of 7")
    for club in (1, 12):
        wanted = [each for each in free_facilities(TEN) if each % 20 == club % 20]
        found = ids(all_pages(subject, f"{target}&club_id={club}", READER, FACILITY), FACILITY)
        expect_equal(found[: len(wanted)], wanted, f"what is available of club {club}")


@check("C8", "a pending and an accepted reservation are in the way, others are not")
def states(subject: Subject) -> None:
    scene = new_scene(subject)
    for hour, (state, decisions) in enumerate(
        {
            "pending": (),
            "accepted": ("accept",),
            "rejected": ("reject",),
            "cancelled": ("cancel",),
            "cancelled behind its acceptance": ("accept", "cancel"),
        }.items(),
        start=10,
    ):
        made = scene.reserved(at(hour))
        for decision in decisions:
            scene.decided(made["id"], decision)
        is_free = state not in ("pending", "accepted")
        _expect_free(scene, at(hour), is_free, f"where one is {state}")
        _expect_free(scene, at(hour, day=NEXT_DAY), True, "on the next day")


@check("C8", "a reservation is in the way in all of its slots, and in no other")
def every_slot(subject: Subject) -> None:
    scene = new_scene(subject)
    scene.reserved(at(10), 3)
    scene.reserved(at(15))
    free = {9: True, 10: False, 11: False, 12: False, 13: True, 14: True, 15: False, 16: True}
    for hour, is_free in free.items():
        _expect_free(scene, at(hour), is_free, "beside one of three slots")
    retire_facility(subject, scene.owner, scene.facility)
    _expect_free(scene, at(9), False, "where it is retired")


@check("C8", "slots of one facility are not in the way of another")
def of_another_facility(subject: Subject) -> None:
    scene = new_scene(subject)
    beside = new_facility(subject, scene.owner, scene.club)["id"]
    scene.reserved(at(10))
    expect_equal(
        _available(subject, at(10), scene.owner, scene.club), [beside], "what is available"
    )
    # Where slots have another length, one that begins within a reservation is not free.
    halves = new_facility(subject, scene.owner, scene.club, slot_minutes=30)["id"]
    made = scene.reserve(at(10, 30), player=scene.player)
    expect_equal(made.status, 422, "the status of half an hour into a slot")
    found = _available(subject, at(10, 30), scene.owner, scene.club)
    expect_equal(found, [halves], "what is available half an hour into a slot of others")


@check("C8", "a reservation is in the way of every slot that it is in, of whatever length")
def every_length(subject: Subject) -> None:
    halves = new_scene(subject, slot_minutes=30)
    halves.reserved(at(10))
    halves.reserved(at(12), 2)
    for text in (at(9, 30), at(10, 30), at(11, 30), at(13)):
        _expect_free(halves, text, True, "beside one of half an hour")
    for text in (at(10), at(12), at(12, 30)):
        _expect_free(halves, text, False, "in one of half an hour")
    wide = new_scene(subject, slot_minutes=90, closes=1350)
    wide.reserved(at(9))
    for text, is_free in ((at(7, 30), True), (at(9), False), (at(10, 30), True)):
        _expect_free(wide, text, is_free, "beside one of an hour and a half")
    # One that was made under other hours is in the way by its time.
    scene = new_scene(subject)
    scene.reserved(at(10))
    replace_facility(subject, scene.owner, scene.facility, slot_minutes=30)
    for text, is_free in ((at(9, 30), True), (at(10), False), (at(10, 30), False), (at(11), True)):
        _expect_free(scene, text, is_free, "beside an hour where slots are of half an hour now")
    hours = {"slot_minutes": 90, "opens": 390, "closes": 1290}
    replace_facility(subject, scene.owner, scene.facility, **hours)
    for text, is_free in ((at(8), True), (at(9, 30), False), (at(11), True)):
        _expect_free(scene, text, is_free, "beside an hour where slots are longer now")


@check("C9", "off the grid, outside the hours and with seconds nothing is available")
def nothing(subject: Subject) -> None:
    scene = new_scene(subject)
    for text in (
        *(at(10, 30), at(10, 1), at(9, 59), "2042-03-01T10:00:01Z", "2042-03-01T10:00:30Z"),
        *("2042-03-01T10:00:00.5Z", "2042-03-01T10:00:00.000001Z", "2042-03-01T09:59:59.999999Z"),
        *(at(5), at(0), at(22), at(23), at(21, 30), at(5, 59), at(21, 1), at(22, 30)),
        *("2042-03-01T12:30:00+02:00", "2042-03-01T10:00:00+05:30", "2042-03-02T00:00:00+02:00"),
        *("2042-03-01T10:00:59Z", "2042-03-01T10:00:00.999Z"),
    ):
        _expect_free(scene, text, False, "which is no slot")
        seeded = [each for each in _available(subject, text, READER) if each <= SEED_FACILITIES]
        expect_equal(seeded, [], f"what of the seed is available at {text}")
    for text in (at(6), at(21), at(10), "2042-03-01T23:00:00+02:00", "2042-03-02T01:30:00+05:30"):
        _expect_free(scene, text, True, "which is a slot")


@check("C9", "the grid begins when a facility opens, and is as wide as its slots")
def grids(subject: Subject) -> None:
    owner = new_owner(subject)
    club = new_club(subject, owner)["id"]
    hours: dict[tuple[int, int, int], tuple[tuple[str, ...], tuple[str, ...]]] = {
        (30, 360, 1320): ((at(6), at(6, 30), at(21, 30)), (at(6, 15), at(5, 30), at(22))),
        (90, 360, 1350): (
            (at(6), at(7, 30), at(21)),
            (at(7), at(8), at(6, 30), at(22, 30), at(21, 30)),
        ),
        (60, 390, 1410): ((at(6, 30), at(7, 30), at(22, 30)), (at(7), at(6), at(22), at(23, 30))),
        (60, 0, 1440): ((at(0), at(12), at(23)), (at(0, 30), at(23, 30))),
        (60, 391, 451): ((at(6, 31),), (at(6), at(7, 31), at(6, 30), at(5, 31))),
        (90, 1350, 1440): ((at(22, 30),), (at(21), at(0), at(23), at(0, day=NEXT_DAY))),
    }
    for (slot_minutes, opens, closes), (free, none) in hours.items():
        made = new_facility(
            subject, owner, club, slot_minutes=slot_minutes, opens=opens, closes=closes
        )
        for text in (*free, *none):
            is_free = made["id"] in _available(subject, text, owner, club)
            what = f"slots of {slot_minutes} minutes from {opens} to {closes}: one at {text}"
            expect(is_free == (text in free), f"{what} is available: {is_free}")


def _available(subject: Subject, text: str, reader: Caller, club: int | None = None) -> list[int]:
    """What is available at an instant, in a club or in all of them."""
    within = "" if club is None else f"&club_id={club}"
    target = f"{FACILITIES}?available=true&at={quote(text, safe='')}{within}"
    return ids(all_pages(subject, target, reader, FACILITY), FACILITY)


def _expect_free(scene: Scene, text: str, is_free: bool, when: str) -> None:
    found = _available(scene.subject, text, scene.player, scene.club)
    wanted = [scene.facility] if is_free else []
    expect_equal(found, wanted, f"what is available at {text} {when}")
