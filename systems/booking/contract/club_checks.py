"""C1 to C4 and C10 of clubs: made, read, replaced and found."""

from functools import partial
from secrets import token_hex
from typing import Any
from urllib.parse import quote, quote_plus

from loadstone.contract import declare
from loadstone.contract.expect import expect_equal
from loadstone.contract.subject import Subject

from .lib.accounts import new_owner, new_player
from .lib.clubs import (
    add_facility,
    club_body,
    club_path,
    get_facility,
    new_club,
    replace_club,
    replace_facility,
    retire_facility,
)
from .lib.instants import expect_now
from .lib.pages import all_pages, ids
from .lib.problems import expect_invalid, expect_problem
from .lib.scenes import new_scene
from .lib.seed import CLUBS as SEED_CLUBS
from .lib.seed import owner_of_club
from .lib.service import CLUBS, MANY_SECONDS, get, post, put
from .lib.shapes import CLUB, FACILITY, object_of, value_of
from .lib.tokens import OWNER, Caller, caller
from .lib.wrong_types import NO_TEXTS

check = partial(declare.check, seconds=MANY_SECONDS)

NOWHERE = (999_999_999, 9_007_199_254_740_993, 9_999_999_999_999_999)
"""Ids that no row has; the second is the first number that a double does not hold."""
MOST_DESCRIPTION_CHARACTERS = 1000


@check("C1", "a club that was created is 201 with its place, and read back equal")
def creates(subject: Subject) -> None:
    owner, reader = new_owner(subject), new_player(subject)
    longest = {"name": "n" * 100, "city": "c" * 100, "description": "d" * 1000}
    for changes in ({}, longest, {"name": "x", "city": "y", "description": ""}, {"name": " a  b "}):
        body = club_body(**changes)
        answer = post(subject, CLUBS, owner, body)
        found = object_of(answer, 201, CLUB, "a club", owner_id=owner.id, **body)
        expect_now(found["created_at"], "created_at of a club")
        place = answer.value("location") or ""
        expect_equal(place, club_path(found["id"]), "Location")
        for asking in (owner, reader):
            read = get(subject, place, asking)
            expect_equal(value_of(read, 200, "the club"), found, "the club, read back")


@check("C1", "a description may be missing, or null")
def without_description(subject: Subject) -> None:
    owner = new_owner(subject)
    for body in ({"name": "a", "city": "b"}, {"name": "a", "city": "b", "description": None}):
        object_of(post(subject, CLUBS, owner, body), 201, CLUB, "such a club", description="")


@check("C1", "a club that is not there is 404")
def unknown_club(subject: Subject) -> None:
    for number in NOWHERE:
        answer = get(subject, club_path(number), caller(1, OWNER))
        expect_problem(answer, "not-found", f"of club {number}")


@check("C5", "members of a club that are missing or wrong are 422, each with its pointer and code")
def wrong_members(subject: Subject) -> None:
    owner = new_owner(subject)
    club = new_club(subject, owner)
    for path in (CLUBS, club_path(club["id"])):
        write = partial(post if path == CLUBS else put, subject, path, owner)
        for name in ("name", "city"):
            body = club_body()
            del body[name]
            expect_invalid(write(body), (f"/{name}", "required"))
            expect_invalid(write(club_body(**{name: None})), (f"/{name}", "required"))
            expect_invalid(write(club_body(**{name: ""})), (f"/{name}", "too-short"))
            expect_invalid(write(club_body(**{name: "é" * 101})), (f"/{name}", "too-long"))
        longer = "d" * (MOST_DESCRIPTION_CHARACTERS + 1)
        expect_invalid(write(club_body(description=longer)), ("/description", "too-long"))
        for name in ("name", "city", "description"):
            for value in NO_TEXTS:
                answer = write(club_body(**{name: value}))
                expect_invalid(answer, (f"/{name}", "type"), when=f"of {name} {value!r}")
        expect_invalid(write({}), ("/name", "required"), ("/city", "required"))
        every = {"description": 5, "city": "", "name": "a\0b"}
        faults = (("/name", "format"), ("/city", "too-short"), ("/description", "type"))
        expect_invalid(write(every), *faults)
    answer = get(subject, club_path(club["id"]), owner)
    expect_equal(value_of(answer, 200, "the club"), club, "the club behind it")


