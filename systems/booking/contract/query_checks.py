"""C7, and what else of a query is looked at."""

from functools import partial
from urllib.parse import quote

from loadstone.contract import declare
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.subject import Subject

from .lib.accounts import new_owner
from .lib.clubs import facility_path
from .lib.instants import at
from .lib.problems import expect_problem
from .lib.scenes import new_scene
from .lib.service import CLUBS, FACILITIES, MANY_SECONDS, RESERVATIONS, get
from .lib.shapes import FACILITY, page_of, value_of
from .lib.slots import slots_of
from .lib.tokens import OWNER, PLAYER, caller

check = partial(declare.check, seconds=MANY_SECONDS)
quick = partial(declare.check, quick=True)

READER = caller(1, OWNER)

NO_INSTANTS = (
    *("", "x", "2040-03-10", "2040-03-10T10:00:00", "2040-03-10 10:00:00Z", "2040-03-10T10:00Z"),
    *(
        "2040-03-10t10:00:00Z",
        "2040-03-10T10:00:00z",
        "2040-03-10T24:00:00Z",
        "2040-03-10T10:60:00Z",
    ),
    *(
        "2040-03-10T10:00:60Z",
        "2040-02-30T10:00:00Z",
        "2041-02-29T10:00:00Z",
        "2040-13-01T10:00:00Z",
    ),
    *(
        "2040-00-10T10:00:00Z",
        "2040-03-00T10:00:00Z",
        "2040-04-31T10:00:00Z",
        "2016-12-31T23:59:60Z",
    ),
    *("2040-03-10T10:00:00+24:00", "2040-03-10T10:00:00-24:00", "2040-03-10T10:00:00+02:60"),
    *(
        "2040-03-10T10:00:00+0200",
        "2040-03-10T10:00:00+02",
        "2040-03-10T10:00:00.Z",
        "20400310T100000Z",
    ),
    *("2040-03-10T10:00:00,5Z", "2040-3-10T10:00:00Z", "2040-03-10T1:00:00Z", "40-03-10T10:00:00Z"),
    *(
        "2040-03-10T10:00:00Zx",
        "x2040-03-10T10:00:00Z",
        "2040-03-10T10:00:00 Z",
        "2215072800",
        "now",
    ),
    *("2040-03-10T10:00:00Z[UTC]", "2040-03-10T10:00:00+02:00:00", "2040-03-10T-1:00:00Z"),
    *(
        "2040-03-10T10:00:00UTC",
        "2040-W10-6T10:00:00Z",
        "2040-070T10:00:00Z",
        "2040-03-10T10:00:00Z\n",
    ),
    *(
        "\u0662\u0660\u0664\u0660-03-10T10:00:00Z",
        "2040-03-10T10:00:00\u221202:00",
        "2040-03-10T10:00:00Z\0",
    ),
)
"""Not of RFC 3339, or not in the calendar; the last but one have Arabic digits and a sign of minus."""
INSTANTS = (
    *("2040-03-10T10:00:00Z", "2040-03-10T12:00:00+02:00", "2040-03-10T10:00:00.000Z"),
    *("2040-03-10T04:30:00-05:30", "2040-03-10T10:00:00+00:00", "2040-03-10T10:00:00-00:00"),
    *("2040-03-11T09:59:00+23:59", "2040-03-10T10:00:00.000000000Z", "2040-03-09T10:01:00-23:59"),
)
"""All the same one."""
NO_TRUTHS = (
    "",
    "TRUE",
    "True",
    "yes",
    "1",
    "0",
    "on",
    "t",
    "null",
    "true,false",
    "true%20",
    "%20true",
)
NO_IDS = (
    "",
    "0",
    "01",
    "x",
    "-1",
    "%2B1",
    "1.0",
    "1e1",
    "12345678901234567",
    "%201",
    "1%20",
    "null",
)
NO_SPORTS = ("", "Tennis", "TENNIS", "chess", "tennis,padel", "tennis%20", "%00", "*")
NO_CITIES = ("", "c" * 101, quote("é") * 101, "a%00b", "%00")
NO_PARTS = ("", "q" * 51, quote("é") * 51, "a%00", "%00")
NO_STATES = ("", "Pending", "open", "PENDING", "pending,accepted", "canceled", "%00", "null")
NO_DATES = (
    *("", "x", "2042-3-1", "2042-02-30", "2041-02-29", "2042-13-01", "2042-00-01", "2042-04-31"),
    *(
        "20420301",
        "2042-03-01T00:00:00Z",
        "2042/03/01",
        "01-03-2042",
        "2042-03",
        "2042-060",
        "today",
    ),
    *("2019-12-31", "2100-01-01", "1999-03-01", "12042-03-01", "-2042-03-01", "2042-03-01%20"),
    *(
        "%202042-03-01",
        "2042-03-01%0A",
        "%D9%A2042-03-01",
        "2042-03-32",
        "0000-01-01",
        "2042-03-01Z",
    ),
)
DATES = ("2020-01-01", "2099-12-31", "2040-02-29", "2042-03-01")


