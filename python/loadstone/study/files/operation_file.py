"""One request as a file types it, in a session's step or in a system's readiness request.

What a step has besides is `step_file.py`.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, NamedTuple, TypeVar

from pydantic import Field

from loadstone.errors import InputError, WrongValueError
from loadstone.study.files.raw import Name, Raw, Text
from loadstone.study.files.yaml_file import KeyPath, YamlFile
from loadstone.study.templates.names import Names
from loadstone.study.templates.resolve import Resolver
from loadstone.study.templates.texts import (
    form_text,
    has_templates,
    header_text,
    json_text,
    path_text,
    raw_text,
)
from loadstone.study.templates.wrong import WrongTemplateError
from loadstone.study.values import expressions
from loadstone.study.values.model import Check, Operation
from loadstone.study.values.payload import SMALLEST_BYTES, PayloadKind, payload

METHODS = ("get", "post", "put", "delete", "patch", "head")
BODIES = ("payload", "body", "json", "form")
CONTENT_TYPES = {
    "payload": "application/json",
    "json": "application/json",
    "form": "application/x-www-form-urlencoded",
}

LARGEST_PAYLOAD_BYTES = 16 << 20
"""Every connection of the engine holds its request in memory."""

HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")  # RFC 9110, section 5.6.2: token

ENGINE_HEADERS = frozenset(
    {
        "connection",
        "content-length",
        "expect",
        "host",
        "keep-alive",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    }
)
"""They frame the message or rule the connection: typed by hand they would break the counting."""


class RawPayload(Raw):
    """A generated JSON document."""

    kind: PayloadKind
    """`array`: strings of 10 characters; `simple`: one string."""
    size_bytes: Annotated[int, Field(ge=SMALLEST_BYTES, le=LARGEST_PAYLOAD_BYTES, alias="bytes")]
    """Exact size of the document, bytes."""


class RawCheck(Raw):
    """What an answer must be for its request to be ok."""

    status: Annotated[int, Field(ge=200, le=599)] | None = None
    """Status code of the final answer; without it, any 2xx."""
    body_contains: Text | None = None
    """Literal text that the body must contain."""


class RawRequest(Raw):
    """One named request: exactly one method key, at most one of payload, body, json and form."""

    nullable: ClassVar = frozenset({"json"})

    operation: Name
    """Its name in tables and records; unique in the session."""
    get: str | None = None
    """Path and query of a GET request."""
    post: str | None = None
    """Path and query of a POST request."""
    put: str | None = None
    """Path and query of a PUT request."""
    delete: str | None = None
    """Path and query of a DELETE request."""
    patch: str | None = None
    """Path and query of a PATCH request."""
    head: str | None = None
    """Path and query of a HEAD request."""
    headers: dict[str, str] = Field(default_factory=dict)
    """Name to value. Host and Content-Length are the engine's."""
    payload: RawPayload | None = None
    """A generated JSON body of an exact size; adds `content-type: application/json`."""
    body: str | None = None
    """The body as text; adds no header."""
    json_body: Any = Field(default=None, alias="json")
    """The body as a value, sent as compact JSON; adds `content-type: application/json`."""
    form: dict[str, str] | None = None
    """The body as a form, name to value; adds `content-type: application/x-www-form-urlencoded`."""


class RawOperation(RawRequest):
    """A request that is always the same."""

    check: RawCheck = RawCheck()
    """What the answer must be."""


class Request(NamedTuple):
    """A request as it is meant."""

    method: str
    path: expressions.Text
    headers: tuple[tuple[str, expressions.Text], ...]
    body: expressions.Text


Typed = TypeVar("Typed")
Meant = TypeVar("Meant")


@dataclass(frozen=True)
class TextReader:
    """Reads the texts of one step; what is wrong with one is told with its file, line and key."""

    source: YamlFile
    resolver: Resolver
    told: str = ""
    """What is added to a message, where the same step is read for several groups."""

    def read(self, at: KeyPath, read: Callable[[Typed, Resolver], Meant], typed: Typed) -> Meant:
        """What was typed at `at`. Raises InputError."""
        try:
            return read(typed, self.resolver)
        except WrongTemplateError as error:
            place = (*at, *error.inside) if error.elsewhere is None else error.elsewhere
            raise self.error(place, error.message, error.remedy) from None
        except WrongValueError as error:
            raise self.error(at, error.message, error.remedy) from None

    def error(self, at: KeyPath, message: str, remedy: str | None) -> InputError:
        """An error that names file, line and key, and the group where that is not plain."""
        return self.source.error(at, f"{message}{self.told}", remedy)


