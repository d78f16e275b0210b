"""One operation as a file types it, in a session's step or in a system's readiness request.

Left out: captures, templates and checks on JSON members, which are refused, not ignored.
"""

import json
import re
from typing import Annotated, Any, ClassVar

from pydantic import Field

from loadstone.study.files.raw import Name, Raw, Text
from loadstone.study.files.yaml_file import KeyPath, YamlFile
from loadstone.study.values.model import Check, Operation
from loadstone.study.values.payload import SMALLEST_BYTES, PayloadKind, payload
from loadstone.text.quoted import shortened

METHODS = ("get", "post", "put", "delete", "patch", "head")
BODIES = ("payload", "body", "json")

LARGEST_PAYLOAD_BYTES = 16 << 20
"""Every connection of the engine holds its request in memory."""

_PATH = re.compile(r"/[!\"$-~]*")  # visible ASCII without a fragment
_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")  # RFC 9110, section 5.6.2: token
_HEADER_VALUE = re.compile(r"[!-~]([\t -~]*[!-~])?")
_TEMPLATE = re.compile(r"\{\{\s*[A-Za-z_][\w.]*\s*\}\}")

_ENGINE_HEADERS = frozenset(
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

    later: ClassVar = {"json": "check a part of the text with body_contains"}

    status: Annotated[int, Field(ge=200, le=599)] | None = None
    """Status code of the final answer; without it, any 2xx."""
    body_contains: Text | None = None
    """Literal text that the body must contain."""


class RawOperation(Raw):
    """One named request: exactly one method key, at most one of payload, body and json."""

    later: ClassVar = {"capture": "send what is known beforehand"}
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
    check: RawCheck = RawCheck()
    """What the answer must be."""


def operation_of(source: YamlFile, at: KeyPath, raw: RawOperation) -> Operation:
    """The operation that was typed at `at`. Raises InputError."""
    tree = _mapping_at(source, at)
    methods = [method for method in METHODS if method in tree]
    if len(methods) != 1:
        raise source.error(
            (*at, methods[1]) if methods else at,
            f"an operation has exactly one method, not {' and '.join(methods) or 'none'}",
            f"write one of {', '.join(METHODS)} with the path",
        )
    method = methods[0]
    path = tree[method]
    if not _PATH.fullmatch(path):
        raise source.error(
            (*at, method),
            f"{shortened(path)!r} is not a path",
            "begin with '/', and write blanks, '#' and other than ASCII characters as %XX",
        )
    _refuse_templates(source, (*at, method), path)
    body = _body(source, at, raw)
    if body and method == "head":
        raise source.error(at, "a HEAD request has no body", "take the body out")
    return Operation(
        operation=raw.operation,
        method=method.upper(),
        path=path,
        headers=_headers(source, at, raw),
        body=body,
        check=Check(status=raw.check.status, body_contains=raw.check.body_contains),
    )


def _body(source: YamlFile, at: KeyPath, raw: RawOperation) -> str:
    given = [key for key in BODIES if key in _mapping_at(source, at)]
    if len(given) > 1:
        raise source.error(
            (*at, given[1]), f"the body is given twice, by {' and '.join(given)}", "keep one"
        )
    if raw.payload is not None:
        return payload(raw.payload.kind, raw.payload.size_bytes)
    if "json" in given:
        text = json.dumps(raw.json_body, separators=(",", ":"), ensure_ascii=False)
    else:
        text = raw.body or ""
    _refuse_templates(source, (*at, *given), text)
    return text


def _headers(source: YamlFile, at: KeyPath, raw: RawOperation) -> tuple[tuple[str, str], ...]:
    seen: set[str] = set()
    for name, value in raw.headers.items():
        here = (*at, "headers", name)
        if not _HEADER_NAME.fullmatch(name):
            raise source.error(here, "is not the name of a header", "write a name such as accept")
        if name.lower() in _ENGINE_HEADERS:
            raise source.error(here, "is written by the engine", "take the header out")
        if name.lower() in seen:
            raise source.error(here, "is there twice, in another case", "keep one of the two")
        if not _HEADER_VALUE.fullmatch(value):
            raise source.error(
                here,
                "the value must be visible ASCII characters with blanks between them",
                "take line ends and other characters out",
            )
        _refuse_templates(source, here, value)
        seen.add(name.lower())
    headers = tuple(raw.headers.items())
    is_json = raw.payload is not None or "json_body" in raw.model_fields_set
    if is_json and "content-type" not in seen:
        return (*headers, ("content-type", "application/json"))
    return headers


def _refuse_templates(source: YamlFile, at: KeyPath, text: str) -> None:
    if found := _TEMPLATE.search(text):
        raise source.error(
            at, f"templates such as {found.group()} are not supported yet", "write the value itself"
        )


def _mapping_at(source: YamlFile, at: KeyPath) -> dict[str, Any]:
    value: Any = source.tree
    for part in at:
        value = value[part]
    return dict(value)
