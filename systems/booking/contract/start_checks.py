"""R4 to R6: when a reservation may begin, and what of its members is none."""

from datetime import UTC, datetime, timedelta
from functools import partial

from loadstone.contract import declare
from loadstone.contract.client import Answer
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.subject import Subject

from .lib.instants import at, later, shown
from .lib.pages import all_pages
from .lib.problems import expect_invalid, expect_problem
from .lib.scenes import Scene, new_scene
from .lib.service import MANY_SECONDS, RESERVATIONS, expect_status, post
from .lib.shapes import RESERVATION, object_of
from .lib.tokens import PLAYER, caller
from .lib.wrong_types import NO_INTEGERS, NO_TEXTS

check = partial(declare.check, operation="reserve", seconds=MANY_SECONDS)
quick = partial(declare.check, quick=True, operation="reserve")

NEXT = "2042-03-02"
STARTS_AT = "/starts_at"
NO_INSTANTS = (
    *("", "x", "2042-03-01", "2042-03-01T10:00:00", "2042-03-01 10:00:00Z", "2042-03-01T10:00Z"),
    *(
        "2042-03-01t10:00:00Z",
        "2042-03-01T10:00:00z",
        "2042-03-01T24:00:00Z",
        "2042-03-01T10:60:00Z",
    ),
    *(
        "2042-03-01T10:00:60Z",
        "2042-02-30T10:00:00Z",
        "2042-02-29T10:00:00Z",
        "2042-13-01T10:00:00Z",
    ),
    *(
        "2042-00-01T10:00:00Z",
        "2042-03-00T10:00:00Z",
        "2042-04-31T10:00:00Z",
        "2042-06-30T23:59:60Z",
    ),
    *("2042-03-01T10:00:00+24:00", "2042-03-01T10:00:00-24:00", "2042-03-01T10:00:00+99:00"),
    *("2042-03-01T10:00:00+02:60", "2042-03-01T10:00:00+0200", "2042-03-01T10:00:00+02"),
    *("2042-03-01T10:00:00.Z", "20420301T100000Z", "2042-03-01T10:00:00,5Z", "2042-3-01T10:00:00Z"),
    *(
        "2042-03-01T1:00:00Z",
        "42-03-01T10:00:00Z",
        "2042-03-01T10:00:00Z ",
        " 2042-03-01T10:00:00Z",
    ),
    *(
        "2042-03-01T10:00:00Zx",
        "2042-03-01T10:00:00 Z",
        "2042-03-01T10:00:00Z\n",
        "2042-03-01T10:00:00Z\0",
    ),
    *("2042-03-01T10:00:00Z[UTC]", "2042-03-01T10:00:00+02:00:00", "2042-03-01T10:00:00UTC"),
    *("2042-W10-6T10:00:00Z", "2042-060T10:00:00Z", "1 March 2042 10:00 UTC", "2277367200", "now"),
    *(
        "02042-03-01T10:00:00Z",
        "-2042-03-01T10:00:00Z",
        "+2042-03-01T10:00:00Z",
        "2042-03-01T-1:00:00Z",
    ),
    *("\u0662\u0660\u0664\u0662-03-01T10:00:00Z", "2042-03-01T10:00:00\u221202:00"),
    *(
        "2042-03-01T10:00:00+2:00",
        "2042-03-01T10:00Z:00",
        "2042-03-01T+1:00:00Z",
        "2042-03-01T10:0:00Z",
    ),
)
"""Not of RFC 3339, or not in the calendar; some have Arabic digits, and a sign of minus."""
NOT_IN_THE_CALENDAR = (
    *(
        "2042-02-30T10:00:00Z",
        "2042-02-29T10:00:00Z",
        "2042-04-31T10:00:00Z",
        "2042-03-01T24:00:00Z",
    ),
    *("2042-13-01T10:00:00Z", "2042-06-30T23:59:60Z", "2042-03-01T10:00:00+24:00"),
)
OUT_OF_RANGE = (
    *(
        "2019-12-31T23:59:59Z",
        "2100-01-01T00:00:00Z",
        "1999-03-01T10:00:00Z",
        "9999-12-31T23:00:00Z",
    ),
    *("0001-01-01T00:00:00Z", "2020-01-01T00:00:00+00:01", "2099-12-31T23:59:59-00:01"),
    *("2020-01-01T01:30:00+02:00", "2099-12-31T22:00:00-02:00", "1969-12-31T23:59:59Z"),
)
"""By the instant in UTC."""
PAST = (
    *("2020-01-01T00:00:00Z", "2019-12-31T23:30:00-01:00", "2021-05-05T10:00:00Z"),
    *("2024-02-29T06:00:00Z", "2023-06-30T10:30:01.5Z"),
)