def request_of(reader: TextReader, at: KeyPath, raw: RawRequest) -> Request:
    """The request that was typed at `at`. Raises InputError."""
    tree = reader.source.at(at)
    methods = [method for method in METHODS if method in tree]
    if len(methods) != 1:
        raise reader.error(
            (*at, methods[1]) if methods else at,
            f"an operation has exactly one method, not {' and '.join(methods) or 'none'}",
            f"write one of {', '.join(METHODS)} with the path",
        )
    method = methods[0]
    path = reader.read((*at, method), path_text, tree[method])
    given = [key for key in BODIES if key in tree]
    if len(given) > 1:
        raise reader.error(
            (*at, given[1]), f"the body is given twice, by {' and '.join(given)}", "keep one"
        )
    body = _body(reader, at, raw, given)
    if body and method == "head":
        raise reader.error(at, "a HEAD request has no body", "take the body out")
    content_type = CONTENT_TYPES.get(given[0]) if given else None
    return Request(method.upper(), path, _headers(reader, at, raw, content_type), body)


def operation_of(source: YamlFile, at: KeyPath, raw: RawOperation) -> Operation:
    """The request without templates that was typed at `at`. Raises InputError."""
    refuse_templates(source, at, source.at(at))
    request = request_of(literal_reader(source), at, raw)
    return Operation(
        operation=raw.operation,
        method=request.method,
        path=_literal(request.path),
        headers=tuple((name, _literal(value)) for name, value in request.headers),
        body=_literal(request.body),
        check=Check(status=raw.check.status, body_contains=raw.check.body_contains),
    )


def literal_reader(source: YamlFile) -> TextReader:
    """Reads a request in which no name is known."""
    return TextReader(source, Resolver(Names("", has_users=False, seed={}), lambda _: None))


def _literal(text: expressions.Text) -> str:
    assert isinstance(text, str), "templates have been refused"
    return text


def refuse_templates(source: YamlFile, at: KeyPath, typed: Any) -> None:
    """Refuse a request that is not always the same. Raises InputError."""
    match typed:
        case str() if has_templates(typed):
            raise source.error(
                at, "templates belong to a workload's session", "write the value itself"
            )
        case dict():
            for key, value in typed.items():
                refuse_templates(source, (*at, key), value)
        case list():
            for position, value in enumerate(typed):
                refuse_templates(source, (*at, position), value)


def _body(reader: TextReader, at: KeyPath, raw: RawRequest, given: list[str]) -> expressions.Text:
    if raw.payload is not None:
        return payload(raw.payload.kind, raw.payload.size_bytes)
    if "json" in given:
        return reader.read((*at, "json"), json_text, raw.json_body)
    if raw.form is not None:
        return reader.read((*at, "form"), form_text, raw.form)
    return reader.read((*at, "body"), raw_text, raw.body or "")


def _headers(
    reader: TextReader, at: KeyPath, raw: RawRequest, content_type: str | None
) -> tuple[tuple[str, expressions.Text], ...]:
    headers: dict[str, expressions.Text] = {}
    seen: set[str] = set()
    for name, value in raw.headers.items():
        here = (*at, "headers", name)
        if not HEADER_NAME.fullmatch(name):
            raise reader.error(here, "is not the name of a header", "write a name such as accept")
        if name.lower() in ENGINE_HEADERS:
            raise reader.error(here, "is written by the engine", "take the header out")
        if name.lower() in seen:
            raise reader.error(here, "is there twice, in another case", "keep one of the two")
        headers[name] = reader.read(here, header_text, value)
        seen.add(name.lower())
    if content_type is not None and "content-type" not in seen:
        headers["content-type"] = content_type
    return tuple(headers.items())
