"""What a step checks and captures of its answer, as typed."""

import re
from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Discriminator, Field, Tag

from loadstone.errors import WrongValueError
from loadstone.study.files.operation_file import TextReader
from loadstone.study.files.raw import Raw, Text, ValueName
from loadstone.study.files.yaml_file import KeyPath
from loadstone.study.templates.resolve import Resolver
from loadstone.study.templates.texts import has_templates, integer_of, raw_text
from loadstone.study.values.expressions import Integer
from loadstone.study.values.steps import (
    ANY,
    AnswerCheck,
    Capture,
    Exactly,
    Filled,
    FromCookie,
    FromHeader,
    FromJson,
    HeaderCheck,
    Instead,
    MemberCheck,
    Pointer,
    Presence,
)
from loadstone.text.json_pointer import tokens_of
from loadstone.text.quoted import shortened

MOST_SEGMENTS = 8
"""Of a pointer."""
MOST_POINTERS = 16
"""Of one answer: it is searched for all of them in one pass."""

_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
"""RFC 9110, section 5.6.2; of a cookie, too (RFC 6265, section 4.1.1)."""


def _is_token(text: str) -> str:
    if not _TOKEN.fullmatch(text):
        raise WrongValueError(
            f"{shortened(text)!r} is not the name of a header or a cookie",
            "write a name such as location",
        )
    return text


Token = Annotated[str, AfterValidator(_is_token)]
Status = Annotated[int, Field(ge=200, le=599)]


def _one_or_list(typed: Any) -> str:
    return "as a list" if isinstance(typed, list) else "as a code"


Statuses = Annotated[
    Annotated[Status, Tag("as a code")]
    | Annotated[Annotated[list[Status], Field(min_length=1)], Tag("as a list")],
    Discriminator(_one_or_list),
]


class RawAnswerCheck(Raw):
    """What an answer must be for its request to be ok."""

    status: Statuses | None = None
    """Status code of the final answer, or several; each further one is counted in a cell of its own.
    Without it, any 2xx."""
    or_end: Statuses | None = None
    """Further codes that are ok and finish the session; each in a cell of its own."""
    body_contains: Text | None = None
    """Text that the body must contain."""
    json_body: dict[str, Any] | None = Field(default=None, alias="json")
    """JSON pointer to `present`, `absent`, a value or a template; `*` in it is any element."""
    header: dict[Token, str] | None = None
    """Name of a header to `present`, `absent` or a template."""


class RawInstead(Raw):
    """A text in place of what is missing."""

    value: str
    """The text."""


class RawCapture(Raw):
    """Where a value comes from: exactly one of json, header and cookie."""

    json_body: str | None = Field(default=None, alias="json")
    """A JSON pointer into the body; `*` in it is any element."""
    header: Token | None = None
    """The name of a header."""
    cookie: Token | None = None
    """The name of a cookie that the answer sets."""
    pick: int | str | None = None
    """Of the elements that `*` stands for: `first`, `random`, a number from 0, or a template of one.
    Default first."""
    or_: Annotated[Any, Field(alias="or")] = None
    """Where it is missing: `fail` (the check), `end` (the session) or `{value: TEXT}`. Default fail."""


RawAnyCapture = Annotated[
    Annotated[str, Tag("as a pointer")] | Annotated[RawCapture, Tag("as a mapping")],
    Discriminator(lambda typed: "as a mapping" if isinstance(typed, dict) else "as a pointer"),
]
RawCaptures = Annotated[dict[ValueName, RawAnyCapture], Field(min_length=1)]


def check_of(reader: TextReader, at: KeyPath, raw: RawAnswerCheck) -> AnswerCheck:
    """The check that was typed at `at`. Raises InputError."""
    status, or_end = _codes(raw.status), _codes(raw.or_end)
    for position, code in enumerate(status):
        if code in status[:position]:
            raise reader.error((*at, "status", position), f"{code} is there twice", "keep one")
    for position, code in enumerate(or_end):
        expected = code in status if status else 200 <= code < 300
        if expected or code in or_end[:position]:
            here = (*at, "or_end", position) if isinstance(raw.or_end, list) else (*at, "or_end")
            raise reader.error(here, f"{code} is expected already", "keep one of the two")
    contains = raw.body_contains
    return AnswerCheck(
        status=status,
        or_end=or_end,
        body_contains=None
        if contains is None
        else reader.read((*at, "body_contains"), raw_text, contains),
        members=tuple(
            _member(reader, (*at, "json", pointer), pointer, typed)
            for pointer, typed in (raw.json_body or {}).items()
        ),
        headers=tuple(
            HeaderCheck(header=name, expect=_header(reader, (*at, "header", name), typed))
            for name, typed in (raw.header or {}).items()
        ),
    )


