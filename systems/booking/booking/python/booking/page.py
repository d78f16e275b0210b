"""The page of a list that a query asks for, and its answer with the cursor of the next one."""

import re
from base64 import b64decode, urlsafe_b64encode
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeVar

from starlette.responses import Response

from booking.answer import answer
from booking.ids import is_id
from booking.query import Query, refuse

_LIMIT = re.compile(r"[1-9][0-9]?|100")
_STANDARD_LIMIT = "20"
_CURSOR = re.compile(r"[A-Za-z0-9_-]+")

Row = TypeVar("Row")


class Page(NamedTuple):
    """At most `limit` rows behind the one of an id, or from the first one on."""

    limit: int
    after: int | None

    @property
    def rows(self) -> int:
        """How many are read: one more tells that there is a next page."""
        return self.limit + 1


def read_page(query: Query) -> Page:
    """Return the page. Raises Problem."""
    limit, cursor = query.raw("limit"), query.raw("cursor")
    if limit is None:
        limit = _STANDARD_LIMIT
    if not _LIMIT.fullmatch(limit):
        refuse()
    return Page(int(limit), None if cursor is None else _id_in(cursor))


def cursor_of(id_: int) -> str:
    """Return the cursor behind a row."""
    return urlsafe_b64encode(str(id_).encode()).decode().rstrip("=")


def answer_page(
    page: Page,
    rows: Sequence[Row],
    id_of: Callable[[Row], int],
    shown: Callable[[Row], Mapping[str, object]],
    more: Mapping[str, object] | None = None,
) -> Response:
    """Return the answer with a page of the rows that were read, and more members behind them."""
    shown_rows = rows[: page.limit]
    has_next = len(rows) > page.limit
    return answer(
        {
            "items": [shown(row) for row in shown_rows],
            "next_cursor": cursor_of(id_of(shown_rows[-1])) if has_next else None,
            **(more or {}),
        }
    )


def _id_in(cursor: str) -> int:
    if not _CURSOR.fullmatch(cursor):
        refuse()
    try:
        text = b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_").decode()
    except ValueError:
        refuse()
    # Decoding is lenient with bits that no character has: the same text has one cursor alone.
    if not is_id(text) or cursor_of(int(text)) != cursor:
        refuse()
    return int(text)