@quick("C7", "available without at, and a value that is none, are 400")
def no_instant(subject: Subject) -> None:
    for query in ("available=true", "available=yes", "sport=chess"):
        _expect_malformed(subject, f"{FACILITIES}?{query}")


@check("C7", "every value of a parameter of facilities that is none is 400")
def parameters_of_facilities(subject: Subject) -> None:
    good = f"at={quote(INSTANTS[0], safe='')}"
    wrong = [
        *("available=true", "available=true&at=", "at=x", "available=false&at=x"),
        *(f"available={text}&{good}" for text in NO_TRUTHS),
        *(
            f"{prefix}at={quote(text, safe='')}"
            for text in NO_INSTANTS
            for prefix in ("", "available=true&")
        ),
        *(f"sport={text}" for text in NO_SPORTS),
        *(f"city={text}" for text in NO_CITIES),
        *(f"club_id={text}" for text in NO_IDS),
        # A plus is a space, so this is no offset.
        "available=true&at=2040-03-10T12:00:00+02:00",
        f"available=true&{good}&sport=tennis&club_id=1&city=",
    ]
    for query in wrong:
        _expect_malformed(subject, f"{FACILITIES}?{query}")


@check("C7", "every value of a parameter of clubs and reservations that is none is 400")
def parameters_of_other_lists(subject: Subject) -> None:
    wrong = [
        *(f"{CLUBS}?mine={text}" for text in NO_TRUTHS),
        *(f"{CLUBS}?city={text}" for text in NO_CITIES),
        *(f"{CLUBS}?q={text}" for text in NO_PARTS),
        *(f"{RESERVATIONS}?facility_id={text}" for text in NO_IDS),
        *(f"{RESERVATIONS}?status={text}" for text in NO_STATES),
        f"{CLUBS}?mine=true&city=a&q=",
        f"{RESERVATIONS}?status=pending&facility_id=x",
    ]
    for target in wrong:
        _expect_malformed(subject, target)
    for target in (f"{RESERVATIONS}?status=open", f"{RESERVATIONS}?facility_id=0"):
        answer = get(subject, target, caller(11, PLAYER))
        expect_problem(answer, "malformed", f"of a player's {target}")


@check("C7", "list-slots needs a date of 2020 to 2099 that is in the calendar")
def dates(subject: Subject) -> None:
    scene = new_scene(subject)
    path = f"{facility_path(scene.facility)}/slots"
    for query in (
        "",
        "?",
        "?day=2042-03-01",
        "?Date=2042-03-01",
        *(f"?date={text}" for text in NO_DATES),
    ):
        answer = get(subject, f"{path}{query}", scene.player)
        expect_problem(answer, "malformed", f"of slots{query}")
    for text in DATES:
        shown = slots_of(subject, scene.facility, scene.player, text)
        more = get(subject, f"{path}?x=1&date={text}", scene.player)
        wanted = {"date": text, "slots": shown}
        expect_equal(value_of(more, 200, "the slots"), wanted, "slots with another parameter")


@check("C7", "an instant may have any offset, and is ignored unless it is asked what is available")
def instants(subject: Subject) -> None:
    scene = new_scene(subject)
    scene.reserved(at(10))
    whole = get(subject, f"{FACILITIES}?club_id={scene.club}", scene.player)
    found = page_of(whole, FACILITY, "the facilities of a club").items
    expect_equal([each["id"] for each in found], [scene.facility], "the facilities of a club")
    for text in (at(10), at(23), at(10, 30), "2001-01-01T10:00:00Z", "2150-01-01T10:00:00Z"):
        for query in (f"at={text}", f"available=false&at={text}", "available=false"):
            answer = get(subject, f"{FACILITIES}?club_id={scene.club}&{query}", scene.player)
            expect_equal(answer.body, whole.body, f"what {query} lists")
    for text in INSTANTS:
        query = f"available=true&club_id={scene.club}&at={quote(text, safe='')}"
        answer = get(subject, f"{FACILITIES}?{query}", scene.player)
        expect_equal(answer.body, whole.body, f"what is available at {text}")


@check("C7", "an escape in a query is its character, and a broken one is 400 or kept")
def escapes(subject: Subject) -> None:
    owner = new_owner(subject)
    whole = get(subject, f"{FACILITIES}?sport=tennis&limit=3", owner)
    for query in ("sport=%74ennis&limit=3", "%73port=tennis&limit=%33", "limit=3&&sport=tennis&"):
        answer = get(subject, f"{FACILITIES}?{query}", owner)
        expect_equal(answer.body, whole.body, f"what {query} lists")
    for text in ("%", "%4", "%zz", "a%", "%C3", "%FF", "%C0%AF", "%ED%A0%80"):
        for target in (f"{CLUBS}?city={text}", f"{CLUBS}?q={text}", f"{FACILITIES}?city={text}"):
            status = get(subject, target, owner).status
            expect(status in (200, 400), f"the status of {target} is {status}")


def _expect_malformed(subject: Subject, target: str) -> None:
    expect_problem(get(subject, target, READER), "malformed", f"of {target[:80]}")
