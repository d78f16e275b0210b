"""A document in JSON or YAML as plain values, read in bounded time and memory: it is large, and comes
from anybody. Left out: where a value was typed, and which of equal keys of JSON came first.
"""

import json
import math
from pathlib import Path
from typing import Any, NoReturn

from loadstone.errors import InputError
from loadstone.openapi.tree_bounds import MOST_BYTES, MOST_LEVELS, MOST_VALUES, too_deep, too_much
from loadstone.openapi.yaml_tree import yaml_tree
from loadstone.study.files.yaml_file import read_text

_YAML_SUFFIXES = (".yaml", ".yml")


def read_tree(path: Path, what: str, most_bytes: int = MOST_BYTES) -> dict[str, Any]:
    """Read a mapping in JSON or YAML. `what` the file is stands in remedies.

    Raises InputError where it is neither, no mapping, or too large, too deep or too much.
    """
    text = read_text(path, what, most_bytes).removeprefix("\ufeff")
    tree = _tree(path, text)
    if not isinstance(tree, dict):
        raise InputError(f"is no {what}: it is no mapping", path=path, remedy=f"give a {what} file")
    return tree


def _tree(path: Path, text: str) -> Any:
    begins_as_json = text.lstrip()[:1] in ("{", "[")
    if begins_as_json and path.suffix not in _YAML_SUFFIXES:
        return _json_tree(path, text)
    try:
        return yaml_tree(path, text)
    except InputError as error:
        if not begins_as_json:
            raise
        try:  # JSON may hold what YAML does not, such as a tab before a key
            return _json_tree(path, text)
        except InputError:
            raise error from None


def _json_tree(path: Path, text: str) -> Any:
    try:
        tree = json.loads(text, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        raise InputError(
            f"is not JSON: {error.msg}", path=path, line=error.lineno, remedy="correct it there"
        ) from None
    except RecursionError:
        raise too_deep(path, None) from None
    except ValueError as error:
        raise InputError(
            f"is not JSON: {error}", path=path, remedy="write plain decimal numbers"
        ) from None
    _judge_size(path, tree)
    return tree


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is no number of JSON")


def _judge_size(path: Path, tree: Any) -> None:
    """Refuse a tree that is too deep, too much, or holds a number that is none. Raises InputError."""
    level, count = [tree], 0
    for _ in range(MOST_LEVELS + 1):
        below: list[Any] = []
        for value in level:
            if isinstance(value, dict):
                below.extend(value.values())
            elif isinstance(value, list):
                below.extend(value)
            elif isinstance(value, float) and not math.isfinite(value):
                raise InputError(
                    "holds a number that is larger than any",
                    path=path,
                    remedy="write plain decimal numbers",
                )
        count += len(level)
        if count > MOST_VALUES:
            raise too_much(path, None)
        if not below:
            return
        level = below
    raise too_deep(path, None)
