"""XML documents as values that are equal where the documents say the same.

Read strictly, by expat: a declaration of the document or of its type, a comment and a processing
instruction are refused, and with the second every entity but the five. `<a/>` equals `<a></a>`,
however a character is escaped; prefixes do not count, the namespaces that they stand for do.

A document is a flat row of pieces and no tree, so that no depth of nesting is too much for it.
"""

from codecs import getincrementaldecoder
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NoReturn
from xml.parsers import expat

from loadstone.contract.expect import expect
from loadstone.contract.faults import ServiceFault

# No namespace can hold it, since no XML can.
_SEPARATOR = "\x01"
_SHOWN_PIECES = 3
_SHOWN_CHARACTERS = 60


class NotXml(ServiceFault):
    """The bytes are no document of the strict kind."""


@dataclass(frozen=True)
class Name:
    """The name of an element or an attribute; the namespace is empty where it has none."""

    namespace: str
    local: str

    def __str__(self) -> str:
        return f"{{{self.namespace}}}{self.local}" if self.namespace else self.local


@dataclass(frozen=True)
class Start:
    """Where an element begins. Declarations of namespaces are not among its attributes."""

    name: Name
    attributes: frozenset[tuple[Name, str]] = frozenset()

    def __str__(self) -> str:
        pairs = sorted(f" {name}={value!r}" for name, value in self.attributes)
        return f"<{self.name}{''.join(pairs)}>"


@dataclass(frozen=True)
class Text:
    """Characters between two tags; never none."""

    characters: str

    def __str__(self) -> str:
        return repr(self.characters)


@dataclass(frozen=True)
class End:
    """Where the innermost open element ends."""

    def __str__(self) -> str:
        return "</>"


Piece = Start | Text | End
Document = tuple[Piece, ...]


def read_xml(data: bytes) -> Document:
    """The document that the bytes are, in UTF-8. Raises NotXml."""
    return _read(data, whole=True)


def read_xml_beginning(data: bytes) -> Document:
    """The pieces that the first bytes of a document are for certain. Raises NotXml.

    A text at their end may be longer in the document.
    """
    return _read(data, whole=False)


def difference(actual: Document, wanted: Document) -> str | None:
    """Where two documents part, in words, or none where they are equal."""
    if actual == wanted:
        return None
    at = next(
        (at for at, pair in enumerate(zip(actual, wanted, strict=False)) if pair[0] != pair[1]),
        min(len(actual), len(wanted)),
    )
    return f"piece {at + 1} is {_shown(actual[at:])}, not {_shown(wanted[at:])}"


def begins(document: Document, beginning: Document) -> bool:
    """Whether a document may have this beginning, whose last text may be cut."""
    *sure, last = beginning or (None,)
    at = len(sure)
    if tuple(sure) != document[:at]:
        return False
    if isinstance(last, Text) and at < len(document):
        whole = document[at]
        return isinstance(whole, Text) and whole.characters.startswith(last.characters)
    return last is None or document[at : at + 1] == (last,)


def expect_xml(data: bytes, wanted: str, what: str) -> None:
    """Raise AssertionError, or NotXml, unless the bytes are a document equal to the wanted one.

    Raises ValueError where what is wanted is none.
    """
    try:
        right = read_xml(wanted.encode())
    except NotXml as error:
        raise ValueError(f"no document can be wanted: {error}") from error
    gap = difference(read_xml(data), right)
    expect(gap is None, f"{gap} in {what}")


def _shown(pieces: Iterable[Piece]) -> str:
    first = [_short(str(piece)) for piece, _ in zip(pieces, range(_SHOWN_PIECES), strict=False)]
    return " ".join(first) or "the end"


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN_CHARACTERS else f"{text[:_SHOWN_CHARACTERS]}..."


def _read(data: bytes, *, whole: bool) -> Document:
    reader = _Reader()
    parser = expat.ParserCreate(namespace_separator=_SEPARATOR)
    parser.buffer_text = True
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.text
    parser.XmlDeclHandler = _refusing("a declaration")
    parser.StartDoctypeDeclHandler = _refusing("a document type")
    parser.CommentHandler = _refusing("a comment")
    parser.ProcessingInstructionHandler = _refusing("a processing instruction")
    # By a mark or by zero bytes, expat finds other encodings than UTF-8 and takes them as well.
    if b"\0" in data:
        raise NotXml("a zero byte in the document")
    try:
        parser.Parse(getincrementaldecoder("utf-8")().decode(data, whole), whole)
    except (expat.ExpatError, UnicodeDecodeError) as error:
        raise NotXml(f"{error} of {data[:80]!r}") from error
    return tuple(reader.pieces)


class _Reader:
    """Collects pieces; texts that expat hands over in parts become one."""

    def __init__(self) -> None:
        self.pieces: list[Piece] = []

    def start(self, name: str, attributes: dict[str, str]) -> None:
        pairs = frozenset((_name(key), value) for key, value in attributes.items())
        self.pieces.append(Start(_name(name), pairs))

    def end(self, _name: str) -> None:
        self.pieces.append(End())

    def text(self, characters: str) -> None:
        if self.pieces and isinstance(last := self.pieces[-1], Text):
            self.pieces[-1] = Text(last.characters + characters)
        else:
            self.pieces.append(Text(characters))


def _name(qualified: str) -> Name:
    namespace, _, local = qualified.rpartition(_SEPARATOR)
    return Name(namespace, local)


def _refusing(what: str) -> Any:
    def refuse(*_about_it: object) -> NoReturn:
        raise NotXml(f"{what} in the document")

    return refuse
