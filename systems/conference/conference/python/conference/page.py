"""The page of a list that a query asks for, and the field that tells of the next one."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from conference.conference import is_id
from conference.problem import Kind, Problem

_LIMIT = re.compile(r"[1-9][0-9]{0,2}|1000")
# Less than every id.
_BEFORE_ALL = ""
_DETAIL = "The limit must be 1 to 1000, and after an id beside it."


@dataclass(frozen=True)
class Page:
    """At most `limit` rows behind the id `after`."""

    limit: int
    after: str

    def next_link(self, path: str, last: str) -> str:
        """Return the field `Link` of a page of a path that ends with the id `last`."""
        return f'<{path}?limit={self.limit}&after={last}>; rel="next"'


def read_page(query: Mapping[str, str]) -> Page | None:
    """Return the page, or none for the whole list. Raises Problem."""
    limit, after = query.get("limit"), query.get("after")
    if limit is None and after is None:
        return None
    if limit is None or not _LIMIT.fullmatch(limit) or not (after is None or is_id(after)):
        raise Problem(Kind.MALFORMED, detail=_DETAIL)
    return Page(int(limit), _BEFORE_ALL if after is None else after)
