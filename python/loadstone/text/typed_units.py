"""Units as typed in a file, read in one place: `10s` to nanoseconds, `3%` to a fraction.

Each reader raises WrongValueError, which says what to write. Printing for people is the
matter of the report.
"""

import re
from decimal import Decimal
from typing import Annotated, Any, Literal, get_args

from pydantic import BeforeValidator, WithJsonSchema

from loadstone.errors import WrongValueError
from loadstone.text.quoted import shown

_NS_PER_UNIT = {"ms": 10**6, "s": 10**9, "m": 60 * 10**9, "h": 3600 * 10**9}
_QUANTITY = re.compile(r"(-?)([0-9]{1,9}(?:\.[0-9]{1,9})?)([A-Za-z%]*)")

_BYTES_PER_UNIT = {"K": 2**10, "M": 2**20, "G": 2**30}
"""As JVMs and container engines count them."""

LONGEST_NS = 7 * 24 * 3600 * 10**9
"""One load of more than a week is a slip of the keyboard."""


_DURATIONS = "write 10s, 500ms, 4m or 1h"
_FRACTIONS = "write 3% or 0.5%"
_SIZES = "write 512M or 1.5G"


def duration_ns(typed: Any) -> int:
    """A duration above zero, nanoseconds."""
    nanoseconds = duration_or_zero_ns(typed)
    if nanoseconds == 0:
        raise WrongValueError(f"must be more than zero, not {typed}", _DURATIONS)
    return nanoseconds


def duration_or_zero_ns(typed: Any) -> int:
    """A duration of zero or more, nanoseconds."""
    sign, number, unit = _quantity(typed, "a duration", _DURATIONS)
    if unit not in _NS_PER_UNIT:
        raise WrongValueError(f"{typed!r} has no unit of time", _DURATIONS)
    nanoseconds = number * _NS_PER_UNIT[unit]
    if sign and number:
        raise WrongValueError(f"must not be negative, not {typed}", f"write {typed.lstrip('-')}")
    if nanoseconds > LONGEST_NS:
        raise WrongValueError(f"{typed} is more than a week", "write a shorter duration")
    if nanoseconds != int(nanoseconds):
        raise WrongValueError(f"{typed} is not a whole number of nanoseconds", _DURATIONS)
    return int(nanoseconds)


def whole_seconds_ns(typed: Any) -> int:
    """A duration of whole seconds above zero, nanoseconds."""
    return _whole(duration_ns(typed), typed)


def whole_seconds_or_zero_ns(typed: Any) -> int:
    """A duration of whole seconds, zero included, nanoseconds."""
    return _whole(duration_or_zero_ns(typed), typed)


WarmUpWord = Literal["steady", "detected"]


def warm_up(typed: Any) -> int | WarmUpWord:
    """Whole seconds, or one of the words `steady` and `detected`."""
    word: WarmUpWord
    for word in get_args(WarmUpWord):
        if typed == word:
            return word
    return whole_seconds_or_zero_ns(typed)


def fraction(typed: Any) -> float:
    """A percentage above zero and up to 100 %, as a fraction: `3%` is 0.03."""
    sign, number, unit = _quantity(typed, "a percentage", _FRACTIONS)
    if unit != "%":
        raise WrongValueError(f"{typed!r} has no percent sign", _FRACTIONS)
    if sign or not 0 < number <= 100:
        raise WrongValueError(f"must be more than 0% and at most 100%, not {typed}", _FRACTIONS)
    return float(number / 100)


def size_bytes(typed: Any) -> int:
    """A size of memory above zero, bytes: `512M` is 512 times 2^20."""
    sign, number, unit = _quantity(typed, "a size", _SIZES)
    if unit not in _BYTES_PER_UNIT:
        raise WrongValueError(f"{typed!r} has no unit of K, M or G", _SIZES)
    if sign or not number:
        raise WrongValueError(f"must be more than zero, not {typed}", _SIZES)
    return int(number * _BYTES_PER_UNIT[unit])


def _whole(nanoseconds: int, typed: Any) -> int:
    if nanoseconds % 10**9:
        raise WrongValueError(
            f"must be whole seconds, not {typed}: records have intervals of one second",
            "write 10s, 4m or 1h",
        )
    return nanoseconds


def _quantity(typed: Any, what: str, remedy: str) -> tuple[str, Decimal, str]:
    text = str(typed) if isinstance(typed, int | float) else typed
    found = _QUANTITY.fullmatch(text) if isinstance(text, str) else None
    if found is None:
        raise WrongValueError(f"{shown(typed)} is not {what}", remedy)
    sign, number, unit = found.groups()
    return sign, Decimal(number), unit


_DURATION_SCHEMA = {
    "type": "string",
    "pattern": r"^[0-9]{1,9}(\.[0-9]{1,9})?(ms|s|m|h)$",
    "examples": ["10s", "500ms", "4m", "1h"],
}
_FRACTION_SCHEMA = {
    "type": "string",
    "pattern": r"^[0-9]{1,9}(\.[0-9]{1,9})?%$",
    "examples": ["3%", "0.5%"],
}

_SIZE_SCHEMA = {
    "type": "string",
    "pattern": r"^[0-9]{1,9}(\.[0-9]{1,9})?[KMG]$",
    "examples": ["512M", "1.5G"],
}

Duration = Annotated[int, BeforeValidator(duration_ns), WithJsonSchema(_DURATION_SCHEMA)]
DurationOrZero = Annotated[
    int, BeforeValidator(duration_or_zero_ns), WithJsonSchema(_DURATION_SCHEMA)
]
WholeSeconds = Annotated[int, BeforeValidator(whole_seconds_ns), WithJsonSchema(_DURATION_SCHEMA)]
WholeSecondsOrZero = Annotated[
    int, BeforeValidator(whole_seconds_or_zero_ns), WithJsonSchema(_DURATION_SCHEMA)
]
WarmUp = Annotated[
    int | WarmUpWord,
    BeforeValidator(warm_up),
    WithJsonSchema({"anyOf": [_DURATION_SCHEMA, {"enum": list(get_args(WarmUpWord))}]}),
]
Fraction = Annotated[float, BeforeValidator(fraction), WithJsonSchema(_FRACTION_SCHEMA)]
Size = Annotated[int, BeforeValidator(size_bytes), WithJsonSchema(_SIZE_SCHEMA)]
