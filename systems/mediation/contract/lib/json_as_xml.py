"""The document that a JSON text becomes by the rule of the published gateway benchmarks.

Members are elements by their keys, an array repeats its element, `@` marks attributes; the whole
rule stands in the SPEC of the mediation system. It is here to judge what a gateway made of a JSON
text, so it is written for plainness, not for speed. Names are those of XML 1.0, fifth edition;
expat, by which documents are read here, has fewer.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NoReturn

from .xml_document import Document, End, Name, Piece, Start, Text

_WRAPPER = "root"
_ENTRY = "item"
_ATTRIBUTE = "@"
_CONTENT = "#content"
_NAMESPACE_OF_XML = "http://www.w3.org/XML/1998/namespace"

# https://www.w3.org/TR/xml/#NT-NameStartChar and #NT-Char; a colon only parts prefix and name.
_FIRST = (
    "A-Z_a-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c\u200d"
    "\u2070-\u218f\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\U00010000-\U000effff"
)
_NAME = re.compile(f"[{_FIRST}][{_FIRST}.0-9\u00b7\u0300-\u036f\u203f\u2040-]*")
_TEXT = re.compile("[\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]*")


class NoDocument(ValueError):
    """The text is not JSON, or the rule makes no document of it."""


@dataclass(frozen=True)
class _Number:
    """A number as it was written."""

    text: str


@dataclass(frozen=True)
class _Object:
    """The members in their order, keys with no spaces around them."""

    members: tuple[tuple[str, "_Value"], ...]


_Value = _Object | list["_Value"] | _Number | str | bool | None
_Scope = Mapping[str, str]
"""Namespaces by the prefixes that stand for them here; the empty prefix is that of plain names."""


def json_as_xml(data: bytes) -> Document:
    """The document of a JSON text. Raises NoDocument.

    Text of a number is what was written. Repeated keys are left as they are, since the rule does
    not say what they mean.
    """
    value = _read(data)
    scope = {"": "", "xml": _NAMESPACE_OF_XML}
    match value:
        case _Object(members=()):
            raise NoDocument("an empty object")
        case _Object(members=((key, content),)) if _is_element(key) and not _is_array(content):
            return tuple(_element(key, content, scope))
        case _Object() | list():
            return tuple(_element(_WRAPPER, value, scope))
        case _:
            raise NoDocument("neither an object nor an array")


def _read(data: bytes) -> _Value:
    try:
        value: _Value = json.loads(
            data.decode("utf-8"),
            object_pairs_hook=lambda pairs: _Object(
                tuple((key.strip(" "), content) for key, content in pairs)
            ),
            parse_int=_Number,
            parse_float=_Number,
            parse_constant=_refuse_constant,
        )
    except ValueError as error:
        raise NoDocument(f"not JSON: {error}") from error
    return value


def _refuse_constant(text: str) -> NoReturn:
    raise ValueError(f"no number is {text}")


def _element(key: str, value: _Value, outer: _Scope) -> Iterator[Piece]:
    members = value.members if isinstance(value, _Object) else ()
    written = [(name[1:], _text(content)) for name, content in members if name[:1] == _ATTRIBUTE]
    declared = {
        prefix: namespace
        for name, namespace in written
        if (prefix := _declared_prefix(name)) is not None
    }
    scope = {**outer, **declared}
    attributes = [
        # A plain name of an attribute is in no namespace, whatever is declared for elements.
        (_name(name, {**scope, "": ""}), text)
        for name, text in written
        if _declared_prefix(name) is None
    ]
    if len({name for name, _ in attributes}) < len(attributes):
        raise NoDocument(f"an attribute twice in {key!r}")
    yield Start(_name(key, scope), frozenset(attributes))
    yield from _content(value, scope)
    yield End()


def _content(value: _Value, scope: _Scope) -> Iterator[Piece]:
    if isinstance(value, _Object):
        for key, content in value.members:
            if key == _CONTENT:
                yield from _texts(content)
            elif isinstance(content, list) and _is_element(key):
                for entry in content:
                    yield from _element(key, entry, scope)
            elif _is_element(key):
                yield from _element(key, content, scope)
    elif isinstance(value, list):
        for entry in value:
            yield from _element(_ENTRY, entry, scope)
    else:
        yield from _texts(value)


def _texts(value: _Value) -> Iterator[Piece]:
    if text := _text(value):
        yield Text(text)


def _text(value: _Value) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case _Number(text=text):
            return text
        case str() if _TEXT.fullmatch(value):
            return value
        case str():
            raise NoDocument("a character that XML does not have")
        case _:
            raise NoDocument("an object or array where text is wanted")


def _is_element(key: str) -> bool:
    return key != _CONTENT and not key.startswith(_ATTRIBUTE)


def _is_array(value: _Value) -> bool:
    return isinstance(value, list)


def _declared_prefix(attribute: str) -> str | None:
    """The prefix that an attribute of this name declares, if it declares one."""
    if attribute == "xmlns":
        return ""
    return attribute.removeprefix("xmlns:") if attribute.startswith("xmlns:") else None


def _name(qualified: str, scope: _Scope) -> Name:
    prefix, colon, local = qualified.rpartition(":")
    if not _NAME.fullmatch(local) or (colon and not _NAME.fullmatch(prefix)):
        raise NoDocument(f"no name of XML: {qualified!r}")
    if prefix not in scope:
        raise NoDocument(f"nothing declares the prefix of {qualified!r}")
    return Name(scope[prefix], local)