@quick("R5", "members that are missing, and slots of 0, are 422")
def quick_members(subject: Subject) -> None:
    player = caller(9_999_999_999_999_999, PLAYER)
    answer = post(subject, RESERVATIONS, player, {})
    expect_invalid(answer, ("/facility_id", "required"), (STARTS_AT, "required"))
    body = {"facility_id": 1, "starts_at": at(10), "slots": 0}
    expect_invalid(post(subject, RESERVATIONS, player, body), ("/slots", "range"))


@check("R4", "a start off the grid, or outside the hours of its day, is 422")
def off_the_grid(subject: Subject) -> None:
    scene = new_scene(subject)
    not_aligned = (
        *((at(10, 30), 1), (at(10, 1), 1), (at(9, 59), 1), (at(6, 30), 1), (at(20, 30), 1)),
        *(("2042-03-01T10:00:01Z", 1), ("2042-03-01T10:00:30Z", 4), ("2042-03-01T10:59:59Z", 1)),
        *(("2042-03-01T10:00:00.5Z", 1), ("2042-03-01T10:00:00.001Z", 1), (at(17, 59), 4)),
        *(("2042-03-01T10:00:00.000000001Z", 1), ("2042-03-01T10:00:00.000001Z", 1)),
        *(
            ("2042-03-01T12:30:00+02:00", 1),
            ("2042-03-01T15:00:00+05:45", 1),
            ("2042-03-01T06:00:01Z", 1),
        ),
    )
    outside = (
        *((at(5), 1), (at(0), 1), (at(5, 30), 1), (at(5, 59), 4), (at(22), 1), (at(23), 1)),
        *((at(21), 2), (at(19), 4), (at(20), 3), (at(21, 30), 1), (at(22, 30), 1), (at(23, 59), 1)),
        *((at(23), 4), ("2042-03-01T07:00:00+02:00", 1), ("2042-03-02T00:00:00+02:00", 1)),
        *(("2042-03-01T05:59:59Z", 1), ("2042-03-01T21:00:01Z", 1), (at(19, 30), 3), (at(3), 4)),
    )
    for wrong, code in ((not_aligned, "not-aligned"), (outside, "outside-hours")):
        for starts_at, slots in wrong:
            answer = scene.reserve(starts_at, slots)
            expect_invalid(answer, (STARTS_AT, code), when=f"of {slots} slots from {starts_at} on")
    # More digits than clocks have: whether that is an instant is open, and that it is no slot is not.
    tiny = scene.reserve("2042-03-01T10:00:00.0000000001Z")
    expect_status(tiny, 422, "a start less than a nanosecond behind a slot's")
    _expect_none(scene)
    for starts_at, slots in ((at(6), 4), (at(18), 4), (at(17), 1)):
        scene.reserved(starts_at, slots)


@check("R4", "the grid begins when the facility opens")
def grids(subject: Subject) -> None:
    late = new_scene(subject, opens=390, closes=1410)
    for starts_at in (at(7), at(22), at(10)):
        expect_invalid(late.reserve(starts_at), (STARTS_AT, "not-aligned"))
    expect_invalid(late.reserve(at(6)), (STARTS_AT, "outside-hours"))
    expect_invalid(late.reserve(at(22, 30), 2), (STARTS_AT, "outside-hours"))
    expect_invalid(late.reserve(at(23)), (STARTS_AT, "outside-hours"))
    late.reserved(at(6, 30))
    late.reserved(at(22, 30))
    wide = new_scene(subject, slot_minutes=90, opens=360, closes=1350)
    for starts_at in (at(7), at(6, 30), at(8, 30)):
        expect_invalid(wide.reserve(starts_at), (STARTS_AT, "not-aligned"))
    expect_invalid(wide.reserve(at(22, 30)), (STARTS_AT, "outside-hours"))
    expect_invalid(wide.reserve(at(21), 2), (STARTS_AT, "outside-hours"))
    wide.reserved(at(7, 30))
    wide.reserved(at(19, 30), 2)


