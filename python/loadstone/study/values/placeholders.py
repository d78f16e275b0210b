"""What stands in braces in a variable of a service: the address of what it needs, or a part of it."""

import re
from collections.abc import Mapping
from typing import Final

from loadstone.study.values.dependency import DependencyKind

PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
PARTS = ("host", "port")
"""Of an address, behind its name and a dot: many a service is told each by a variable of its own."""
WITH_PARTS: Final[frozenset[DependencyKind]] = frozenset({"echo", "mariadb", "postgres", "redis"})
"""Kinds whose address the lab writes itself, so that it is known what is host and port in it."""

_ADDRESS = re.compile(r"(?P<host>[0-9.]+):(?P<port>[0-9]+)")


def split_placeholder(typed: str) -> tuple[str, str | None]:
    """Return whose address a placeholder stands for, and of which part of it; none: the whole."""
    name, dot, part = typed.partition(".")
    return name, part if dot else None


def filled(text: str, addresses: Mapping[str, str]) -> str:
    """Return a text with what its placeholders stand for; the system's file knows all of them."""

    def behind(found: re.Match[str]) -> str:
        name, part = split_placeholder(found[1])
        address = addresses[name]
        if part is None:
            return address
        parts = _ADDRESS.search(address)
        if parts is None:
            raise ValueError(f"{address!r} has no {part}")
        return parts[part]

    return PLACEHOLDER.sub(behind, text)
