"""What a server answers, and what an interpreter of sessions sees in it."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, NamedTuple

Json = dict[str, Any]


@dataclass(frozen=True)
class Answer:
    """What a server answers."""

    status: int = 200
    body: str = ""
    headers: tuple[tuple[str, str], ...] = ()


class Text(NamedTuple):
    """A value that is a text; bare, if it stands in JSON without quotes."""

    text: str
    is_bare: bool = False


class BareText(str):
    """A number of JSON as it is written."""

    __slots__ = ()


def json_string(text: str) -> str:
    short = {"\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "\\": "\\\\"}
    return "".join(
        short.get(each) or (f"\\u{ord(each):04X}" if each < " " else each) for each in text
    )


def is_number(text: str) -> bool:
    try:
        return (
            isinstance(json.loads(text), int | float)
            and text.strip() == text
            and text[0] in "-0123456789"
        )
    except ValueError:
        return False


class Parsed(NamedTuple):
    """A JSON value."""

    value: Any


def parsed(body: str) -> Parsed | None:
    """The JSON of a body; of equal members the first counts."""

    def members(pairs: list[tuple[str, Any]]) -> Json:
        found: Json = {}
        for name, value in pairs:
            found.setdefault(name, value)
        return found

    try:
        value = json.loads(
            body, object_pairs_hook=members, parse_int=BareText, parse_float=BareText
        )
    except ValueError:
        return None
    return Parsed(value)


def values_at(value: Any, pointer: Sequence[str]) -> Iterable[Any]:
    """What stands at a pointer; of `*` every element."""
    if not pointer:
        yield value
        return
    token, rest = pointer[0], pointer[1:]
    if isinstance(value, list):
        if token == "*":
            for each in value:
                yield from values_at(each, rest)
        elif token.isdigit() and str(int(token)) == token and int(token) < len(value):
            yield from values_at(value[int(token)], rest)
    elif isinstance(value, dict) and token in value and token != "*":
        yield from values_at(value[token], rest)


def scalar_of(value: Any) -> Text | None:
    """The text of a string, a number or a boolean."""
    match value:
        case bool():
            return Text("true" if value else "false", is_bare=True)
        case BareText():
            return Text(str(value), is_bare=True)
        case str():
            return Text(value)
    return None


def is_equal(found: Any, wanted: Any) -> bool:
    match found:
        case BareText():
            is_number = isinstance(wanted, int | float) and not isinstance(wanted, bool)
            return is_number and Decimal(found) == Decimal(str(wanted))
        case list():
            return (
                isinstance(wanted, list)
                and len(found) == len(wanted)
                and all(map(is_equal, found, wanted))
            )
        case dict():
            return (
                isinstance(wanted, dict)
                and found.keys() == wanted.keys()
                and all(is_equal(found[key], wanted[key]) for key in found)
            )
    return type(found) is type(wanted) and bool(found == wanted)


def set_cookies(answer: Answer) -> Iterable[tuple[tuple[str, str], dict[str, str]]]:
    for name, line in answer.headers:
        if name.lower() != "set-cookie":
            continue
        pair, *attributes = line.split(";")
        cookie, _, value = pair.partition("=")
        named = (each.partition("=")[::2] for each in attributes)
        yield (
            (cookie.strip(), value.strip()),
            {key.strip().lower(): text.strip() for key, text in named},
        )
