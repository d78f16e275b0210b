"""G1 to G4: lists in pages."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from typing import NamedTuple

from loadstone.contract import declare
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.subject import Subject

from .lib.clubs import facility_path, new_club, new_facility
from .lib.pages import all_pages, cursor_of, ids, page_at, with_query
from .lib.problems import expect_problem
from .lib.scenes import Scene, new_scene
from .lib.service import (
    CLUBS,
    DATABASE,
    FACILITIES,
    MANY_SECONDS,
    RESERVATIONS,
    STARTS_SECONDS,
    get,
)
from .lib.shapes import CLUB, FACILITY, RATING, RESERVATION, Shape, page_of
from .lib.tokens import OWNER, Caller, caller

check = partial(declare.check, seconds=MANY_SECONDS)
quick = partial(declare.check, quick=True)
with_stand = partial(declare.check, needs_stand=True, seconds=STARTS_SECONDS)

READER = caller(1, OWNER)
PAGE = 7
NO_LIMITS = (
    *("0", "101", "-1", "05", "x", "", "1.0", "%2B1", "%201", "1%20", "1e1", "0x1", "00", "1000"),
    *("99999999999999999999", "%D9%A1", "null", "7,7", "010", "1%00", "7%0A"),
)
NO_CURSORS = (
    *("", "!", "====", cursor_of("x"), cursor_of("0"), cursor_of("01"), cursor_of("-1"), "A"),
    *(
        cursor_of("1.0"),
        cursor_of(" 1"),
        cursor_of("1 "),
        cursor_of(""),
        cursor_of("12345678901234567"),
    ),
    *(
        cursor_of("1\n"),
        cursor_of("\u0661"),
        cursor_of("1\0"),
        cursor_of("1,2"),
        cursor_of("+1"),
        "1",
    ),
    *(
        cursor_of("1e1"),
        cursor_of("' OR 1=1 --"),
        "%00",
        "a%20b",
        cursor_of("0x1"),
        "1234",
        "%C3%A9",
    ),
    *(f"{cursor_of(7)}*", f"{cursor_of(77)}=", "MTI%3D", cursor_of("null"), cursor_of(1 << 64)),
)
"""What is not base64url of an id; padding is none of it."""


class Listing(NamedTuple):
    """A list with rows of a check's own, which grows on demand."""

    target: str
    reader: Caller
    shape: Shape
    grow: Callable[[], object]
    is_descending: bool = False


@quick("G1", "a limit of 0 and of 101 is 400")
def no_limit(subject: Subject) -> None:
    for target in (CLUBS, FACILITIES, RESERVATIONS):
        for limit in (0, 101):
            answer = get(subject, f"{target}?limit={limit}", READER)
            expect_problem(answer, "malformed", f"of {target} with a limit of {limit}")


@check("G1", "every limit that is none is 400, in each of the lists")
def no_limits(subject: Subject) -> None:
    for listing in _listings(subject):
        for text in NO_LIMITS:
            answer = get(subject, with_query(listing.target, f"limit={text}"), listing.reader)
            expect_problem(answer, "malformed", f"of {listing.target} with the limit {text!r}")


@check("G1", "a page has 20 items by default, and 100 at most")
def sizes(subject: Subject) -> None:
    for target, shape in ((CLUBS, CLUB), (FACILITIES, FACILITY), (RESERVATIONS, RESERVATION)):
        for query, size in (
            ("", 20),
            ("limit=1", 1),
            ("limit=20", 20),
            ("limit=99", 99),
            ("limit=100", 100),
        ):
            if target == CLUBS and size > 20:
                continue
            asked = with_query(target, query) if query else target
            page = page_at(subject, asked, READER, shape)
            expect_equal(len(page.items), size, f"the items of {asked}")
    target = f"{facility_path(72)}/ratings"
    expect_equal(len(page_at(subject, target, READER, RATING).items), 20, "the items of ratings")


@quick("G2", "a page of seven is in order, and names the next")
def quick_page(subject: Subject) -> None:
    page = page_of(get(subject, f"{FACILITIES}?limit={PAGE}", READER), FACILITY, "a page")
    numbers = ids(page.items, FACILITY)
    expect_equal((len(numbers), numbers), (PAGE, sorted(set(numbers))), "the ids of a page")
    expect_equal(page.next_cursor, cursor_of(numbers[-1]), "next_cursor")


@check("G2", "pages give every id once, in order, and the last has no cursor", seconds=120.0)
def every_id_once(subject: Subject) -> None:
    for listing in _listings(subject):
        numbers: list[int] = []
        for size in (0, 1, PAGE - 1, PAGE, PAGE + 1, 2 * PAGE, 2 * PAGE + 1):
            while len(numbers) < size:
                listing.grow()
                numbers = _ids(subject, listing, 100)
            for limit in (1, PAGE, PAGE - 1, 100) if size > PAGE else (PAGE, 1):
                expect_equal(_ids(subject, listing, limit), numbers, f"{size} in pages of {limit}")
        ordered = sorted(numbers, reverse=listing.is_descending)
        expect_equal(numbers, ordered, f"the order of {listing.target}")
        expect_equal(len(set(numbers)), 2 * PAGE + 1, f"the ids of {listing.target}")


@check("G2", "pages of seven of the whole lists have every row of the seed")
def whole_lists(subject: Subject) -> None:
    for target, shape, most in ((CLUBS, CLUB, 20), (FACILITIES, FACILITY, 100)):
        numbers = ids(all_pages(subject, target, READER, shape, PAGE), shape)
        expect_equal(numbers[:most], list(range(1, most + 1)), f"the first of {target}")
        expect(all(one < other for one, other in pairwise(numbers)), f"{target} is out of order")
    numbers = ids(all_pages(subject, RESERVATIONS, READER, RESERVATION, 53), RESERVATION)
    expect(all(one > other for one, other in pairwise(numbers)), "reservations are out of order")
    expect_equal(len(numbers), len(set(numbers)), "the ids of an owner's reservations")