@check("C2", "what another owner would change is 403, and stays as it is")
def another_owners(subject: Subject) -> None:
    scene, other = new_scene(subject), new_owner(subject)
    club = value_of(get(subject, club_path(scene.club), other), 200, "the club")
    facility = get_facility(subject, other, scene.facility)
    answers = {
        "replace-club": replace_club(subject, other, scene.club),
        "add-facility": add_facility(subject, other, scene.club),
        "replace-facility": replace_facility(subject, other, scene.facility, price_cents=1),
        "retire-facility": retire_facility(subject, other, scene.facility),
    }
    for operation, answer in answers.items():
        expect_problem(answer, "forbidden", f"of {operation} by another owner")
    again = get(subject, club_path(scene.club), other)
    expect_equal(value_of(again, 200, "the club"), club, "the club behind it")
    expect_equal(get_facility(subject, other, scene.facility), facility, "the facility behind it")
    target = f"/facilities?club_id={scene.club}"
    listed = all_pages(subject, target, other, FACILITY)
    expect_equal(ids(listed, FACILITY), [scene.facility], "its facilities")


@check("C2", "what would change that is not there is 404")
def what_is_not_there(subject: Subject) -> None:
    owner = new_owner(subject)
    for number in NOWHERE:
        answers = {
            "replace-club": replace_club(subject, owner, number),
            "add-facility": add_facility(subject, owner, number),
            "replace-facility": replace_facility(subject, owner, number),
            "retire-facility": retire_facility(subject, owner, number),
        }
        for operation, answer in answers.items():
            expect_problem(answer, "not-found", f"of {operation} {number}")


@check("C3", "mine=true lists the clubs of the caller alone")
def own_clubs(subject: Subject) -> None:
    owner, other = new_owner(subject), new_owner(subject)
    mine = [new_club(subject, owner)["id"] for _ in range(3)]
    new_club(subject, other)
    found = _listed(subject, "mine=true", owner)
    expect_equal(ids(found, CLUB), mine, "the clubs of an owner")
    expect_equal({each["owner_id"] for each in found}, {owner.id}, "whose they are")
    for query in ("mine=false", "", "mine=false&x=1"):
        every = ids(_listed(subject, query, owner), CLUB)
        expect_equal(every[:SEED_CLUBS], list(range(1, SEED_CLUBS + 1)), f"the first of {query}")
        expect_equal(every[-4:-1], mine, f"the last but one of {query}")
    player = new_player(subject)
    expect_equal(_listed(subject, "mine=true", player), [], "the clubs of a player")
    seeded = [number for number in range(1, SEED_CLUBS + 1) if owner_of_club(number) == 3]
    found = _listed(subject, "mine=true", caller(3, OWNER))
    expect_equal(ids(found, CLUB)[: len(seeded)], seeded, "the clubs of the seed's third owner")


@check("C3", "city lists the clubs of that city alone")
def cities(subject: Subject) -> None:
    owner = new_owner(subject)
    city = f"Città {token_hex(4)}"
    there = [new_club(subject, owner, city=city)["id"] for _ in range(2)]
    for near in (city.upper(), f"{city} ", f" {city}", city[:-1], f"{city}x", "%", "_" * len(city)):
        new_club(subject, owner, city=near)
    expect_equal(ids(_listed(subject, f"city={quote(city)}", owner), CLUB), there, "its clubs")
    answer = _listed(subject, f"city={quote_plus(city)}", owner)
    expect_equal(ids(answer, CLUB), there, "its clubs, by + as a space")
    for query in (f"city={quote(city)}&mine=true", f"mine=true&city={quote(city)}&q=Club"):
        expect_equal(ids(_listed(subject, query, owner), CLUB), there, f"those of {query}")
    other = new_player(subject)
    query = f"city={quote(city)}&mine=true"
    expect_equal(_listed(subject, query, other), [], "another's clubs of the city")
    for text in ("%25", "_" * len(city), "Norval", quote(city[:-1] + "%")):
        found = _listed(subject, f"city={text}", owner)
        named = [each["id"] for each in found if each["id"] in there or each["id"] <= SEED_CLUBS]
        expect_equal(named, [], f"what city={text} finds of others")
    longest = "é" * 100
    new_club(subject, owner, city=longest)
    found = _listed(subject, f"city={quote(longest)}&mine=true", owner)
    expect_equal([each["city"] for each in found], [longest], "the city of 100 characters")


