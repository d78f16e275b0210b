"""`like`: a workload that takes what it does not say itself from another of its system."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from loadstone.study.files.yaml_file import KeyPath, YamlFile, read_yaml
from loadstone.text.quoted import suggestion

LIKE = "like"
ARRIVALS = ("users", "rate", "share", "start_after", "pace", "leave")
"""How sessions begin: a file that says one of these says all of it."""
TIMES = ("duration", "window", "warm_up")
"""How long a load lasts: of a duration and of a window the other file's is no part."""


def with_like(source: YamlFile) -> YamlFile:
    """A workload's file with what it takes from another. Raises InputError."""
    name = source.tree.get(LIKE)
    if not isinstance(name, str):
        return source  # none, or wrong: its shape is judged with the rest
    path = source.path.parent / f"{name}.yaml"
    known = sorted(each.stem for each in source.path.parent.glob("*.yaml") if each != source.path)
    if name not in known:
        raise source.error(
            (LIKE,), f"{name} is no workload of {_system(source.path)}", suggestion(name, known)
        )
    base = read_yaml(path)
    if LIKE in base.tree:
        raise source.error((LIKE,), f"{name} is itself like another", "name that one")
    if base.tree.get("kind") == "startup":
        raise source.error((LIKE,), f"{name} is a workload of starts", "name one of a load")
    return _merged(source, base)


def _system(path: Path) -> str:
    folder = path.parent
    return folder.parent.name if folder.name == "workloads" else folder.name


def _merged(own: YamlFile, base: YamlFile) -> YamlFile:
    merged = _Merged(own, base)
    for key, value in base.tree.items():
        if key in own.tree:
            if key == "each_group" and isinstance(value, dict) and isinstance(own.tree[key], dict):
                merged.join(key, value)
        elif not (key in ARRIVALS and merged.has_arrivals) and not _is_of_other_times(
            key, own, base
        ):
            merged.take((key,), value)
    return merged.file()


def _is_of_other_times(key: str, own: YamlFile, base: YamlFile) -> bool:
    says_other = ("window" in own.tree and "duration" in base.tree) or (
        "duration" in own.tree and "window" in base.tree
    )
    return says_other and key in TIMES


class _Merged:
    """A tree in the making, and where each of its keys stands."""

    def __init__(self, own: YamlFile, base: YamlFile) -> None:
        self._own, self._base = own, base
        self._tree: dict[str, Any] = dict(own.tree)
        self._lines: dict[KeyPath, int] = dict(own.lines)
        self._files: dict[KeyPath, Path] = {}
        self.has_arrivals = _says_arrivals(own.tree)

    def join(self, key: str, value: Mapping[str, Any]) -> None:
        """Take the members of a mapping that this file has, too, and does not say itself."""
        taken = dict(self._tree[key])
        for name, member in self._left(value).items():
            if name not in taken:
                taken[name] = member
                self._place((key, name))
        self._tree[key] = taken

    def take(self, at: KeyPath, value: Any) -> None:
        """Take a key that this file does not say."""
        (key,) = at
        self._place(at)
        if key == "each_group" and isinstance(value, dict):
            value = self._left(value)
        if key == "groups" and isinstance(value, list):
            value = [self._left(each) if isinstance(each, dict) else each for each in value]
        self._tree[str(key)] = value

    def _left(self, value: Mapping[str, Any]) -> dict[str, Any]:
        """What is left of a group where this file says itself how sessions begin."""
        return {
            key: member
            for key, member in value.items()
            if not (key in ARRIVALS and self.has_arrivals)
        }

    def _place(self, at: KeyPath) -> None:
        """Note where a key of the other file and all that is in it stand."""
        for place, line in self._base.lines.items():
            if place[: len(at)] == at:
                self._lines[place] = line
                self._files[place] = self._base.path

    def file(self) -> YamlFile:
        """The whole."""
        return replace(self._own, tree=self._tree, lines=self._lines, files=self._files)


def _says_arrivals(tree: Mapping[str, Any]) -> bool:
    groups = tree.get("groups")
    places: Iterable[Any] = (
        tree,
        tree.get("each_group"),
        *(groups if isinstance(groups, list) else ()),
    )
    return any(isinstance(place, dict) and place.keys() & set(ARRIVALS) for place in places)
