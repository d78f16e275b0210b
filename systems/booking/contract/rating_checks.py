"""D5 to D8: ratings, and what is said of all of them."""

import time
from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal
from functools import partial
from typing import Any

from loadstone.contract import declare
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.subject import Subject

from .lib.accounts import new_player
from .lib.clubs import facility_path, new_facility, retire_facility
from .lib.instants import expect_now
from .lib.pages import ids, with_query
from .lib.problems import expect_invalid, expect_problem
from .lib.scenes import Scene, new_scene, rate, reservation_path, reserve
from .lib.seed import reservations
from .lib.service import MANY_SECONDS, get, put
from .lib.shapes import RATING, RESERVATION, Ratings, object_of, ratings_of
from .lib.tokens import OWNER, PLAYER, Caller, caller
from .lib.wrong_types import NO_INTEGERS, NO_TEXTS

check = partial(declare.check, operation="rate", seconds=MANY_SECONDS)
listing = partial(declare.check, operation="list-ratings", seconds=MANY_SECONDS)

MOST_COMMENT_CHARACTERS = 500
ASTRAL = "\N{MUSICAL SYMBOL G CLEF}"
AVERAGES: tuple[tuple[Sequence[int], float], ...] = (
    ((5,), 5.0),
    ((4, 5), 4.5),
    ((1, 1, 2), 1.33),
    ((5, 5, 4), 4.67),
    ((1, 1, 1, 1, 1, 2, 2, 4), 1.63),
    ((1, 1, 1, 1, 1, 1, 1, 2), 1.13),
    ((5, 5, 5, 5, 5, 5, 5, 4), 4.88),
    ((5, 5, 5, 4, 4, 4, 4, 4), 4.38),
    ((1, 2, 3, 4, 5, 5, 4), 3.43),
)
"""Some lie between two decimals: 13/8 is 1.625, which half to even makes 1.62."""


@check("D5", "a rating is 201, again it is 200, and there is one")
def rates(subject: Subject) -> None:
    scene = new_scene(subject)
    for state in ("pending", "accepted"):
        made = scene.in_state(state)["id"]
        longest, text = "c" * MOST_COMMENT_CHARACTERS, "Gut \N{TENNIS RACQUET AND BALL}"
        first: dict[str, Any] | None = None
        for stars, members in (
            *((3, {"comment": text}), (3, {"comment": text}), (1, {"comment": longest}), (5, {})),
            *((4, {"comment": None}), (2, {"comment": ""}), (2, {"x": 1, "comment": "again"})),
        ):
            if stars == 1:
                time.sleep(1.1)  # instants are of whole seconds
            answer = rate(subject, scene.player, made, stars, **members)
            wanted = {
                **{"reservation_id": made, "facility_id": scene.facility, "stars": stars},
                "comment": members.get("comment") or "",
            }
            status = 201 if first is None else 200
            found = object_of(answer, status, RATING, f"a rating of {stars}", **wanted)
            first = first or found
            expect_now(found["created_at"], "created_at of a rating")
            expect_equal(
                found["created_at"], first["created_at"], "created_at, which is the first's,"
            )
            there = [each for each in _listed(scene).page.items if each["reservation_id"] == made]
            expect_equal(there, [found], "the ratings of the reservation")
        expect_equal(scene.now(made)["status"], state, "the state of what was rated")


@check("D5", "who may not, and of what is not there, rates nothing")
def rates_nothing(subject: Subject) -> None:
    scene, other = new_scene(subject), new_player(subject)
    made = scene.reserved()["id"]
    expect_problem(rate(subject, other, made, 5), "not-found", "of rating another's")
    expect_problem(rate(subject, scene.owner, made, 5), "forbidden", "of an owner's rating")
    for number in (999_999_999, 9_999_999_999_999_999):
        answer = rate(subject, scene.player, number, 5)
        expect_problem(answer, "not-found", f"of rating reservation {number}")
    found = _listed(scene)
    expect_equal((found.page.items, found.total, found.average), ([], 0, None), "the ratings")


@check("D6", "what is cancelled or rejected is not rated, and what was rated before stays")
def wrong_states(subject: Subject) -> None:
    scene = new_scene(subject)
    for state in ("cancelled", "rejected"):
        there = scene.in_state(state)
        expect_problem(rate(subject, scene.player, there["id"], 5), "wrong-state", f"of {state}")
        made = scene.reserved()["id"]
        rated = scene.rated(made, 2, "Before")
        scene.decided(made, "cancel" if state == "cancelled" else "reject")
        answer = rate(subject, scene.player, made, 5)
        expect_problem(answer, "wrong-state", f"of what was rated and then {state}")
        items = _listed(scene).page.items
        expect_equal(
            [each for each in items if each["reservation_id"] == made], [rated], "what stays"
        )
        expect(there["id"] not in ids(items, RATING), f"what is {state} was rated")


