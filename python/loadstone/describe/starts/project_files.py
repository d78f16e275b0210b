"""Files of a project, read as far as they are there and make sense: what does not tells nothing."""

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from loadstone.errors import InputError
from loadstone.study.files.yaml_file import read_text


def is_file(path: Path) -> bool:
    """Whether a file is there that can be looked for."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def entries_of(folder: Path) -> list[Path]:
    """What is in a folder, by name; empty where there is none, or it cannot be read."""
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def text_of(path: Path) -> str | None:
    """The text of a file; none where there is none, or it is none."""
    try:
        return read_text(path, "text") if is_file(path) else None
    except InputError:
        return None


def json_of(path: Path) -> Mapping[str, Any]:
    """The mapping of a file in JSON; empty where it has none."""
    return _mapping(path, json.loads)


def toml_of(path: Path) -> Mapping[str, Any]:
    """The mapping of a file in TOML; empty where it has none."""
    return _mapping(path, tomllib.loads)


def below(tree: Any, *keys: str) -> Any:
    """What stands below keys; none where nothing does."""
    for key in keys:
        tree = tree.get(key) if isinstance(tree, Mapping) else None
    return tree


def mapping_below(tree: Any, *keys: str) -> Mapping[str, Any]:
    """The mapping that stands below keys; empty where none does."""
    found = below(tree, *keys)
    return found if isinstance(found, Mapping) else {}


def text_below(tree: Any, *keys: str) -> str | None:
    """The text that stands below keys; none where none does, or it is empty."""
    found = below(tree, *keys)
    return found.strip() or None if isinstance(found, str) else None


def _mapping(path: Path, loads: Any) -> Mapping[str, Any]:
    text = text_of(path)
    try:
        tree = None if text is None else loads(text)
    except (ValueError, RecursionError):
        return {}
    return tree if isinstance(tree, dict) else {}


def first_named(names: Mapping[str, str], known: Any) -> str:
    """The first of `names` that is known, as it is called; what nobody knows is `none`."""
    return next((called for name, called in names.items() if name in known), "none that is known")
