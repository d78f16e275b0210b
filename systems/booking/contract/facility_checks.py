"""C1, C5, C6, C10 and C11: facilities made, replaced, retired and filtered."""

from functools import partial
from secrets import token_hex
from typing import Any
from urllib.parse import quote

from loadstone.contract import declare
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.subject import Subject

from .lib.accounts import new_owner, new_player
from .lib.clubs import (
    add_facility,
    club_facilities_path,
    facility_body,
    facility_path,
    get_facility,
    new_club,
    new_facility,
    replace_facility,
    retire_facility,
)
from .lib.instants import at, expect_now
from .lib.pages import all_pages, ids
from .lib.problems import expect_invalid, expect_problem
from .lib.scenes import new_scene
from .lib.seed import FACILITIES as SEED_FACILITIES
from .lib.seed import club_of, price_of
from .lib.service import FACILITIES, MANY_SECONDS, get, post, put
from .lib.shapes import FACILITY, SPORTS, object_of, value_of
from .lib.slots import slots_of
from .lib.tokens import OWNER, Caller, caller

check = partial(declare.check, seconds=MANY_SECONDS)

NAMES = ("name", "sport", "slot_minutes", "opens", "closes", "price_cents")
HOURS: tuple[dict[str, object], ...] = (
    {"slot_minutes": 30, "opens": 0, "closes": 1440},
    {"slot_minutes": 60, "opens": 0, "closes": 60},
    {"slot_minutes": 90, "opens": 1350, "closes": 1440},
    {"slot_minutes": 30, "opens": 391, "closes": 421},
    {"slot_minutes": 90, "opens": 5, "closes": 455},
    {"slot_minutes": 60, "opens": 1380, "closes": 1440},
)
WRONG: dict[str, tuple[tuple[object, str], ...]] = {
    "name": (("", "too-short"), ("é" * 101, "too-long"), ("\0", "format"), (5, "type")),
    "sport": (
        *(("Tennis", "unknown-value"), ("", "unknown-value"), ("chess", "unknown-value")),
        *(("tennis ", "unknown-value"), (5, "type"), (True, "type"), ([], "type")),
        (["tennis"], "type"),
    ),
    "slot_minutes": (
        *((45, "unknown-value"), (0, "unknown-value"), (-30, "unknown-value")),
        *((120, "unknown-value"), (15, "unknown-value"), (29, "unknown-value")),
        *(("60", "type"), (60.5, "type"), (True, "type"), ([60], "type"), ({}, "type")),
    ),
    "opens": (
        *((-1, "range"), (1441, "range"), (-1440, "range"), (65_536, "range"), (1 << 32, "range")),
        *(("360", "type"), (360.5, "type"), (True, "type"), (False, "type"), ([], "type")),
    ),
    "closes": (
        *((-1, "range"), (1441, "range"), (1_000_000, "range"), ((1 << 32) + 1320, "range")),
        *(("1320", "type"), (1319.5, "type"), (False, "type"), ({}, "type")),
    ),
    "price_cents": (
        *((-1, "range"), (1_000_001, "range"), (1 << 31, "range"), ((1 << 32) + 5, "range")),
        *(("1500", "type"), (0.5, "type"), (True, "type"), ([], "type")),
    ),
}
HOURS_THAT_ARE_NONE: tuple[tuple[dict[str, object], tuple[tuple[str, str], ...]], ...] = (
    ({"opens": 600, "closes": 540}, (("/closes", "range"),)),
    ({"opens": 600, "closes": 600}, (("/closes", "range"),)),
    ({"opens": 1440, "closes": 1440}, (("/closes", "range"),)),
    ({"opens": 1440, "closes": 0}, (("/closes", "range"),)),
    ({"opens": 360, "closes": 390}, (("/closes", "not-aligned"),)),
    ({"opens": 360, "closes": 361}, (("/closes", "not-aligned"),)),
    ({"opens": 359, "closes": 1320}, (("/closes", "not-aligned"),)),
    ({"slot_minutes": 90, "opens": 360, "closes": 1321}, (("/closes", "not-aligned"),)),
    ({"slot_minutes": 90, "opens": 360, "closes": 420}, (("/closes", "not-aligned"),)),
    ({"slot_minutes": 30, "opens": 0, "closes": 1439}, (("/closes", "not-aligned"),)),
    # One that has a fault of its own says nothing of the others.
    ({"slot_minutes": 45, "opens": 600, "closes": 540}, (("/slot_minutes", "unknown-value"),)),
    ({"opens": -1, "closes": 361}, (("/opens", "range"),)),
    ({"opens": "6", "closes": 361}, (("/opens", "type"),)),
    ({"opens": 600, "closes": 1441}, (("/closes", "range"),)),
    ({"opens": 600, "closes": None}, (("/closes", "required"),)),
    ({"name": "", "opens": 600, "closes": 1}, (("/name", "too-short"), ("/closes", "range"))),
    (
        {"sport": "x", "closes": 361, "price_cents": -1},
        (("/sport", "unknown-value"), ("/closes", "not-aligned"), ("/price_cents", "range")),
    ),
)


