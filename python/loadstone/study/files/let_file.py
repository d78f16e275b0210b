"""Lets: values that are fixed when a session begins, in the order in which they are made."""

from collections.abc import Iterator, Mapping, Sequence

from loadstone.errors import WrongValueError
from loadstone.study.files.operation_file import TextReader
from loadstone.study.files.yaml_file import KeyPath
from loadstone.study.systems.start_order import CycleError, start_order
from loadstone.study.templates.bounds import Interval
from loadstone.study.templates.flow import LATER_THAN_LETS, refused
from loadstone.study.templates.names import COUNTERS, Column, Known, Names, Whole, Words
from loadstone.study.templates.resolve import Resolver
from loadstone.study.templates.syntax import Node, split, words_in
from loadstone.study.templates.texts import raw_text
from loadstone.study.values.expressions import (
    Arithmetic,
    Expression,
    Let,
    Random,
    Slot,
    Text,
    Value,
    pieces_of,
)

TypedLet = tuple[KeyPath, str]


def lets_of(
    readers: Mapping[str, TextReader],
    lets: Mapping[str, TypedLet],
    names: Names,
    captured: set[str],
) -> Iterator[Let]:
    """The lets, each behind those that it is made of; their names become known. Raises InputError."""
    parts = {name: readers[name].read(at, _parts, text) for name, (at, text) in lets.items()}
    words = {name: list(_words(each)) for name, each in parts.items()}
    for name, (at, _) in lets.items():
        for word in words[name]:
            if word in captured and word not in names.lets:
                readers[name].read(at, _refused, word)
    needs = {name: [word for word in each if word in lets] for name, each in words.items()}
    try:
        order = start_order(needs)
    except CycleError as error:
        first, *others = error.circle
        by = f", by way of {' and '.join(others)}" if others else ""
        raise readers[first].error(
            lets[first][0], f"is made of itself{by}", "make one of them of something else"
        ) from None
    for name in order:
        at, text = lets[name]
        let, names.values[name] = readers[name].read(at, _let, (name, text))
        yield let


def _parts(text: str, _: Resolver) -> list[str | Node]:
    return split(text)


def _words(parts: Sequence[str | Node]) -> Iterator[str]:
    for part in parts:
        if not isinstance(part, str):
            yield from words_in(part)


def _refused(word: str, _: Resolver) -> None:
    raise refused(word, LATER_THAN_LETS)


def _let(typed: tuple[str, str], resolver: Resolver) -> tuple[Let, Known]:
    """A let and what it is. Raises WrongValueError."""
    name, text = typed
    parts = split(text)
    if len(parts) == 1 and not isinstance(parts[0], str):
        found = resolver.resolved(parts[0])
        if found.form is None and _is_whole(found.expression, resolver.names):
            integer, interval = resolver.integer(parts[0])
            return Let(let=name, integer=integer), Whole(interval)
    filled = raw_text(text, resolver)
    if filled == "":
        raise WrongValueError("is empty", "write a text or a template, or take the let out")
    return Let(let=name, text=filled), _of_text(filled, resolver.names)


def _drawn(text: Text) -> Interval | None:
    """What a let can be that is a drawn number alone; none of another."""
    pieces = pieces_of(text)
    only = pieces[0] if len(pieces) == 1 else None
    if isinstance(only, Slot) and isinstance(only.expression, Random):
        return Interval(*only.expression.random)
    return None


def _is_whole(expression: object, names: Names) -> bool:
    match expression:
        case int() | Arithmetic():
            return True
        case str():
            return expression in COUNTERS
        case Value():
            return isinstance(names.values[expression.value], Whole)
        case _:
            return False


def _of_text(text: Text, names: Names) -> Known:
    drawn = _drawn(text)
    if drawn is not None:
        return Whole(drawn)
    pieces = pieces_of(text)
    slots = [piece.expression for piece in pieces if isinstance(piece, Slot)]
    may_be_empty = len(slots) == len(pieces) and all(_may_be_empty(each, names) for each in slots)
    is_number = len(pieces) == len(slots) == 1 and _is_number(slots[0], names)
    return Words(is_number=is_number, may_be_empty=may_be_empty)


def _may_be_empty(expression: Expression, names: Names) -> bool:
    if not isinstance(expression, Value):
        return False
    known = names.values[expression.value]
    return isinstance(known, Column) or (isinstance(known, Words) and known.may_be_empty)


def _is_number(expression: Expression, names: Names) -> bool:
    if expression == "epoch_ms":
        return True
    if not isinstance(expression, Value):
        return False
    known = names.values[expression.value]
    return isinstance(known, Column | Words) and known.is_number
