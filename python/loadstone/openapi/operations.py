"""The operations of a document: what is asked by which method at which path."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from loadstone.openapi.document import Document, Located, ReferenceNotTaken
from loadstone.text.quoted import shortened

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
"""In the order of the specification (OpenAPI 3.1, section 4.8.9.1)."""

_VARIABLE = re.compile(r"\{([^{}]*)\}")


@dataclass(frozen=True)
class Operation:
    """One operation of a document."""

    method: str
    """In capitals."""
    path: str
    """Its template as the document has it, such as `/items/{id}`."""
    base_path: str
    """What its server puts before that; empty, or with a slash before it and none behind."""
    found: Located
    """The operation itself."""
    item: Located
    """The path item that it stands in."""

    @property
    def title(self) -> str:
        """Method and path, for people."""
        return f"{self.method} {shortened(self.path)}"


@dataclass(frozen=True)
class UnusablePath:
    """A path of a document whose operations cannot be told."""

    title: str
    reason: str


def operations_of(document: Document) -> Iterator[Operation | UnusablePath]:
    """Every operation, in the order of the document; in place of those of a path that cannot be read,
    why not.
    """
    paths = document.top.below("paths")
    for path in paths.mapping:
        title = shortened(path)
        if not path.startswith("/"):
            if not path.startswith("x-"):
                yield UnusablePath(title, "its path does not begin with a slash")
            continue
        try:
            item = document.follow(paths.below(path))
        except ReferenceNotTaken as error:
            yield UnusablePath(title, error.message)
            continue
        for method in METHODS:
            found = item.below(method)
            if isinstance(found.value, dict):
                base_path = _base_path(document, found, item)
                yield Operation(method.upper(), path, base_path, found, item)


def _base_path(document: Document, found: Located, item: Located) -> str:
    """The path of the first server: of the operation, else of its path, else of the document."""
    for each in (found, item, document.top):
        servers = each.below("servers").entries
        if servers:
            return _path_of(servers[0])
    return ""


def _path_of(server: Located) -> str:
    url = server.mapping.get("url")
    if not isinstance(url, str):
        return ""
    variables = server.below("variables")

    def default(found: re.Match[str]) -> str:
        value: Any = variables.below(found[1], "default").value
        return value if isinstance(value, str) else ""

    try:
        path = urlsplit(_VARIABLE.sub(default, url)).path
    except ValueError:
        return ""
    return f"/{path.strip('/')}" if path.strip("/") else ""