@check("C1", "a facility that was added is 201 with its place, and read back equal")
def adds(subject: Subject) -> None:
    owner, reader = new_owner(subject), new_player(subject)
    club = new_club(subject, owner)["id"]
    edges: tuple[dict[str, object], ...] = (
        *({"name": "n" * 100, "price_cents": 1_000_000}, {"name": "x", "price_cents": 0}),
    )
    sports: list[dict[str, object]] = [{"sport": sport} for sport in SPORTS]
    for changes in (*HOURS, *edges, *sports):
        body = facility_body(**changes)
        answer = post(subject, club_facilities_path(club), owner, body)
        wanted = {**body, "club_id": club, "retired": False}
        found = object_of(answer, 201, FACILITY, "a facility", **wanted)
        expect_now(found["created_at"], "created_at of a facility")
        place = answer.value("location") or ""
        expect_equal(place, facility_path(found["id"]), "Location")
        for asking in (owner, reader):
            read = get(subject, place, asking)
            expect_equal(value_of(read, 200, "the facility"), found, "the facility, read back")


@check("C1", "the facilities of the seed are as its rules say")
def seeded(subject: Subject) -> None:
    reader = caller(1, OWNER)
    for number in (1, 21, 50, 99, SEED_FACILITIES):
        found = get_facility(subject, reader, number)
        wanted = (club_of(number), 60, 360, 1320, price_of(number), False)
        names = ("club_id", "slot_minutes", "opens", "closes", "price_cents", "retired")
        expect_equal(tuple(found[name] for name in names), wanted, f"facility {number}")
    for number in (999_999_999, 9_999_999_999_999_999):
        answer = get(subject, facility_path(number), reader)
        expect_problem(answer, "not-found", f"of facility {number}")


@check("C5", "each member that is missing or wrong is 422, with its pointer and code")
def wrong_members(subject: Subject) -> None:
    scene = new_scene(subject)
    before = get_facility(subject, scene.owner, scene.facility)
    added, replaced = club_facilities_path(scene.club), facility_path(scene.facility)
    for write in (partial(post, subject, added), partial(put, subject, replaced)):
        for name in NAMES:
            body = facility_body()
            del body[name]
            expect_invalid(write(scene.owner, body), (f"/{name}", "required"))
            for value, code in (*WRONG[name], (None, "required")):
                answer = write(scene.owner, facility_body(**{name: value}))
                expect_invalid(answer, (f"/{name}", code), when=f"of {name} {value!r}")
        faults = [(f"/{name}", "required") for name in NAMES]
        expect_invalid(write(scene.owner, {}), *faults)
        wrong = {name: WRONG[name][-1][0] for name in reversed(NAMES)}
        faults = [(f"/{name}", WRONG[name][-1][1]) for name in NAMES]
        expect_invalid(write(scene.owner, wrong), *faults)
    after = get_facility(subject, scene.owner, scene.facility)
    expect_equal(after, before, "the facility behind it")


@check("C5", "hours that are no whole slots, or none at all, are 422")
def wrong_hours(subject: Subject) -> None:
    scene = new_scene(subject)
    for changes, faults in HOURS_THAT_ARE_NONE:
        for answer in (
            add_facility(subject, scene.owner, scene.club, **changes),
            replace_facility(subject, scene.owner, scene.facility, **changes),
        ):
            expect_invalid(answer, *faults, when=f"of {changes}")


@check("C6", "to retire is 204 again and again; then it is not listed, and takes no reservation")
def retires(subject: Subject) -> None:
    scene = new_scene(subject)
    owner, facility = scene.owner, scene.facility
    beside = new_facility(subject, owner, scene.club)["id"]
    known = scene.reserved(at(10))
    before = get_facility(subject, scene.player, facility)
    for _ in range(3):
        answer = retire_facility(subject, owner, facility)
        expect_equal((answer.status, answer.body), (204, b""), "status and body of a retirement")
        found = get_facility(subject, scene.player, facility)
        expect_equal(found, {**before, "retired": True}, "the facility behind it")
    for query in ("", f"&available=true&at={at(12)}", "&sport=tennis", "&available=false"):
        found_ids = _ids(subject, f"club_id={scene.club}{query}", owner)
        expect_equal(found_ids, [beside], f"the facilities of the club, with {query}")
    expect(facility not in _ids(subject, "", owner), "a retired facility is listed")
    for starts_at in (at(12), at(10)):
        expect_problem(scene.reserve(starts_at), "facility-retired", f"at {starts_at}")
    slots = slots_of(subject, facility, owner)
    expect_equal([each["available"] for each in slots], [False] * 16, "what is available")
    # What is there stays, and goes on.
    expect_equal(scene.now(known["id"]), known, "a reservation of it")
    scene.decided(known["id"], "accept")
    scene.rated(known["id"], 4)
    answer = replace_facility(subject, owner, facility, name="Renamed")
    object_of(answer, 200, FACILITY, "a retired facility, replaced", name="Renamed", retired=True)
    answer = retire_facility(subject, owner, facility)
    expect_equal(answer.status, 204, "the status of a retirement behind it")


