"""Names as the lab takes them, made of what somebody else called something."""

import re
from collections.abc import Collection

from loadstone.study.files.raw import LONGEST_NAME

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_OTHERS = re.compile(r"[^a-z0-9]+")
_NOT_IN_VARIABLES = re.compile(r"[^A-Z0-9]+")
_PREFIX = "API_"
"""Of variables, so that none is one that every environment has, such as USER."""


def name_of(text: str, fallback: str) -> str:
    """`listItems` and `GET /items` as `list-items` and `get-items`; else the fallback."""
    words = _OTHERS.sub("-", _HUMP.sub("-", text).lower()).strip("-")
    return words[:LONGEST_NAME].strip("-") or fallback


def unused(name: str, taken: Collection[str], sign: str = "-") -> str:
    """The name, or where it is taken the same with the first number that is not."""
    if name not in taken:
        return name
    number = 2
    while (numbered := _numbered(name, f"{sign}{number}")) in taken:
        number += 1
    return numbered


def _numbered(name: str, ending: str) -> str:
    return name[: LONGEST_NAME - len(ending)] + ending


def variable_of(text: str, fallback: str) -> str:
    """`bearerAuth` as the variable `API_BEARER_AUTH` of an environment."""
    words = _NOT_IN_VARIABLES.sub("_", _HUMP.sub("_", text).upper()).strip("_")
    words = words[:LONGEST_NAME].strip("_") or fallback
    return words if words.startswith(_PREFIX) else f"{_PREFIX}{words}"


def value_of(text: str, fallback: str) -> str:
    """`idToken` as the value `id_token` of a session; else the fallback."""
    words = _OTHERS.sub("_", _HUMP.sub("_", text).lower()).strip("_")[:LONGEST_NAME].strip("_")
    return words if words and not words[0].isdigit() else fallback
