"""What is filled into a request: frozen values of expressions, and texts with such places in them.

Constants are already folded, and literals escaped for where they stand. Names are those of the group's
values: columns of feeds, lets and captures.
"""

from collections.abc import Iterable, Iterator
from typing import Literal

from loadstone.frozen import Frozen
from loadstone.text.places import Place

Counter = Literal["session_number", "user_number", "turn"]
"""Each from 0: of the group's sessions, of its users, of the turns of a repeat."""
Operator = Literal["+", "-", "*", "/", "%"]
"""Of 64-bit integers. Division truncates towards zero, and `%` is its remainder."""
OPERATORS: tuple[Operator, ...] = ("+", "-", "*", "/", "%")


class Value(Frozen):
    """A value of the group, by its name."""

    value: str
    """`FEED.COLUMN`, a feed of numbers, a let or a capture."""


class Arithmetic(Frozen):
    """An integer made of two."""

    operator: Operator
    """What is done."""
    left: "Integer"
    """With this."""
    right: "Integer"
    """And this; of a division a positive constant."""


Integer = int | Counter | Value | Arithmetic
"""A whole number, known when it is filled in."""


class Random(Frozen):
    """A whole number that is drawn."""

    random: tuple[int, int]
    """The least and the most; each between them is as likely."""


class Moment(Frozen):
    """A moment: a base and what is added to it."""

    base_s: int | None
    """Seconds since 1970; none: now."""
    days: Integer = 0
    """Added."""
    hours: Integer = 0
    """Added."""
    minutes: Integer = 0
    """Added."""
    form: Literal["second", "day"] = "second"
    """RFC 3339 to the second, in UTC, or the date alone."""

    @property
    def is_now(self) -> bool:
        """Whether it is the present moment itself."""
        return self.base_s is None and (self.days, self.hours, self.minutes) == (0, 0, 0)


class Environment(Frozen):
    """A variable of the lab's environment: a secret, which is read when a load begins."""

    env: str
    """Its name."""


class Base64(Frozen):
    """A text in base64."""

    base64: "Text"
    """The text."""


Told = Literal["uuid", "epoch_ms", "run_id"]
"""A UUID that is drawn, milliseconds since 1970, and what tells this run from others."""

Expression = Integer | Told | Random | Moment | Environment | Base64
"""What a place is filled with."""


class Slot(Frozen):
    """A place in a text that is filled in."""

    expression: Expression
    """With what."""
    place: Place
    """How it is written there."""


Text = str | tuple[str | Slot, ...]
"""A text as it is sent: literals, already escaped, and places that are filled in."""

for _recursive in (Arithmetic, Moment, Base64, Slot):
    _recursive.model_rebuild()


class Let(Frozen):
    """A value that is fixed when a session begins."""

    let: str
    """Its name."""
    integer: Integer | None = None
    """What it is, where it is a whole number."""
    text: Text | None = None
    """What it is otherwise."""


def joined(pieces: Iterable[str | Slot]) -> Text:
    """A text of pieces, literals that touch made one."""
    found: list[str | Slot] = []
    for piece in pieces:
        last = found[-1] if found else None
        if isinstance(piece, str) and isinstance(last, str):
            found[-1] = last + piece
        elif piece != "":
            found.append(piece)
    if not found:
        return ""
    return found[0] if len(found) == 1 and isinstance(found[0], str) else tuple(found)


def pieces_of(text: Text) -> tuple[str | Slot, ...]:
    """The pieces of a text; none of an empty one."""
    if isinstance(text, str):
        return (text,) if text else ()
    return text


def slots_of(text: Text) -> Iterator[Slot]:
    """The places of a text, those inside of others too."""
    for piece in pieces_of(text):
        if isinstance(piece, Slot):
            yield piece
            if isinstance(piece.expression, Base64):
                yield from slots_of(piece.expression.base64)


def values_in(expression: Expression) -> Iterator[str]:
    """Names of the values that an expression is made of."""
    match expression:
        case Value():
            yield expression.value
        case Arithmetic():
            yield from values_in(expression.left)
            yield from values_in(expression.right)
        case Moment():
            for part in (expression.days, expression.hours, expression.minutes):
                yield from values_in(part)
        case Base64():
            for slot in slots_of(expression.base64):
                yield from values_in(slot.expression)
        case _:
            return


def values_of(text: Text) -> set[str]:
    """Names of the values that a text is made of."""
    return {name for slot in slots_of(text) for name in values_in(slot.expression)}


def truncated(left: int, right: int) -> int:
    """A quotient, truncated towards zero."""
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


def calculated(operator: Operator, left: int, right: int) -> int:
    """What an operator makes of two integers."""
    match operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/":
            return truncated(left, right)
        case "%":
            return left - right * truncated(left, right)