@check("G2", "a cursor goes with filters, and may be of an id that no row has")
def cursors_with_filters(subject: Subject) -> None:
    scene = new_scene(subject)
    for state in ("pending", "accepted", "rejected") * 5:
        scene.in_state(state)
    for asking in (scene.player, scene.owner):
        target = f"{RESERVATIONS}?status=accepted&facility_id={scene.facility}"
        found = all_pages(subject, target, asking, RESERVATION, 2)
        expect_equal({each["status"] for each in found}, {"accepted"}, "the states in pages of 2")
        expect_equal(len(found), 5, "those that are accepted")
    gap = ids(found, RESERVATION)[1] + 1  # of a reservation in another state
    behind = page_at(subject, f"{target}&cursor={cursor_of(gap)}", scene.owner, RESERVATION)
    expect_equal(behind.items, found[1:], "what is behind an id that the filter leaves out")
    far = cursor_of(9_999_999_999_999_999)
    for listing in _listings(subject):
        for _ in range(2):
            listing.grow()
        every = _ids(subject, listing, 100)
        target = with_query(listing.target, f"cursor={far}")
        found_ids = ids(
            page_at(subject, target, listing.reader, listing.shape).items, listing.shape
        )
        wanted = every[:20] if listing.is_descending else []
        expect_equal(found_ids, wanted, f"{listing.target} behind an id of 16 digits")
        expect_equal(len(every), 2, f"the rows of {listing.target}")
        last = cursor_of(every[-1])
        target = with_query(listing.target, f"cursor={last}")
        page = page_at(subject, target, listing.reader, listing.shape)
        expect_equal((page.items, page.next_cursor), ([], None), f"{target}, behind the last")


@check("G3", "rows that are added meanwhile neither hide nor repeat one that was there")
def added_meanwhile(subject: Subject) -> None:
    for listing in _listings(subject):
        for _ in range(2 * PAGE):
            listing.grow()
        before = _ids(subject, listing, 100)

        def add(grow: Callable[[], object] = listing.grow) -> None:
            for _ in range(2):
                grow()

        # Each page but the first is read behind two more rows, so the first few pages will do.
        items = all_pages(
            subject, listing.target, listing.reader, listing.shape, PAGE, between=_at_most(add, 3)
        )
        found = ids(items, listing.shape)
        expect_equal(len(found), len(set(found)), f"the ids of {listing.target}, each once,")
        there = [number for number in found if number in before]
        expect_equal(there, before, f"what was there of {listing.target}")
        if listing.is_descending:
            expect_equal(found, before, f"{listing.target}, whose new rows are before all pages")


@check("G4", "a cursor that is none is 400, in each of the lists")
def no_cursors(subject: Subject) -> None:
    for listing in _listings(subject):
        for text in NO_CURSORS:
            target = with_query(listing.target, f"limit={PAGE}&cursor={text}")
            answer = get(subject, target, listing.reader)
            expect_problem(answer, "malformed", f"of {listing.target} behind {text!r}")


@with_stand("G2", "a page reads one row more than it shows, where there is one")
def rows_that_are_read(subject: Subject) -> None:
    for listing in _listings(subject):
        for _ in range(PAGE + 2):
            listing.grow()
        # Two more rows of ratings: the facility, and count and average.
        more = 2 if listing.shape is RATING else 0
        hand = subject.stand.dependency(DATABASE)
        for limit, rows in ((PAGE, PAGE + 1), (1, 2), (100, None)):
            before = hand.work()
            items = page_at(
                subject, with_query(listing.target, f"limit={limit}"), listing.reader, listing.shape
            ).items
            sent = hand.work().minus(before).rows_sent
            wanted = (rows or len(items)) + more
            expect_equal(sent, wanted, f"the rows sent for {limit} of {listing.target}")


def _listings(subject: Subject) -> Iterator[Listing]:
    """Each list, of rows of a scene of its own."""
    scene = new_scene(subject)
    grow: Callable[[], object] = partial(_grow_clubs, scene)
    yield Listing(f"{CLUBS}?mine=true&q=page", scene.owner, CLUB, grow)
    beside = new_club(subject, scene.owner)["id"]
    grow = partial(new_facility, subject, scene.owner, beside)
    yield Listing(f"{FACILITIES}?club_id={beside}", scene.player, FACILITY, grow)
    yield Listing(RESERVATIONS, scene.player, RESERVATION, scene.reserved, is_descending=True)
    scene = new_scene(subject)
    yield Listing(RESERVATIONS, scene.owner, RESERVATION, scene.reserved, is_descending=True)
    target = f"{facility_path(scene.facility)}/ratings"
    yield Listing(target, scene.player, RATING, partial(_grow_ratings, scene))


def _grow_clubs(scene: Scene) -> None:
    new_club(scene.subject, scene.owner, name="A page of clubs")


def _grow_ratings(scene: Scene) -> None:
    scene.rated(scene.reserved()["id"], 3)


def _ids(subject: Subject, listing: Listing, limit: int) -> list[int]:
    items = all_pages(subject, listing.target, listing.reader, listing.shape, limit)
    return ids(items, listing.shape)


def _at_most(call: Callable[[], None], times: int) -> Callable[[], None]:
    """The same call, which does nothing once it was made so often: a list must have an end."""
    left = [times]

    def again() -> None:
        if left[0]:
            left[0] -= 1
            call()

    return again