@check("D7", "stars and comments that are none are 422")
def wrong_members(subject: Subject) -> None:
    scene = new_scene(subject)
    made = scene.reserved()["id"]
    for stars in (0, 6, -1, 100, (1 << 16) + 3, (1 << 32) + 3, 256 + 5):
        answer = rate(subject, scene.player, made, stars)
        expect_invalid(answer, ("/stars", "range"), when=f"of {stars} stars")
    for value in (*NO_INTEGERS, 4.5, "4"):
        answer = rate(subject, scene.player, made, value)
        expect_invalid(answer, ("/stars", "type"), when=f"of {value!r} stars")
    path = f"{reservation_path(made)}/rating"
    for body in ({}, {"stars": None}):
        expect_invalid(put(subject, path, scene.player, body), ("/stars", "required"))
    for letter in ("c", "é", ASTRAL):
        longest = letter * MOST_COMMENT_CHARACTERS
        answer = rate(subject, scene.player, made, 4, comment=longest + letter)
        expect_invalid(answer, ("/comment", "too-long"), when=f"of 501 {letter}")
    for comment in NO_TEXTS:
        answer = rate(subject, scene.player, made, 4, comment=comment)
        expect_invalid(answer, ("/comment", "type"), when=f"of the comment {comment!r}")
    expect_invalid(rate(subject, scene.player, made, 4, comment="a\0"), ("/comment", "format"))
    answer = rate(subject, scene.player, made, 6, comment=5)
    expect_invalid(answer, ("/stars", "range"), ("/comment", "type"))
    expect_equal(_listed(scene).page.items, [], "the ratings behind it")
    for letter in ("é", ASTRAL):
        longest = letter * MOST_COMMENT_CHARACTERS
        rate(subject, scene.player, made, 4, comment=longest)
        comments = [each["comment"] for each in _listed(scene).page.items]
        expect_equal(comments, [longest], f"the comment of 500 {letter}")


@listing("D8", "count and average agree with the items, on every page")
def averages(subject: Subject) -> None:
    for stars, average in AVERAGES:
        scene = new_scene(subject)
        beside = new_facility(subject, scene.owner, scene.club)["id"]
        answer = reserve(subject, scene.player, beside, scene.slot())
        other = object_of(answer, 201, RESERVATION, "reserving at another facility")["id"]
        expect_equal(rate(subject, scene.player, other, 1).status, 201, "the rating beside")
        for each in stars:
            scene.rated(scene.reserved()["id"], each)
        for limit in (1, 3, 100):
            for reader in (scene.player, scene.owner, caller(11, PLAYER)):
                found = _listed(scene, reader, f"limit={limit}")
                told = (found.total, found.average)
                expect_equal(told, (len(stars), average), f"count and average of {stars}")
                shown = [each["stars"] for each in found.page.items]
                expect_equal(shown, list(stars)[:limit], f"the first {limit} of {stars}")


@listing("D8", "without ratings count and average are 0 and null, and an unknown facility is 404")
def without_ratings(subject: Subject) -> None:
    scene = new_scene(subject)
    made = scene.reserved()["id"]
    for _ in range(2):
        answer = get(subject, f"{facility_path(scene.facility)}/ratings", scene.player)
        wanted = b'{"items":[],"next_cursor":null,"count":0,"average":null}'
        expect_equal((answer.status, answer.body), (200, wanted), "ratings where there are none")
        retire_facility(subject, scene.owner, scene.facility)
    scene.rated(made, 3)
    found = _listed(scene)
    expect_equal((found.total, found.average), (1, 3.0), "count and average of a retired facility")
    for number in (999_999_999, 9_999_999_999_999_999):
        answer = get(subject, f"{facility_path(number)}/ratings", scene.player)
        expect_problem(answer, "not-found", f"of the ratings of facility {number}")


@listing("D8", "count and average of the seed are those of its rules")
def of_the_seed(subject: Subject) -> None:
    reader = caller(1, OWNER)
    for facility in (1, 42, 72, 95):
        rated = [each for each in reservations() if each.facility == facility and each.stars]
        stars = [each.stars or 0 for each in rated]
        exact = Decimal(sum(stars)) / Decimal(len(stars))
        average = float(exact.quantize(Decimal("0.01"), ROUND_HALF_UP))
        target = with_query(f"{facility_path(facility)}/ratings", "limit=100")
        found = ratings_of(get(subject, target, reader), target)
        told = (found.total, found.average)
        expect_equal(told, (len(rated), average), f"count and average of facility {facility}")
        shown = [(each["reservation_id"], each["stars"]) for each in found.page.items]
        expect_equal(shown, [(each.id, each.stars) for each in rated][:100], "its ratings")


def _listed(scene: Scene, reader: Caller | None = None, query: str = "limit=100") -> Ratings:
    target = with_query(f"{facility_path(scene.facility)}/ratings", query)
    return ratings_of(get(scene.subject, target, reader or scene.player), target)
