"""Texts and numbers within the bounds of a schema, the same each time. What has no simple value that
fits is not made.
"""

import math
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from loadstone.describe.model import CannotMake
from loadstone.text.quoted import shortened, shown

MOST_CHARACTERS = 10_000
"""Of a text that asks for so many."""
_BRANCHES = re.compile(r"[*+?]|\{[0-9]*,")
"""Where a pattern may go on in several ways."""
_MOST_BRANCHES = 4
_MOST_TRIED = 40
"""Characters of a text that a pattern is tried on: with so few branches it is done in a moment."""
_REPEATED_GROUP = re.compile(r"\)[*+{]")
"""Inside such a group branches multiply without end."""

FORMATS = {
    "date": "2026-01-15",
    "date-time": "2026-01-15T12:00:00Z",
    "time": "12:00:00Z",
    "duration": "PT1H",
    "uuid": "00000000-0000-4000-8000-000000000001",
    "email": "user@example.com",
    "idn-email": "user@example.com",
    "hostname": "example.com",
    "idn-hostname": "example.com",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
    "uri": "https://example.com/",
    "url": "https://example.com/",
    "uri-reference": "/",
    "iri": "https://example.com/",
    "byte": "dGV4dA==",
    "json-pointer": "/a",
    "regex": "a",
}
"""Format to a value; addresses and names are set aside for examples (RFC 2606, 5737 and 3849)."""

_TRIED = (
    "text",
    "Text",
    "TEXT",
    "a",
    "A",
    "1",
    "1.0",
    "0" * 10,
    "A1",
    "a1",
    "a-1",
    "+10000000000",
    "#a1b2c3",
)
"""Texts that common patterns take."""

Schema = Mapping[str, Any]

_LARGEST = 10**18
"""Bounds beyond what a step may hold are none."""


def made_text(schema: Schema) -> str:
    """A text. Raises CannotMake."""
    if schema.get("format") == "binary" or "contentMediaType" in schema:
        raise CannotMake("it is a file")
    least, most = _length(schema, "minLength", 0), _length(schema, "maxLength", MOST_CHARACTERS)
    if least > MOST_CHARACTERS or least > most:
        raise CannotMake(f"it is a text of {least} to {most} characters")
    pattern = schema.get("pattern")
    if isinstance(pattern, str):
        return _matching(pattern, least, most)
    named = FORMATS.get(str(schema.get("format")))
    if named is not None and least <= len(named) <= most:
        return named
    return _sized("text", least, most)


def made_number(schema: Schema, *, is_whole: bool) -> int | float:
    """A number. Raises CannotMake."""
    low, low_out = _bound(schema, "minimum", "exclusiveMinimum", max)
    high, high_out = _bound(schema, "maximum", "exclusiveMaximum", min)
    step = _step(schema.get("multipleOf")) or (Fraction(1) if is_whole else None)
    if is_whole and step is not None and step.denominator != 1:
        step = Fraction(step.numerator)  # of 2.5 the whole multiples are those of 5
    tried: list[Fraction] = [Fraction(1)]
    for bound, is_out in ((low, low_out), (high, high_out)):
        if bound is not None:
            tried += _near(bound, step, is_out)
    if low is not None and high is not None:
        tried.append((low + high) / 2)
    if step is not None:
        tried.append(step)
    tried.append(Fraction(0))
    for each in tried:
        value = int(each) if each.denominator == 1 else float(each)
        # Of a float as it is: what is nearest to a number between two bounds may be one of them.
        exact = Fraction(value)
        above = low is None or exact > low or (exact == low and not low_out)
        below = high is None or exact < high or (exact == high and not high_out)
        if above and below and (step is None or each % step == 0):
            return value
    raise CannotMake("no simple number is within its bounds")


def _near(bound: Fraction, step: Fraction | None, is_out: bool) -> list[Fraction]:
    """Numbers at a bound and on both sides of it."""
    if step is None:
        return [bound + 1, bound - 1] if is_out else [bound]
    up, down = math.ceil(bound / step) * step, math.floor(bound / step) * step
    return [up, down, up + step, down - step]


def _bound(
    schema: Schema, key: str, out_key: str, narrower: Callable[[Fraction, Fraction], Fraction]
) -> tuple[Fraction | None, bool]:
    """A bound, and whether it is itself outside: 3.0 says so by a boolean, 3.1 by one more bound."""
    bound, out = _number(schema.get(key)), schema.get(out_key)
    if isinstance(out, bool) or (further := _number(out)) is None:
        return bound, out is True
    if bound is None:
        return further, True
    return narrower(bound, further), narrower(bound, further) == further


def _number(value: Any) -> Fraction | None:
    """A bound, exactly as it is; none where it is none, or larger than what a step may hold."""
    if isinstance(value, bool) or not isinstance(value, int | float) or abs(value) > _LARGEST:
        return None
    return Fraction(value)


def _step(value: Any) -> Fraction | None:
    """A step as it is written: of 0.1 a tenth, not the nearest float."""
    exact = _number(value)
    return exact if exact is None or isinstance(value, int) else Fraction(str(value))


def _length(schema: Schema, key: str, default: int) -> int:
    value = schema.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
        raise CannotMake(f"its {key} is {shown(value)}")
    return int(value)


def _matching(pattern: str, least: int, most: int) -> str:
    if len(_BRANCHES.findall(pattern)) > _MOST_BRANCHES or _REPEATED_GROUP.search(pattern):
        raise CannotMake(f"its pattern {shortened(pattern)!r} is not tried: it may never end")
    try:
        expression = re.compile(pattern)
    except (re.error, OverflowError, RecursionError):
        raise CannotMake(f"its pattern {shortened(pattern)!r} cannot be read") from None
    for text in (*_TRIED, *FORMATS.values()):
        for sized in dict.fromkeys((text, _sized(text, least, most))):
            if least <= len(sized) <= min(most, _MOST_TRIED) and expression.search(sized):
                return sized
    raise CannotMake(f"no simple text matches its pattern {shortened(pattern)!r}")


def _sized(text: str, least: int, most: int) -> str:
    """A text, repeated or cut to a length."""
    if len(text) < least:
        text = (text * -(-least // len(text)))[:least]
    return text[:most]
