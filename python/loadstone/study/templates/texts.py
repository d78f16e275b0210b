"""Texts with templates, as they are sent: literals escaped for their place, and what is filled in.

Each function raises WrongValueError, which says what is wrong with the text that was typed.
"""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from loadstone.errors import WrongValueError
from loadstone.study.templates.bounds import Interval
from loadstone.study.templates.resolve import Constant, Resolved, Resolver
from loadstone.study.templates.syntax import Node, split
from loadstone.study.templates.wrong import further_inside
from loadstone.study.values.expressions import Integer, Slot, Text, joined
from loadstone.text.places import Place, escaped
from loadstone.text.quoted import shortened

_PATH = re.compile(r"[!\"$-~]*")
"""Visible ASCII without a fragment."""
_INNER_HEADER = re.compile(r"[\t -~]*")

Pieces = list[str | Slot]


def has_templates(text: str) -> bool:
    """Whether something in a text is filled in, or stands for braces."""
    return "{{" in text


def path_text(text: str, resolver: Resolver) -> Text:
    """A path and its query."""
    parts = split(text)
    pieces: Pieces = []
    place: Place = "segment"
    for position, part in enumerate(parts):
        if isinstance(part, str):
            if not _PATH.fullmatch(part) or (position == 0 and not part.startswith("/")):
                raise _no_path(text)
            place = "query" if "?" in part else place
            pieces.append(part)
            continue
        found = resolver.resolved(part)
        if found.form == "path" and position > 0:
            raise WrongValueError(
                "path() begins a path: nothing stands before it",
                "write it first, or leave it out for one segment",
            )
        if position == 0 and found.form != "path":
            raise _no_path(text)
        pieces.append(_filled(found, "location" if found.form == "path" else place))
    if not pieces:
        raise _no_path(text)
    return joined(pieces)


def _no_path(text: str) -> WrongValueError:
    return WrongValueError(
        f"{shortened(text)!r} is not a path",
        "begin with '/', and write blanks, '#' and other than ASCII characters as %XX",
    )


def header_text(text: str, resolver: Resolver) -> Text:
    """The value of a header."""
    parts = split(text)
    literals = [part for part in parts if isinstance(part, str)]
    is_right = all(_INNER_HEADER.fullmatch(each) for each in literals)
    if not parts or not is_right or text != text.strip(" \t"):
        raise WrongValueError(
            "the value must be visible ASCII characters with blanks between them",
            "take line ends and other characters out",
        )
    return _text(parts, resolver, "header")


def raw_text(text: str, resolver: Resolver) -> Text:
    """A text that is sent, or looked for, as it is."""
    return _text(split(text), resolver, "raw")


def form_text(fields: Mapping[str, str], resolver: Resolver) -> Text:
    """A body in the form of an HTML form."""
    pieces: Pieces = []
    for name, value in fields.items():
        pieces += ["&" if pieces else "", escaped(name, "form"), "="]
        try:
            pieces += _pieces(split(value), resolver, "form")
        except WrongValueError as error:
            raise further_inside(error, name) from None
    return joined(pieces)


def json_text(value: Any, resolver: Resolver) -> Text:
    """A JSON value in compact form; a text that is one template alone keeps the type of its value."""
    return joined(_json(value, resolver))


def _json(value: Any, resolver: Resolver) -> Iterable[str | Slot]:
    match value:
        case str():
            yield from _json_string(value, resolver, may_be_whole=True)
        case dict():
            yield "{"
            for position, (key, member) in enumerate(value.items()):
                yield "," if position else ""
                try:
                    yield from _json_string(key, resolver, may_be_whole=False)
                    yield ":"
                    yield from _json(member, resolver)
                except WrongValueError as error:
                    raise further_inside(error, key) from None
            yield "}"
        case list():
            yield "["
            for position, member in enumerate(value):
                yield "," if position else ""
                try:
                    yield from _json(member, resolver)
                except WrongValueError as error:
                    raise further_inside(error, position) from None
            yield "]"
        case _:
            yield json.dumps(value)


def _json_string(text: str, resolver: Resolver, *, may_be_whole: bool) -> Iterable[str | Slot]:
    parts = split(text)
    if len(parts) == 1 and may_be_whole and not isinstance(parts[0], str):
        found = resolver.resolved(parts[0])
        yield _filled(found, "json_number" if found.form == "number" else "json")
        return
    yield '"'
    yield from _pieces(parts, resolver, "json_string")
    yield '"'


def integer_of(
    text: str, resolver: Resolver, least: int, most: int | None, what: str
) -> tuple[Integer, Interval]:
    """A whole number between two bounds, of a text that is one template, and what it can be."""
    parts = split(text)
    if len(parts) != 1 or isinstance(parts[0], str):
        raise WrongValueError(
            f"{shortened(text)!r} is not {what}", f"write {what}, or one template"
        )
    found, interval = resolver.integer(parts[0])
    if interval.least < least:
        raise WrongValueError(
            f"may come to {interval.least}, less than {least}", "make it of numbers that are larger"
        )
    if most is not None and interval.most > most:
        raise WrongValueError(
            f"may come to {interval.most}, more than {most}",
            f"take a remainder, such as `session_number % {most}`",
        )
    return found, interval


def _text(parts: Iterable[str | Node], resolver: Resolver, place: Place) -> Text:
    return joined(_pieces(parts, resolver, place))


def _pieces(parts: Iterable[str | Node], resolver: Resolver, place: Place) -> Pieces:
    return [
        escaped(part, place) if isinstance(part, str) else _filled(resolver.resolved(part), place)
        for part in parts
    ]


def _filled(found: Resolved, place: Place) -> str | Slot:
    """What is filled in; a constant is filled in at once."""
    if found.form == "number" and place != "json_number":
        raise WrongValueError(
            "number() is for a whole JSON value", "leave number() out, or write it alone in quotes"
        )
    if found.form == "path" and place != "location":
        raise WrongValueError(
            "path() is for the path of a request", "leave path() out for a text of another kind"
        )
    match found.expression:
        case Constant():
            return escaped(found.expression.text, place)
        case int():
            return str(found.expression)
        case _:
            return Slot(expression=found.expression, place=place)
