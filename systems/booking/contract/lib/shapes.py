"""What an answer of success holds: its members in their order, and what each of them is."""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from loadstone.contract.client import Answer
from loadstone.contract.expect import expect, expect_equal

from .instants import is_shown
from .service import compact, expect_status, read_json

Test = Callable[[object], bool]
Shape = Mapping[str, Test]

SPORTS: Final = ("tennis", "football", "padel", "basketball", "volleyball", "badminton")
STATUSES: Final = ("pending", "accepted", "rejected", "cancelled")

_CONTROL = re.compile(rb'\\(?:u00[01][0-9a-fA-F]|["\\/bfnrtu])')


def is_integer(value: object) -> bool:
    """Whether it is a number without a fraction; a boolean is none."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_id(value: object) -> bool:
    """Whether it is an id."""
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_truth(value: object) -> bool:
    return isinstance(value, bool)


def _one_of(texts: tuple[str, ...]) -> Test:
    return lambda value: isinstance(value, str) and value in texts


def _is_shown_or_none(value: object) -> bool:
    return value is None or is_shown(value)


ACCOUNT: Final[Shape] = {
    "id": is_id,
    "email": _is_text,
    "name": _is_text,
    "role": _one_of(("player", "owner")),
    "created_at": is_shown,
}
CLUB: Final[Shape] = {
    "id": is_id,
    "owner_id": is_id,
    "name": _is_text,
    "city": _is_text,
    "description": _is_text,
    "created_at": is_shown,
}
FACILITY: Final[Shape] = {
    "id": is_id,
    "club_id": is_id,
    "name": _is_text,
    "sport": _one_of(SPORTS),
    "slot_minutes": is_integer,
    "opens": is_integer,
    "closes": is_integer,
    "price_cents": is_integer,
    "retired": _is_truth,
    "created_at": is_shown,
}
RESERVATION: Final[Shape] = {
    "id": is_id,
    "facility_id": is_id,
    "player_id": is_id,
    "starts_at": is_shown,
    "ends_at": is_shown,
    "status": _one_of(STATUSES),
    "price_cents": is_integer,
    "created_at": is_shown,
    "decided_at": _is_shown_or_none,
}
RATING: Final[Shape] = {
    "reservation_id": is_id,
    "facility_id": is_id,
    "stars": is_integer,
    "comment": _is_text,
    "created_at": is_shown,
}
SLOT: Final[Shape] = {"starts_at": is_shown, "ends_at": is_shown, "available": _is_truth}


class Page(NamedTuple):
    """A page of a list."""

    items: list[dict[str, Any]]
    next_cursor: str | None


class Ratings(NamedTuple):
    """A page of ratings, with what is said of all of them."""

    page: Page
    total: int
    average: float | None


def value_of(answer: Answer, status: int, what: str) -> Any:
    """The value of an answer, which is JSON, as compact as it could be."""
    expect_status(answer, status, what)
    expect_equal(answer.values("content-type"), ("application/json",), f"Content-Type of {what}")
    expect_equal(answer.values("content-encoding"), (), f"Content-Encoding of {what}")
    value = read_json(answer.body)
    # How a control is escaped is free, and nothing else is.
    body = _CONTROL.sub(_as_written_here, answer.body)
    expect_equal(body, compact(value), f"the body of {what}, not as compact as it could be,")
    return value


def object_of(
    answer: Answer, status: int, shape: Shape, what: str, /, **wanted: object
) -> dict[str, Any]:
    """The object of an answer, of this shape and with these values."""
    found = expect_shape(value_of(answer, status, what), shape, what)
    for name, value in wanted.items():
        expect_equal(found[name], value, f"{name} of {what}")
    return found


def page_of(answer: Answer, shape: Shape, what: str) -> Page:
    """The page of an answer."""
    value = value_of(answer, 200, what)
    return _page(value, ("items", "next_cursor"), shape, what)


def ratings_of(answer: Answer, what: str) -> Ratings:
    """The page of an answer to `list-ratings`."""
    value = value_of(answer, 200, what)
    page = _page(value, ("items", "next_cursor", "count", "average"), RATING, what)
    count, average = value["count"], value["average"]
    expect(is_integer(count), f"count of {what} is {count!r}")
    is_number = average is None or is_integer(average) or isinstance(average, float)
    expect(is_number, f"average of {what} is {average!r}")
    return Ratings(page, count, average)


def expect_shape(value: object, shape: Shape, what: str) -> dict[str, Any]:
    """Expect an object of these members in this order, each as it should be."""
    if not isinstance(value, dict) or tuple(value) != tuple(shape):
        raise AssertionError(f"{what} is {_short(value)}, not an object of {', '.join(shape)}")
    for name, is_right in shape.items():
        expect(is_right(value[name]), f"{name} of {what} is {_short(value[name])}")
    return value


def _page(value: object, members: tuple[str, ...], shape: Shape, what: str) -> Page:
    if not isinstance(value, dict) or tuple(value) != members:
        raise AssertionError(f"{what} is {_short(value)}, not an object of {', '.join(members)}")
    items, cursor = value["items"], value["next_cursor"]
    expect(isinstance(items, list), f"items of {what} are {_short(items)}")
    expect(cursor is None or _is_text(cursor), f"next_cursor of {what} is {_short(cursor)}")
    return Page([expect_shape(each, shape, f"an item of {what}") for each in items], cursor)


def _as_written_here(found: "re.Match[bytes]") -> bytes:
    """An escape of a control as Python writes it, any other as it is."""
    if not found[0].startswith(b"\\u00"):
        return found[0]
    return json.dumps(json.loads(b'"' + found[0] + b'"'))[1:-1].encode()


def _short(value: object) -> str:
    return repr(value)[:120]
