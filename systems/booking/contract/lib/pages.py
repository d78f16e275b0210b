"""Lists in pages, from the first to the last."""

from collections.abc import Callable
from typing import Any

from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.subject import Subject

from .service import get
from .shapes import RATING, Page, Shape, page_of, ratings_of
from .tokens import Caller, base64url


def cursor_of(text: object) -> str:
    """The cursor of an id, or of what is none."""
    return base64url(str(text).encode())


def with_query(target: str, query: str) -> str:
    """A target with further parameters."""
    return f"{target}{'&' if '?' in target else '?'}{query}"


def id_of(item: dict[str, Any], shape: Shape) -> int:
    """By which an item stands in its list."""
    number = item["reservation_id" if shape is RATING else "id"]
    assert isinstance(number, int)
    return number


def page_at(subject: Subject, target: str, reader: Caller, shape: Shape) -> Page:
    """One page of a list of such items."""
    answer = get(subject, target, reader)
    if shape is RATING:
        return ratings_of(answer, target).page
    return page_of(answer, shape, target)


def all_pages(
    subject: Subject,
    target: str,
    reader: Caller,
    shape: Shape,
    limit: int = 100,
    between: Callable[[], None] | None = None,
) -> list[dict[str, Any]]:
    """Every item of a list, with each page but the last full, and with its cursor.

    `between` is done before each page but the first.
    """
    found: list[dict[str, Any]] = []
    query: str | None = f"limit={limit}"
    while query is not None:
        page = page_at(subject, with_query(target, query), reader, shape)
        found += page.items
        if page.next_cursor is None:
            is_right = 0 < len(page.items) <= limit or not found
            expect(is_right, f"the last page of {target} has {len(page.items)} items")
            query = None
        else:
            expect_equal(len(page.items), limit, f"the items of a page of {target} before others")
            last = cursor_of(id_of(page.items[-1], shape))
            expect_equal(page.next_cursor, last, f"next_cursor of {target}")
            query = f"limit={limit}&cursor={page.next_cursor}"
            if between is not None:
                between()
    return found


def ids(items: list[dict[str, Any]], shape: Shape) -> list[int]:
    """The ids of items, in their order."""
    return [id_of(each, shape) for each in items]
