"""JSON as the services write it, and the objects that an answer has."""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from loadstone.contract.client import Answer
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.faults import ServiceFault

Test = Callable[[object], bool]
Shape = Mapping[str, Test]
"""Members in their order, and what each of them is."""

JSON: Final = ("Content-Type", "application/json")
"""The field that says so."""

_CONTROL = re.compile(rb'\\(?:u00[01][0-9a-fA-F]|["\\/bfnrtu])')
_SHOWN_BYTES = 120


class NotJson(ServiceFault):
    """A body that should be JSON is none."""


def compact(value: object) -> bytes:
    """The bytes of a value as the services write it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def read_json(body: bytes) -> Any:
    """The value of a body. Raises NotJson."""
    try:
        return json.loads(body.decode("utf-8"))
    except ValueError as error:
        raise NotJson(f"not JSON: {error} in {body[:_SHOWN_BYTES]!r}") from error


def expect_status(answer: Answer, status: int, what: str) -> None:
    """Expect this status; what came instead is shown."""
    seen = f"{answer.status}, not {status}: {answer.body[:_SHOWN_BYTES]!r}"
    expect(answer.status == status, f"the status of {what} is {seen}")


def value_of(answer: Answer, status: int, what: str) -> Any:
    """The value of an answer, which is JSON, as compact as it could be."""
    expect_status(answer, status, what)
    expect_equal(answer.values("content-type"), ("application/json",), f"Content-Type of {what}")
    expect_equal(answer.values("content-encoding"), (), f"Content-Encoding of {what}")
    value = read_json(answer.body)
    # How a control is escaped is free, and nothing else is.
    body = _CONTROL.sub(_as_written_here, answer.body)
    expect_equal(body, compact(value), f"the body of {what}, not as compact as it could be,")
    return value


def object_of(
    answer: Answer, status: int, shape: Shape, what: str, /, **wanted: object
) -> dict[str, Any]:
    """The object of an answer, of this shape and with these values."""
    found = expect_shape(value_of(answer, status, what), shape, what)
    for name, value in wanted.items():
        expect_equal(found[name], value, f"{name} of {what}")
    return found


def list_of(answer: Answer, shape: Shape, what: str) -> list[dict[str, Any]]:
    """The objects of an answer of 200, each of this shape."""
    found = value_of(answer, 200, what)
    if not isinstance(found, list):
        raise AssertionError(f"{what} is {_short(found)}, not an array")  # noqa: TRY004
    return [expect_shape(each, shape, f"an item of {what}") for each in found]


def expect_shape(value: object, shape: Shape, what: str) -> dict[str, Any]:
    """Expect an object of these members in this order, each as it should be."""
    if not isinstance(value, dict) or tuple(value) != tuple(shape):
        raise AssertionError(f"{what} is {_short(value)}, not an object of {', '.join(shape)}")
    for name, is_right in shape.items():
        expect(is_right(value[name]), f"{name} of {what} is {_short(value[name])}")
    return value


def _as_written_here(found: "re.Match[bytes]") -> bytes:
    """An escape of a control as Python writes it, any other as it is."""
    if not found[0].startswith(b"\\u00"):
        return found[0]
    return json.dumps(json.loads(b'"' + found[0] + b'"'))[1:-1].encode()


def _short(value: object) -> str:
    return repr(value)[:_SHOWN_BYTES]