@check("C4", "q finds a part of the name in any case of letters")
def parts_of_names(subject: Subject) -> None:
    owner = new_owner(subject)
    tag = f"Tag{token_hex(5)}"
    names = (f"{tag} Arena", f"The {tag}", f"a{tag.upper()}z", tag.lower(), f"Ärger {tag} 東京")
    there = [new_club(subject, owner, name=name)["id"] for name in names]
    new_club(subject, owner, name="Another", description=tag, city=tag)
    for text in (tag, tag.lower(), tag.upper(), tag.swapcase(), tag[1:]):
        found = _listed(subject, f"q={text}", owner)
        expect_equal(ids(found, CLUB), there, f"what q={text} finds")
    found = _listed(subject, f"q={quote('Ärger ' + tag + ' 東京')}", owner)
    expect_equal(ids(found, CLUB), there[-1:], "what a text beyond ASCII finds")
    found = _listed(subject, f"q={quote_plus(tag + ' arena')}", owner)
    expect_equal(ids(found, CLUB), there[:1], "what + as a space finds")
    expect_equal(_listed(subject, f"q={tag}x", owner), [], "what is in no name")
    expect_equal(_listed(subject, f"q=%20{tag}%20Arena", owner), [], "what has a space too many")
    name = tag + "x" * 50
    made = new_club(subject, owner, name=name)["id"]
    found = _listed(subject, f"q={name[-50:]}&mine=true", owner)
    expect_equal(ids(found, CLUB), [made], "what a text of 50 characters finds")


@check("C4", "percent, underline and backslash match themselves alone")
def wildcards(subject: Subject) -> None:
    owner = new_owner(subject)
    tag = f"W{token_hex(5)}"
    names = [
        f"{tag}{text}Z" for text in ("%", "_", "\\", "x", "", "xx", "\\%", "%_", "\\\\", "'", "+")
    ]
    made = {name: new_club(subject, owner, name=name)["id"] for name in names}
    for text in ("%", "_", "\\", "\\%", "%_", "\\\\", "'", "+", "__", "%%", "*", "?", ".", "\\_"):
        for part in (f"{tag}{text}Z", f"{tag}{text}", f"{text}Z"):
            wanted = [made[name] for name in names if part.lower() in name.lower()]
            found = _listed(subject, f"mine=true&q={quote(part, safe='')}", owner)
            expect_equal(ids(found, CLUB), wanted, f"what q={part} finds")
    for text in ("%", "_", "\\"):
        found = _listed(subject, f"mine=true&q={quote(text, safe='')}", owner)
        wanted = [made[name] for name in names if text in name]
        expect_equal(ids(found, CLUB), wanted, f"what q={text} finds")


@check("C10", "replace-club is 200, and read back equal")
def replaces(subject: Subject) -> None:
    owner = new_owner(subject)
    club, beside = new_club(subject, owner), new_club(subject, owner)
    bodies = (
        club_body(name="Another", city="Elsewhere", description="Changed"),
        *(club_body(name="n" * 100, city="c" * 100, description="d" * 1000), club_body(name="x")),
    )
    for body in bodies:
        for _ in range(2):
            answer = replace_club(subject, owner, club["id"], **body)
            found = object_of(answer, 200, CLUB, "replacing a club", **{**club, **body})
            read = get(subject, club_path(club["id"]), owner)
            expect_equal(value_of(read, 200, "the club"), found, "the club, read back")
    for without in ({"name": "a", "city": "b"}, {"name": "a", "city": "b", "description": None}):
        replace_club(subject, owner, club["id"])
        answer = put(subject, club_path(club["id"]), owner, without)
        object_of(answer, 200, CLUB, "replacing a club", description="")
    answer = get(subject, club_path(beside["id"]), owner)
    expect_equal(value_of(answer, 200, "another club"), beside, "a club beside it")


def _listed(subject: Subject, query: str, reader: Caller) -> list[dict[str, Any]]:
    return all_pages(subject, f"{CLUBS}?{query}" if query else CLUBS, reader, CLUB)
