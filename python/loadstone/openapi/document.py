"""A document and what its references mean. Those that lead out of it are not followed, and said."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote, unquote

from loadstone.errors import InputError, LoadstoneError
from loadstone.openapi.plain_tree import read_tree
from loadstone.text.quoted import shortened, shown

Tokens = tuple[str, ...]
"""From the top of a document to one value: keys, and positions of lists."""

MOST_HOPS = 32
"""Of references that lead to references."""

_FORM = "OpenAPI document"
_VERSIONS = ("3.0", "3.1")


class ReferenceNotTaken(LoadstoneError):
    """A `$ref` that leads out of the document, nowhere, or in a circle."""


class Located(NamedTuple):
    """A value, and where it stands in the document."""

    value: Any
    at: Tokens

    def below(self, *tokens: str) -> "Located":
        """What stands below it; none where nothing does."""
        return Located(value_at(self.value, tokens), (*self.at, *tokens))

    @property
    def mapping(self) -> dict[str, Any]:
        """The value where it is a mapping; else none of its keys."""
        return self.value if isinstance(self.value, dict) else {}

    @property
    def entries(self) -> "Sequence[Located]":
        """Its entries where it is a list; else none."""
        if not isinstance(self.value, list):
            return ()
        return [Located(each, (*self.at, str(n))) for n, each in enumerate(self.value)]


@dataclass(frozen=True)
class Document:
    """An OpenAPI document."""

    path: Path
    tree: dict[str, Any]
    version: str
    """Its `openapi`: 3.0 or 3.1."""

    @property
    def top(self) -> Located:
        """The whole of it."""
        return Located(self.tree, ())

    def follow(self, found: Located) -> Located:
        """What a value stands for: itself, or what its `$ref` leads to. Raises ReferenceNotTaken."""
        for _ in range(MOST_HOPS):
            reference = found.mapping.get("$ref")
            if not isinstance(reference, str):
                return found
            found = self._behind(reference)
        raise ReferenceNotTaken(f"{shortened(reference_of(found.at))} leads in a circle")

    def _behind(self, reference: str) -> Located:
        if not reference.startswith("#"):
            raise ReferenceNotTaken(
                f"{shortened(reference)} leads out of the document, and nothing is fetched"
            )
        tokens = tuple(
            token.replace("~1", "/").replace("~0", "~")
            for token in unquote(reference[1:]).split("/")[1:]
        )
        found = self.top.below(*tokens)
        if found.value is None or not reference.startswith("#/"):
            raise ReferenceNotTaken(f"{shortened(reference)} leads nowhere")
        return found


def read_document(path: Path) -> Document:
    """Read an OpenAPI document of version 3.0 or 3.1, in JSON or YAML. Raises InputError."""
    tree = read_tree(path, _FORM)
    if "swagger" in tree:
        raise InputError(
            f"is of Swagger {shown(tree['swagger'])}",
            path=path,
            key="swagger",
            remedy="convert it to OpenAPI 3, as editor.swagger.io does (Edit, Convert to OpenAPI 3), "
            "or begin with a recording or one address: loadstone init --har FILE or --url URL",
        )
    typed = tree.get("openapi")
    version = next((each for each in _VERSIONS if str(typed).startswith(f"{each}.")), None)
    if str(typed) in _VERSIONS:
        version = str(typed)
    if version is None:
        raise InputError(
            f"is {shown(typed)}, not 3.0 or 3.1",
            path=path,
            key="openapi",
            remedy="give a document that begins with `openapi: 3.1.0` or `openapi: 3.0.3`",
        )
    return Document(path, tree, version)


def value_at(value: Any, tokens: Sequence[str]) -> Any:
    """What stands at tokens below a value; none where nothing does."""
    for token in tokens:
        if isinstance(value, dict):
            value = value.get(token)
        elif isinstance(value, list) and token.isascii() and token.isdigit():
            position = int(token) if len(token) < 10 else len(value)
            value = value[position] if position < len(value) else None
        else:
            return None
    return value


def reference_of(tokens: Sequence[str]) -> str:
    """The reference to a place of a document, as a person reads it: `#/paths/~1items/get`."""
    return "#" + "".join(f"/{_escaped(token)}" for token in tokens)


def uri_fragment_of(tokens: Sequence[str]) -> str:
    """The same as a part of a URI (RFC 6901, section 6)."""
    return "#" + "".join(f"/{quote(_escaped(token), safe='~')}" for token in tokens)


def _escaped(token: str) -> str:
    return str(token).replace("~", "~0").replace("/", "~1")
