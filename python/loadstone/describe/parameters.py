"""The parameters of an operation, as they stand in its path, query and headers.

Those that are required are sent, each in the style of its document (OpenAPI 3.1, section 4.8.12.2).
Left out: the styles `matrix`, `label`, `spaceDelimited` and `pipeDelimited`.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from loadstone.describe.literal import (
    header_name,
    header_value,
    path_literal,
    path_value,
    query_value,
)
from loadstone.describe.made_values import ValueMaker
from loadstone.describe.model import CannotMake
from loadstone.openapi.document import Document, Located, ReferenceNotTaken
from loadstone.openapi.operations import Operation
from loadstone.text.quoted import shortened

_PARAMETER = re.compile(r"\{([^{}]*)\}")
_NOT_DESCRIBED = frozenset({"accept", "content-type", "authorization"})
"""Header parameters that a document cannot describe (OpenAPI 3.1, section 4.8.12.2)."""


@dataclass
class Sent:
    """Where the parameters of a request go."""

    path: str = ""
    query: list[str] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)
    cookies: list[str] = field(default_factory=list)

    @property
    def target(self) -> str:
        """Path and query."""
        return self.path + (f"?{'&'.join(self.query)}" if self.query else "")

    @property
    def all_headers(self) -> dict[str, str]:
        """With that of the cookies."""
        return self.headers | ({"cookie": "; ".join(self.cookies)} if self.cookies else {})


def has_required(document: Document, operation: Operation) -> bool:
    """Whether an operation has a parameter that must be sent. Raises CannotMake."""
    return any(_is_required(each) for each in _parameters(document, operation).values())


def sent_parameters(document: Document, operation: Operation, maker: ValueMaker) -> Sent:
    """The required parameters of an operation. Raises CannotMake."""
    sent = Sent()
    parameters = _parameters(document, operation)
    in_path = {name: each for (name, place), each in parameters.items() if place == "path"}
    sent.path = "".join(_path(operation, in_path, maker))
    if {".", ".."} & set(sent.path.split("/")):
        raise CannotMake("its path has a segment of dots")
    for (name, place), parameter in parameters.items():
        if place == "path" or not _is_required(parameter):
            continue
        try:
            value = _value(parameter, maker)
            match place:
                case "query":
                    sent.query += _query(name, parameter, value)
                case "header" if name.lower() not in _NOT_DESCRIBED:
                    sent.headers |= {header_name(name): header_value(_simple(parameter, value))}
                case "cookie":
                    sent.cookies.append(f"{header_name(name)}={header_value(_text(value))}")
        except CannotMake as error:
            raise CannotMake(f"the {place} parameter {shortened(name)}: {error.message}") from error
    return sent


def _parameters(document: Document, operation: Operation) -> Mapping[tuple[str, str], Located]:
    """By name and place; those of the operation before those of its path."""
    found: dict[tuple[str, str], Located] = {}
    for each in (operation.found, operation.item):
        for entry in each.below("parameters").entries:
            try:
                parameter = document.follow(entry)
            except ReferenceNotTaken as error:
                raise CannotMake(f"a parameter: {error.message}") from error
            name, place = parameter.mapping.get("name"), parameter.mapping.get("in")
            if isinstance(name, str) and isinstance(place, str):
                found.setdefault((name, place), parameter)
    return found


def _is_required(parameter: Located) -> bool:
    return parameter.mapping.get("required") is True


def _path(
    operation: Operation, parameters: Mapping[str, Located], maker: ValueMaker
) -> Iterator[str]:
    """The pieces of the path, with the base path of the server before them."""
    pieces = _PARAMETER.split(operation.base_path + operation.path)
    for number, piece in enumerate(pieces):
        if number % 2 == 0:
            yield path_literal(piece)
            continue
        if piece not in parameters:
            raise CannotMake(f"the path parameter {shortened(piece)} is not described")
        try:
            value = _value(parameters[piece], maker)
            yield path_value(_simple(parameters[piece], value))
        except CannotMake as error:
            raise CannotMake(f"the path parameter {shortened(piece)}: {error.message}") from error


def _value(parameter: Located, maker: ValueMaker) -> Any:
    content = parameter.below("content")
    for media in content.mapping:
        value = maker.of_media(content.below(media))
        return json.dumps(value, ensure_ascii=False) if "json" in media else value
    return maker.of_media(parameter)


def _simple(parameter: Located, value: Any) -> str:
    """The style of paths and headers: `1,2` of an array, `a,1,b,2` of an object, exploded `a=1,b=2`."""
    style = parameter.mapping.get("style", "simple")
    if style != "simple":
        raise CannotMake(f"its style is {shortened(str(style))}")
    if isinstance(value, dict):
        sign = "=" if parameter.mapping.get("explode") is True else ","
        return ",".join(f"{name}{sign}{_text(member)}" for name, member in value.items())
    if isinstance(value, list):
        return ",".join(map(_text, value))
    return _text(value)


def _query(name: str, parameter: Located, value: Any) -> list[str]:
    style = parameter.mapping.get("style", "form")
    explode = parameter.mapping.get("explode", style == "form") is True
    if style == "deepObject" and isinstance(value, dict):
        return [_pair(f"{name}[{key}]", member) for key, member in value.items()]
    if style != "form":
        raise CannotMake(f"its style is {shortened(str(style))}")
    if isinstance(value, dict):
        if explode:
            return [_pair(key, member) for key, member in value.items()]
        value = [part for pair in value.items() for part in pair]
    if isinstance(value, list):
        if explode:
            return [_pair(name, each) for each in value]
        return [f"{query_value(name)}={','.join(query_value(_text(each)) for each in value)}"]
    return [_pair(name, value)]


def _pair(name: str, value: Any) -> str:
    return f"{query_value(name)}={query_value(_text(value))}"


def _text(value: Any) -> str:
    """A value that is no array and no object, as a text."""
    match value:
        case str():
            return value
        case bool():
            return "true" if value else "false"
        case int() | float():
            return json.dumps(value)
        case None:
            raise CannotMake("null cannot be sent there")
    raise CannotMake("an array or an object inside another cannot be sent there")
