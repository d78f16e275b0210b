"""JSON to XML: a pure function of the bytes. The rule is in SPEC.md, TR-6 to TR-12.

The document is written by hand, with the standard library's escapes: its writers check neither
names nor characters, and would leave a carriage return to be lost in the parser.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import NoReturn
from xml.sax.saxutils import escape, quoteattr

ROOT = "root"
ITEM = "item"
CONTENT = "#content"
ATTRIBUTE = "@"
DECLARATION = "xmlns"

XML_NAMESPACE = "http://www.w3.org/XML/1998/namespace"
DECLARATION_NAMESPACE = "http://www.w3.org/2000/xmlns/"

# Productions 4 and 4a of XML 1.0 (5th edition), without the colon.
_NAME_BEGIN = (
    "A-Z_a-z\xc0-\xd6\xd8-\xf6\xf8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c\u200d\u2070-\u218f"
    "\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\U00010000-\U000effff"
)
_NAME = re.compile(f"[{_NAME_BEGIN}][{_NAME_BEGIN}0-9.\xb7\u0300-\u036f\u203f\u2040-]*")
# Everything but production 2.
_NO_CHARACTER = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

_Namespaces = Mapping[str, str]


class NotConvertible(Exception):
    """The body is not JSON, or makes no document; the message is for the caller."""


def convert(body: bytes) -> bytes:
    """Return the document that the rule makes of a JSON text. Raises NotConvertible."""
    try:
        document = _Document(_parsed(body)).text()
    except RecursionError:
        raise NotConvertible("the body is nested too deeply") from None
    if _NO_CHARACTER.search(document):
        raise NotConvertible("the body has a character that XML does not have")
    return document.encode()


def _parsed(body: bytes) -> object:
    """Read JSON; a number stays the text that it is."""
    try:
        return json.loads(
            body.decode(), parse_int=str, parse_float=str, parse_constant=_refuse_constant
        )
    except ValueError:
        raise NotConvertible("the body is not JSON") from None


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(name)  # NaN and the infinities, which RFC 8259 does not have


class _Document:
    """Writes one document."""

    def __init__(self, value: object) -> None:
        self._parts: list[str] = []
        namespaces = {"": "", "xml": XML_NAMESPACE}
        match value:
            case dict() if not value:
                raise NotConvertible("an empty object makes no document")
            case dict():
                name, content = _document_element(value)
                self._element(name, content, namespaces)
            case list():
                self._element(ROOT, value, namespaces)
            case _:
                raise NotConvertible("a value alone makes no document")

    def text(self) -> str:
        return "".join(self._parts)

    def _element(self, name: str, value: object, outer: _Namespaces) -> None:
        namespaces = outer
        attributes = ""
        if isinstance(value, dict):
            namespaces = {**outer, **_declared(value)}
            attributes = _attributes(value, namespaces)
        _check_element_name(name, namespaces)
        self._parts.append(f"<{name}{attributes}>")
        match value:
            case dict():
                self._members(value, namespaces)
            case list():
                self._entries(ITEM, value, namespaces)
            case _:
                self._parts.append(_escaped(value))
        self._parts.append(f"</{name}>")

    def _members(self, value: Mapping[str, object], namespaces: _Namespaces) -> None:
        for key, member in value.items():
            name = key.strip(" ")
            if name.startswith(ATTRIBUTE):
                continue
            if name == CONTENT:
                self._parts.append(_escaped(_simple(name, member)))
            elif isinstance(member, list):
                self._entries(name, member, namespaces)
            else:
                self._element(name, member, namespaces)

    def _entries(self, name: str, entries: list[object], namespaces: _Namespaces) -> None:
        for entry in entries:
            self._element(name, entry, namespaces)


def _document_element(value: dict[str, object]) -> tuple[str, object]:
    """Return the outermost element and what is in it."""
    if len(value) == 1:
        ((key, member),) = value.items()
        name = key.strip(" ")
        is_element = not name.startswith(ATTRIBUTE) and name != CONTENT
        if is_element and not isinstance(member, list):
            return name, member
    return ROOT, value


def _attribute_members(value: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    for key, member in value.items():
        name = key.strip(" ")
        if name.startswith(ATTRIBUTE):
            yield name.removeprefix(ATTRIBUTE), member


def _declared(value: Mapping[str, object]) -> dict[str, str]:
    """Return the namespaces that an object declares, by prefix."""
    declared = {}
    for name, member in _attribute_members(value):
        prefix, colon, local = name.partition(":")
        if prefix != DECLARATION:
            continue
        namespace = _text(_simple(name, member))
        _check_declaration(local if colon else "", bool(colon), namespace)
        declared[local] = namespace
    return declared


def _check_declaration(prefix: str, has_prefix: bool, namespace: str) -> None:
    """Hold the constraints of Namespaces in XML 1.0, sections 2.2 and 3."""
    if has_prefix and (not _NAME.fullmatch(prefix) or prefix == DECLARATION or not namespace):
        raise NotConvertible("a namespace is declared that XML does not have")
    if namespace == DECLARATION_NAMESPACE or (prefix == "xml") != (namespace == XML_NAMESPACE):
        raise NotConvertible("a namespace is declared that belongs to XML itself")


def _attributes(value: Mapping[str, object], namespaces: _Namespaces) -> str:
    parts = []
    seen = set()
    for name, member in _attribute_members(value):
        expanded = _expanded_attribute_name(name, namespaces)
        if expanded in seen:
            raise NotConvertible("an attribute is there twice")
        seen.add(expanded)
        parts.append(f" {name}={quoteattr(_text(_simple(name, member)))}")
    return "".join(parts)


def _expanded_attribute_name(name: str, namespaces: _Namespaces) -> tuple[str, str]:
    prefix, colon, local = name.partition(":")
    if name == DECLARATION or prefix == DECLARATION:
        return DECLARATION_NAMESPACE, local
    _check_name(name)
    # An attribute without prefix is in no namespace, whatever the elements' is.
    return (_namespace(prefix, namespaces), local) if colon else ("", name)


def _check_element_name(name: str, namespaces: _Namespaces) -> None:
    _check_name(name)
    prefix, colon, _ = name.partition(":")
    if colon:
        _namespace(prefix, namespaces)


def _check_name(name: str) -> None:
    prefix, colon, local = name.partition(":")
    if not _NAME.fullmatch(prefix) or (colon and not _NAME.fullmatch(local)):
        raise NotConvertible("a key is no name in XML")


def _namespace(prefix: str, namespaces: _Namespaces) -> str:
    if prefix not in namespaces:
        raise NotConvertible("a key has a prefix that nothing declares")
    return namespaces[prefix]


def _simple(name: str, value: object) -> object:
    if isinstance(value, dict | list):
        raise NotConvertible(f"an object or array stands where {name[:20]!r} wants text")
    return value


def _text(value: object) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case _:
            return str(value)


def _escaped(value: object) -> str:
    return escape(_text(value), {"\r": "&#13;"})