@check("R4", "a reservation does not go on behind midnight")
def over_midnight(subject: Subject) -> None:
    scene = new_scene(subject, opens=0, closes=1440)
    for hour, slots in ((23, 2), (22, 3), (21, 4), (23, 4)):
        answer = scene.reserve(at(hour), slots)
        expect_invalid(answer, (STARTS_AT, "outside-hours"), when=f"of {slots} from {hour} on")
    expect_invalid(scene.reserve(at(23, 30)), (STARTS_AT, "outside-hours"))
    scene.reserved(at(23))
    scene.reserved(at(0, day=NEXT), 4)
    # The day is that of UTC, whatever the offset says.
    scene.reserved("2042-03-03T01:00:00+03:00", 2)
    scene.reserved("2042-03-04T19:00:00-05:00")


@check("R4", "a start that is past is 422, before the facility is looked at")
def past(subject: Subject) -> None:
    scene = new_scene(subject)
    now = datetime.now(UTC)
    just_now = (shown(now - timedelta(seconds=2)), shown(now - timedelta(minutes=5)))
    for starts_at in (*PAST, *just_now, shown(now - timedelta(days=1))):
        for facility in (scene.facility, 999_999_999):
            body = {"facility_id": facility, "starts_at": starts_at}
            answer = post(subject, RESERVATIONS, scene.player, body)
            expect_invalid(answer, (STARTS_AT, "in-past"), when=f"of {starts_at}")
    body = {"facility_id": "x", "starts_at": PAST[0], "slots": 9}
    answer = post(subject, RESERVATIONS, scene.player, body)
    expect_invalid(answer, ("/facility_id", "type"), (STARTS_AT, "in-past"), ("/slots", "range"))
    # What is to come soon is not past; whether it is on the grid is another question.
    soon = shown(now + timedelta(minutes=5))
    is_past = b"in-past" in scene.reserve(soon).body
    expect(not is_past, f"{soon}, which is to come, is said to be past")


@check("R4", "a start is in the calendar, and of the years from 2020 to 2099 in UTC")
def years(subject: Subject) -> None:
    scene = new_scene(subject, opens=0, closes=1440)
    for starts_at in NOT_IN_THE_CALENDAR:
        expect_invalid(scene.reserve(starts_at), (STARTS_AT, "format"), when=f"of {starts_at}")
    for starts_at in OUT_OF_RANGE:
        answer = scene.reserve(starts_at)
        expect_invalid(answer, (STARTS_AT, "range"), when=f"of {starts_at}")
    scene.reserved("2099-12-31T23:00:00Z")
    scene.reserved("2100-01-01T00:00:00+02:00")
    scene.reserved("2099-12-31T18:00:00-03:00")


@check("R5", "slots that are none are 422")
def slots(subject: Subject) -> None:
    scene = new_scene(subject)
    for value in (0, 5, -1, 100, 1 << 31, (1 << 32) + 1, 256 + 1, 65_536 + 1):
        expect_invalid(_reserve(scene, slots=value), ("/slots", "range"), when=f"of {value} slots")
    for wrong in NO_INTEGERS:
        expect_invalid(_reserve(scene, slots=wrong), ("/slots", "type"), when=f"of slots {wrong!r}")
    _expect_none(scene)


