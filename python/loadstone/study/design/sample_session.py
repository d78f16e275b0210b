"""The first session of a group, put together as far as it is known before a load.

What an answer is to tell, what is drawn and what depends on the time stays as it was typed. Secrets of
the environment, and what is put into headers that hold secrets, are masked.
"""

import base64
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from loadstone.errors import WrongValueError
from loadstone.study.files.csv_file import rows_of
from loadstone.study.values.expression_text import slot_shown
from loadstone.study.values.expressions import (
    Arithmetic,
    Base64,
    Environment,
    Expression,
    Let,
    Moment,
    Slot,
    Text,
    Value,
    calculated,
    pieces_of,
)
from loadstone.study.values.feeds import Feed, FileRows
from loadstone.study.values.groups import Group
from loadstone.text.places import Place, escaped
from loadstone.text.secrets import MASK

_SCHEME = re.compile(r"[A-Za-z]+ ")
"""How an authorization begins: it is no secret."""

Known = int | str


@dataclass(frozen=True)
class SampleSession:
    """Session 0 of a group, of user 0 where it has users."""

    values: Mapping[str, Known | None]
    """What feeds and lets come to, by name; none of what is not known beforehand."""
    run_id: str | None

    def text(self, text: Text) -> str:
        """A text as it is sent; what is not known stays in braces."""
        return "".join(
            piece if isinstance(piece, str) else self._filled(piece) for piece in pieces_of(text)
        )

    def secret(self, text: Text) -> str:
        """The value of a header that holds a secret: its scheme, and what captures it."""
        return "".join(map(self._masked, pieces_of(text)))

    def known(self, expression: Expression) -> Known | None:
        """What an expression comes to; none where it is not known beforehand."""
        match expression:
            case int():
                return expression
            case "session_number" | "user_number" | "turn":
                return 0
            case "run_id":
                return self.run_id
            case Value():
                return self.values.get(expression.value)
            case Arithmetic():
                return self._calculated(expression)
            case Moment():
                return self._moment(expression)
            case Base64():
                inside = self.whole(expression.base64)
                return None if inside is None else base64.b64encode(inside.encode()).decode()
            case _:
                return None

    def _filled(self, slot: Slot) -> str:
        if isinstance(slot.expression, Environment):
            return MASK
        found = self.known(slot.expression)
        if found is None:
            return slot_shown(slot)
        try:
            return _written(found, slot.place)
        except WrongValueError:
            return slot_shown(slot)  # it cannot be sent: the load says so

    def _masked(self, piece: str | Slot) -> str:
        if isinstance(piece, str):
            return piece if _SCHEME.fullmatch(piece) else MASK
        is_captured = isinstance(piece.expression, Value) and self.known(piece.expression) is None
        return slot_shown(piece) if is_captured else MASK

    def whole(self, text: Text) -> str | None:
        """A text of which everything is known; none of another."""
        found: list[str] = []
        for piece in pieces_of(text):
            value = piece if isinstance(piece, str) else self.known(piece.expression)
            if value is None:
                return None
            found.append(str(value))
        return "".join(found)

    def _calculated(self, expression: Arithmetic) -> int | None:
        left, right = self.known(expression.left), self.known(expression.right)
        if isinstance(left, int) and isinstance(right, int):
            return calculated(expression.operator, left, right)
        return None

    def _moment(self, moment: Moment) -> str | None:
        parts = [self.known(part) for part in (moment.days, moment.hours, moment.minutes)]
        days, hours, minutes = (part if isinstance(part, int) else None for part in parts)
        if moment.base_s is None or days is None or hours is None or minutes is None:
            return None
        at = datetime.fromtimestamp(moment.base_s, UTC)
        at += timedelta(days=days, hours=hours, minutes=minutes)
        text = at.strftime("%Y-%m-%dT%H:%M:%SZ")
        return text if moment.form == "second" else text[:10]


def sample_session(group: Group, folder: Path, run_id: str | None) -> SampleSession:
    """The first session of a group, whose feeds' files are looked up in that of the workload's file.

    Raises InputError where one cannot be read.
    """
    values: dict[str, Known | None] = {}
    for feed in group.feeds:
        values.update(_first_row(feed, folder))
    for let in group.lets:
        values[let.let] = _let(let, SampleSession(values, run_id))
    return SampleSession(values, run_id)


def _first_row(feed: Feed, folder: Path) -> Mapping[str, Known | None]:
    source = feed.source
    if feed.take == "random":
        return dict.fromkeys(feed.values)
    if not isinstance(source, FileRows):
        return {feed.feed: source.first}
    row = next(rows_of(folder / source.file, source.first, source.first))
    return dict(zip(feed.values, row, strict=True))


def _let(let: Let, session: SampleSession) -> Known | None:
    if let.integer is not None:
        return session.known(let.integer)
    pieces = pieces_of(let.text or "")
    if len(pieces) == 1 and isinstance(pieces[0], Slot):
        return session.known(pieces[0].expression)
    return session.whole(let.text or "")


def _written(value: Known, place: Place) -> str:
    return str(value) if isinstance(value, int) else escaped(value, place)