def captures_of(
    reader: TextReader, at: KeyPath, raw: dict[str, str | RawCapture]
) -> tuple[Capture, ...]:
    """The captures that were typed at `at`. Raises InputError."""
    return tuple(_capture(reader, (*at, name), name, typed) for name, typed in raw.items())


def judge_pointers(
    reader: TextReader, at: KeyPath, check: AnswerCheck, captures: Sequence[Capture]
) -> None:
    """Refuse more pointers than one pass looks for. Raises InputError."""
    count = len(check.members) + sum(isinstance(each.source, FromJson) for each in captures)
    if count > MOST_POINTERS:
        raise reader.error(
            at,
            f"looks for {count} JSON pointers in one answer, {MOST_POINTERS} at most",
            "check or capture fewer",
        )


def _codes(typed: int | list[int] | None) -> tuple[int, ...]:
    if typed is None:
        return ()
    return (typed,) if isinstance(typed, int) else tuple(typed)


def _member(reader: TextReader, at: KeyPath, pointer: str, typed: Any) -> MemberCheck:
    tokens = _pointer(reader, at, pointer)
    presence = _presence(typed)
    if presence is not None:
        return MemberCheck(pointer=tokens, expect=presence)
    if isinstance(typed, str) and has_templates(typed):
        return MemberCheck(pointer=tokens, expect=Filled(text=reader.read(at, raw_text, typed)))
    return MemberCheck(pointer=tokens, expect=Exactly(value=typed))


def _header(reader: TextReader, at: KeyPath, typed: str) -> Presence | Filled:
    return _presence(typed) or Filled(text=reader.read(at, raw_text, typed))


def _presence(typed: Any) -> Presence | None:
    if typed == "present":
        return "present"
    return "absent" if typed == "absent" else None


def _pointer(reader: TextReader, at: KeyPath, typed: str) -> Pointer:
    try:
        tokens = tokens_of(typed)
    except WrongValueError as error:
        raise reader.error(at, error.message, error.remedy) from None
    if len(tokens) > MOST_SEGMENTS:
        raise reader.error(
            at,
            f"is no JSON pointer of at most {MOST_SEGMENTS} segments: it has {len(tokens)}",
            "look for something nearer to the top",
        )
    if tokens.count(ANY) > 1:
        raise reader.error(at, "is no JSON pointer with at most one *", "name the other elements")
    return tokens


def _capture(reader: TextReader, at: KeyPath, name: str, typed: str | RawCapture) -> Capture:
    if isinstance(typed, str):
        return Capture(value=name, source=FromJson(pointer=_pointer(reader, at, typed)))
    given = typed.model_fields_set & {"json_body", "header", "cookie"}
    if len(given) != 1:
        raise reader.error(
            at,
            "has exactly one of json, header and cookie",
            "write /items/0/id, {json: /items/*/id}, {header: location} or {cookie: sid}",
        )
    missing = _missing(reader, (*at, "or"), typed)
    if typed.json_body is not None:
        tokens = _pointer(reader, (*at, "json"), typed.json_body)
        source = FromJson(pointer=tokens, pick=_pick(reader, (*at, "pick"), typed, tokens))
        return Capture(value=name, source=source, missing=missing)
    if typed.pick is not None:
        raise reader.error((*at, "pick"), "is of a JSON pointer with a *", "take it out")
    if typed.header is not None:
        return Capture(value=name, source=FromHeader(header=typed.header), missing=missing)
    return Capture(value=name, source=FromCookie(cookie=typed.cookie or ""), missing=missing)


def _missing(
    reader: TextReader, at: KeyPath, typed: RawCapture
) -> Literal["fail", "end"] | Instead:
    if "or_" not in typed.model_fields_set or typed.or_ == "fail":
        return "fail"
    if typed.or_ == "end":
        return "end"
    if isinstance(typed.or_, dict) and typed.or_.keys() == {"value"}:
        value = typed.or_["value"]
        if isinstance(value, str):
            return Instead(value=value)
    raise reader.error(
        at, "must be fail, end or a value", "write fail, end or {value: TEXT}, the text in quotes"
    )


def _pick(
    reader: TextReader, at: KeyPath, typed: RawCapture, tokens: Pointer
) -> Literal["first", "random"] | Integer:
    if typed.pick is None:
        return "first"
    if ANY not in tokens:
        raise reader.error(at, "the pointer has no *", "write one, or take pick out")
    if typed.pick == "first":
        return "first"
    if typed.pick == "random":
        return "random"
    if isinstance(typed.pick, int):
        if typed.pick < 0:
            raise reader.error(at, f"must be 0 or more, not {typed.pick}", "write 0 or more")
        return typed.pick
    return reader.read(at, _place_in_list, typed.pick)


def _place_in_list(text: str, resolver: Resolver) -> Integer:
    return integer_of(text, resolver, 0, None, "first, random or a number")[0]