@check("R5", "slots that are missing, or null, are one")
def slots_by_default(subject: Subject) -> None:
    scene = new_scene(subject)
    missing = {"facility_id": scene.facility, "starts_at": at(10)}
    for body in (missing, {**missing, "starts_at": at(12), "slots": None}):
        answer = post(subject, RESERVATIONS, scene.player, body)
        ends_at = later(str(body["starts_at"]), 60)
        wanted = {"ends_at": ends_at, "price_cents": scene.price}
        object_of(answer, 201, RESERVATION, "a reservation without slots", **wanted)


@check("R5", "other members that are none are 422, each with its pointer and code")
def other_members(subject: Subject) -> None:
    scene = new_scene(subject)
    for value in (0, -1, -(1 << 40)):
        answer = _reserve(scene, facility_id=value)
        expect_invalid(answer, ("/facility_id", "range"), when=f"of facility {value}")
    for wrong in (*NO_INTEGERS, str(scene.facility), scene.facility + 0.5):
        answer = _reserve(scene, facility_id=wrong)
        expect_invalid(answer, ("/facility_id", "type"), when=f"of facility {wrong!r}")
    for text in NO_INSTANTS:
        answer = _reserve(scene, starts_at=text)
        expect_invalid(answer, (STARTS_AT, "format"), when=f"of {text!r}")
    for wrong in (*NO_TEXTS, 2_277_367_200):
        expect_invalid(_reserve(scene, starts_at=wrong), (STARTS_AT, "type"), when=f"of {wrong!r}")
    for name in ("facility_id", "starts_at"):
        expect_invalid(_reserve(scene, **{name: None}), (f"/{name}", "required"))
    _expect_none(scene)


@check("R5", "the first fault of each member is told, in the order of the members")
def order_of_faults(subject: Subject) -> None:
    scene = new_scene(subject)
    required = (("/facility_id", "required"), (STARTS_AT, "required"))
    expect_invalid(post(subject, RESERVATIONS, scene.player, {}), *required)
    body = {"slots": "x", "starts_at": "x", "facility_id": 0}
    answer = post(subject, RESERVATIONS, scene.player, body)
    faults = (("/facility_id", "range"), (STARTS_AT, "format"), ("/slots", "type"))
    expect_invalid(answer, *faults)
    body = {"slots": 5, "starts_at": "2100-01-01T00:00:00Z"}
    answer = post(subject, RESERVATIONS, scene.player, body)
    faults = (("/facility_id", "required"), (STARTS_AT, "range"), ("/slots", "range"))
    expect_invalid(answer, *faults)


@check("R6", "a start of any offset is shown in UTC, and is the same slot")
def offsets(subject: Subject) -> None:
    scene = new_scene(subject, opens=0, closes=1440)
    texts = {
        "2042-03-01T12:00:00+02:00": at(10),
        "2042-03-01T04:30:00-05:30": at(10),
        "2042-03-02T01:00:00+05:00": at(20),
        "2042-02-28T23:00:00-01:00": at(0),
        "2042-03-01T11:00:00+00:00": at(11),
        "2042-03-01T12:00:00-00:00": at(12),
        "2042-03-02T12:59:00+23:59": at(13),
        "2042-02-28T14:01:00-23:59": at(14),
    }
    made: dict[str, int] = {}
    for text, utc in texts.items():
        if utc in made:
            expect_problem(scene.reserve(text), "slot-taken", f"of {text}")
            continue
        found = scene.reserved(text)
        made[utc] = found["id"]
        expect_equal(found["starts_at"], utc, f"starts_at of {text}")
        expect_equal(scene.now(found["id"])["starts_at"], utc, f"starts_at of {text}, read back")
        expect_problem(scene.reserve(utc), "slot-taken", f"of {utc}, which is {text},")
        expect_problem(scene.reserve(text), "slot-taken", f"of {text} again")


def _reserve(scene: Scene, **changes: object) -> Answer:
    body = {"facility_id": scene.facility, "starts_at": at(10), **changes}
    return post(scene.subject, RESERVATIONS, scene.player, body)


def _expect_none(scene: Scene) -> None:
    """Expect that nothing of what was refused is there."""
    there = all_pages(scene.subject, RESERVATIONS, scene.owner, RESERVATION)
    expect_equal(there, [], "the reservations that are there")
