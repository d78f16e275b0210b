"""The parameters of a query. A value that is none of its parameter is malformed."""

from collections.abc import Collection
from datetime import date, datetime
from typing import NoReturn
from urllib.parse import parse_qsl

from booking.ids import is_id
from booking.instants import parse_day, parse_instant
from booking.members import NO_CHARACTERS
from booking.problem import Kind, Problem


class Query:
    """Each parameter may be missing, and is None then. Each method raises Problem."""

    def __init__(self, content: bytes) -> None:
        # Bytes that are no UTF-8 become halves of surrogate pairs: no text has them, and a
        # parameter that is not looked at may.
        text = content.decode(errors="surrogateescape")
        pairs = parse_qsl(text, keep_blank_values=True, errors="surrogateescape")
        self._values = dict(pairs)

    def raw(self, name: str) -> str | None:
        """Return a value as it is."""
        return self._values.get(name)

    def text(self, name: str, most: int) -> str | None:
        """Return a text of at least one code point."""
        value = self.raw(name)
        if value is None:
            return None
        if not 1 <= len(value) <= most or NO_CHARACTERS.search(value):
            refuse()
        return value

    def word(self, name: str, words: Collection[str]) -> str | None:
        """Return one of some words."""
        value = self.raw(name)
        if value is not None and value not in words:
            refuse()
        return value

    def is_true(self, name: str) -> bool:
        """Return whether a parameter is `true`; else it is missing, or `false`."""
        return self.word(name, ("true", "false")) == "true"

    def id(self, name: str) -> int | None:
        """Return an id."""
        value = self.raw(name)
        if value is None:
            return None
        return int(value) if is_id(value) else refuse()

    def instant(self, name: str) -> datetime | None:
        """Return an instant."""
        value = self.raw(name)
        if value is None:
            return None
        return parse_instant(value) or refuse()

    def day(self, name: str) -> date:
        """Return a day, which may not be missing."""
        return parse_day(self.raw(name) or "") or refuse()


def refuse() -> NoReturn:
    """Raise the problem of a query that is not well formed."""
    raise Problem(Kind.MALFORMED)
