"""What a session's step or a declared check wants of an answer, held against one as it came.

The engine judges answers under load by the same words: `docs/reference/workload.md` says what they
mean.
"""

import json
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any

from loadstone.contract.client import Answer
from loadstone.contract.expect import expect
from loadstone.study.values.expressions import Text, pieces_of
from loadstone.study.values.steps import (
    ANY,
    AnswerCheck,
    Exactly,
    Filled,
    HeaderCheck,
    MemberCheck,
    pointer_shown,
)
from loadstone.text.quoted import shortened


class _Number(str):
    """A number of JSON as it is written."""

    __slots__ = ()


def expect_answer(answer: Answer, check: AnswerCheck) -> None:
    """Raise AssertionError with what was seen, unless the answer is what a check without templates
    wants.
    """
    wanted = " or ".join(map(str, check.status)) or "2xx"
    is_expected = answer.status in check.status if check.status else 200 <= answer.status < 300
    expect(is_expected, f"the status is {answer.status}, not {wanted}")
    if check.members:
        tree = _parsed(answer.body)
        for member in check.members:
            _expect_member(tree, member)
    for header in check.headers:
        _expect_header(answer, header)
    if check.body_contains is not None:
        text = _literal(check.body_contains)
        expect(text.encode() in answer.body, f"the body lacks {shortened(text)!r}")


def _expect_member(tree: Any, member: MemberCheck) -> None:
    where = pointer_shown(member.pointer) or "the body"
    found = list(_values_at(tree, member.pointer))
    match member.expect:
        case "present":
            expect(bool(found), f"{where} is not there")
        case "absent":
            expect(not found, f"{where} is there")
        case Exactly(value=wanted):
            seen = _shown(found[0]) if found else "not there"
            holds = any(_is_equal(each, wanted) for each in found)
            expect(holds, f"{where} is {seen}, not {_shown(wanted)}")
        case Filled():
            raise TypeError("a check without templates has no places")


def _expect_header(answer: Answer, header: HeaderCheck) -> None:
    values = answer.values(header.header)
    match header.expect:
        case "present":
            expect(bool(values), f"the header {header.header} is not there")
        case "absent":
            expect(not values, f"the header {header.header} is there")
        case Filled(text=text):
            seen = repr(shortened(values[0])) if values else "not there"
            wanted = _literal(text)
            holds = bool(values) and values[0] == wanted
            expect(holds, f"the header {header.header} is {seen}, not {shortened(wanted)!r}")


def _literal(text: Text) -> str:
    return "".join(str(piece) for piece in pieces_of(text))


def _parsed(body: bytes) -> Any:
    """The JSON of a body; of equal members the first counts. Raises AssertionError."""

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, value in pairs:
            found.setdefault(name, value)
        return found

    try:
        return json.loads(body, object_pairs_hook=members, parse_int=_Number, parse_float=_Number)
    except (ValueError, RecursionError) as error:
        raise AssertionError(f"the body is no JSON: {error}") from None


def _values_at(value: Any, pointer: Sequence[str]) -> Iterator[Any]:
    """What stands at a pointer; of `*` every element."""
    if not pointer:
        yield value
        return
    token, rest = pointer[0], pointer[1:]
    if isinstance(value, list):
        if token == ANY:
            for each in value:
                yield from _values_at(each, rest)
        elif token in map(str, range(len(value))):
            yield from _values_at(value[int(token)], rest)
    elif isinstance(value, dict) and token != ANY and token in value:
        yield from _values_at(value[token], rest)


def _is_equal(found: Any, wanted: Any) -> bool:
    """Whether two values are the same; numbers are compared by what they come to."""
    if isinstance(found, _Number):
        is_number = isinstance(wanted, int | float) and not isinstance(wanted, bool)
        return is_number and Decimal(found) == Decimal(str(wanted))
    if isinstance(found, list) and isinstance(wanted, list):
        return len(found) == len(wanted) and all(map(_is_equal, found, wanted))
    if isinstance(found, dict) and isinstance(wanted, dict):
        return found.keys() == wanted.keys() and all(
            _is_equal(found[name], wanted[name]) for name in found
        )
    return type(found) is type(wanted) and bool(found == wanted)


def _shown(value: Any) -> str:
    if isinstance(value, _Number):
        return shortened(str(value))
    return shortened(json.dumps(value, ensure_ascii=False))
