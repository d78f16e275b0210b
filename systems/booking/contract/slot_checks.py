"""R9: the slots of a day."""

from functools import partial

from loadstone.contract import declare
from loadstone.contract.expect import expect_equal
from loadstone.contract.subject import Subject

from .lib.accounts import new_owner, new_player
from .lib.clubs import facility_path, new_club, new_facility, replace_facility, retire_facility
from .lib.instants import DAY, NEXT_DAY, at, later
from .lib.problems import expect_problem
from .lib.scenes import new_scene
from .lib.seed import reservations
from .lib.service import MANY_SECONDS, get
from .lib.slots import slot, slots_of
from .lib.tokens import PLAYER, caller

check = partial(declare.check, operation="list-slots", seconds=MANY_SECONDS)

MIDNIGHT = "2042-03-02T00:00:00Z"


@check("R9", "each slot of the day is shown in order, of any hours")
def every_slot(subject: Subject) -> None:
    owner, reader = new_owner(subject), new_player(subject)
    club = new_club(subject, owner)["id"]
    for slot_minutes, opens, closes in (
        *((60, 360, 1320), (30, 0, 1440), (90, 360, 1350), (60, 391, 451), (30, 1410, 1440)),
        *((90, 0, 1440), (60, 1380, 1440), (30, 5, 1415)),
    ):
        hours = {"slot_minutes": slot_minutes, "opens": opens, "closes": closes}
        facility = new_facility(subject, owner, club, **hours)["id"]
        starts = [later(at(0), each) for each in range(opens, closes, slot_minutes)]
        wanted = [slot(each, slot_minutes, True) for each in starts]
        expect_equal(slots_of(subject, facility, reader), wanted, f"the slots of {hours}")


@check("R9", "a slot is taken by a reservation, and free once that is rejected or cancelled")
def taken_and_free(subject: Subject) -> None:
    scene = new_scene(subject)
    for decisions in (("reject",), ("cancel",), ("accept", "cancel")):
        made = scene.reserved(at(10), 2)
        for decision in (None, *decisions):
            if decision is not None:
                scene.decided(made["id"], decision)
            is_free = decision in ("reject", "cancel")
            taken = set() if is_free else {at(10), at(11)}
            for asking in (scene.player, scene.owner, new_player(subject)):
                found = slots_of(subject, scene.facility, asking)
                shown = {each["starts_at"] for each in found if not each["available"]}
                expect_equal(shown, taken, f"the slots that are taken after {decision}")
            found = slots_of(subject, scene.facility, scene.player, NEXT_DAY)
            expect_equal({each["available"] for each in found}, {True}, "those of the next day")


@check("R9", "reservations of other days and facilities take nothing")
def others(subject: Subject) -> None:
    scene = new_scene(subject, opens=0, closes=1440)
    beside = new_facility(subject, scene.owner, scene.club)["id"]
    scene.reserved(at(23))
    scene.reserved(at(0, day=NEXT_DAY))
    found = slots_of(subject, scene.facility, scene.player)
    expect_equal(found[-1:], [{**slot(at(23), 60, False), "ends_at": MIDNIGHT}], "the last slot")
    taken = [each["starts_at"] for each in found if not each["available"]]
    expect_equal(taken, [at(23)], "the slots that are taken")
    found = slots_of(subject, scene.facility, scene.player, NEXT_DAY)
    taken = [each["starts_at"] for each in found if not each["available"]]
    expect_equal(taken, [at(0, day=NEXT_DAY)], "the slots that are taken on the next day")
    found = slots_of(subject, beside, scene.player)
    expect_equal({each["available"] for each in found}, {True}, "those of another facility")


@check("R9", "a reservation takes each slot that it is in, of whatever hours it was made")
def other_hours(subject: Subject) -> None:
    scene = new_scene(subject)
    scene.reserved(at(10))
    hours = {"slot_minutes": 90, "opens": 390, "closes": 1290}
    replace_facility(subject, scene.owner, scene.facility, **hours)
    found = slots_of(subject, scene.facility, scene.player)
    taken = [each["starts_at"] for each in found if not each["available"]]
    # From 10:00 to 11:00 it is in the second half of one slot, and touches none beside it.
    expect_equal(taken, [at(9, 30)], "the slots that are taken")
    expect_equal(len(found), 10, "the number of slots")


@check("R9", "days that are past and days of the seed are shown, of a retired facility as taken")
def other_days(subject: Subject) -> None:
    scene = new_scene(subject)
    for day in ("2020-01-01", "2024-02-29", "2099-12-31"):
        wanted = [slot(at(hour, day=day), 60, True) for hour in range(6, 22)]
        expect_equal(slots_of(subject, scene.facility, scene.player, day), wanted, f"{day}")
    reader = caller(11, PLAYER)
    for facility, day in ((72, "2040-03-31"), (1, "2040-03-01"), (100, "2040-04-29")):
        taken = {
            each.starts_at for each in reservations() if each.facility == facility and each.is_live
        }
        wanted = [
            slot(at(hour, day=day), 60, at(hour, day=day) not in taken) for hour in range(6, 22)
        ]
        found = slots_of(subject, facility, reader, day)
        expect_equal(found, wanted, f"the slots of facility {facility} of the seed on {day}")
    retire_facility(subject, scene.owner, scene.facility)
    found = slots_of(subject, scene.facility, scene.player)
    wanted = [slot(at(hour), 60, False) for hour in range(6, 22)]
    expect_equal(found, wanted, "the slots of a retired facility")


@check("R9", "the slots of an unknown facility are 404")
def unknown_facility(subject: Subject) -> None:
    for number in (999_999_999, 9_999_999_999_999_999):
        target = f"{facility_path(number)}/slots?date={DAY}"
        answer = get(subject, target, caller(11, PLAYER))
        expect_problem(answer, "not-found", f"of facility {number}")