@check("C10", "replace-facility is 200, and read back equal")
def replaces(subject: Subject) -> None:
    scene = new_scene(subject)
    beside = new_facility(subject, scene.owner, scene.club)
    before = get_facility(subject, scene.owner, scene.facility)
    edges: list[dict[str, object]] = [{"price_cents": 0}, {"price_cents": 1_000_000}]
    edges += [{"name": "n" * 100}, {"name": "x"}]
    sports: list[dict[str, object]] = [{"sport": sport} for sport in SPORTS]
    for changes in (*HOURS, *edges, *sports):
        body = facility_body(**changes)
        for _ in range(2):
            answer = put(subject, facility_path(scene.facility), scene.owner, body)
            found = object_of(answer, 200, FACILITY, "replacing", **{**before, **body})
            read = get_facility(subject, scene.player, scene.facility)
            expect_equal(read, found, "the facility, read back")
    expect_equal(get_facility(subject, scene.owner, beside["id"]), beside, "a facility beside it")


@check("C11", "club_id, sport and city filter facilities, each and together")
def filters(subject: Subject) -> None:
    owner = new_owner(subject)
    city = f"Stadt {token_hex(4)}"
    first = new_club(subject, owner, city=city)["id"]
    second = new_club(subject, owner, city=city)["id"]
    other = new_club(subject, owner, city=city.upper())["id"]
    made: list[dict[str, Any]] = [
        new_facility(subject, owner, club, sport=sport)
        for club in (first, second, other)
        for sport in ("tennis", "padel", "tennis")
    ]

    def wanted(clubs: tuple[int, ...], *sports: str) -> list[int]:
        return [
            each["id"]
            for each in made
            if each["club_id"] in clubs and each["sport"] in (sports or SPORTS)
        ]

    city_query = f"city={quote(city)}"
    cases = {
        f"club_id={first}": wanted((first,)),
        city_query: wanted((first, second)),
        f"{city_query}&sport=tennis": wanted((first, second), "tennis"),
        f"{city_query}&sport=padel&club_id={second}": wanted((second,), "padel"),
        f"club_id={second}&sport=football": [],
        f"{city_query}&club_id={other}": [],
        f"city={quote(city.lower())}": [],
        f"city={quote(city[:-1])}": [],
        f"city={quote(city[:-1])}%25": [],
        f"{city_query}&available=true&at={at(12)}&sport=padel": wanted((first, second), "padel"),
        f"club_id={first}&sport=tennis&mine=x&q=": wanted((first,), "tennis"),
        f"club_id={other}&Sport=chess&CITY=&name=x": wanted((other,)),
        "club_id=9999999999999999": [],
    }
    for query, numbers in cases.items():
        expect_equal(_ids(subject, query, owner), numbers, f"what {query} finds")


@check("C11", "each sport of the seed lists its own facilities, and all together all")
def sports_of_the_seed(subject: Subject) -> None:
    reader = caller(1, OWNER)
    together: list[int] = []
    for sport in SPORTS:
        found = all_pages(subject, f"{FACILITIES}?sport={sport}", reader, FACILITY)
        expect_equal({each["sport"] for each in found}, {sport}, f"the sports of {sport}")
        together += ids(found, FACILITY)
    every = _ids(subject, "", reader)
    expect_equal(sorted(together), every, "the facilities of all sports")
    expect_equal(every[:SEED_FACILITIES], list(range(1, SEED_FACILITIES + 1)), "those of the seed")
    for club in (1, 20):
        wanted = [each for each in range(1, SEED_FACILITIES + 1) if club_of(each) == club]
        found_ids = _ids(subject, f"club_id={club}", reader)
        expect_equal(found_ids[: len(wanted)], wanted, f"the facilities of club {club}")


def _ids(subject: Subject, query: str, reader: Caller) -> list[int]:
    target = f"{FACILITIES}?{query}" if query else FACILITIES
    return ids(all_pages(subject, target, reader, FACILITY), FACILITY)
