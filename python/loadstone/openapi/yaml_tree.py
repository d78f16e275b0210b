"""YAML as plain values, event by event, so that depth and aliases are counted before they can grow.

What stands behind an alias is the same value, and counts each time. Scalars are those of YAML 1.2 that
JSON has, as OpenAPI wants them: `yes` and `2024-01-01` are texts. Left out: tags of an application,
several documents in a file, merge keys.
"""

import math
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from loadstone.errors import InputError
from loadstone.openapi.tree_bounds import MOST_LEVELS, MOST_VALUES, too_deep, too_much
from loadstone.text.quoted import shortened

_CORE = "tag:yaml.org,2002:"
_NULL = frozenset({"", "~", "null", "Null", "NULL"})
_TRUE = frozenset({"true", "True", "TRUE"})
_FALSE = frozenset({"false", "False", "FALSE"})
_WHOLE = re.compile(r"[-+]?[0-9]{1,400}")
_NUMBER = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
"""YAML 1.2, section 10.3.2, without octal and hexadecimal numbers, which JSON does not have."""

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The parser in C is ten times as fast as that in Python, and keeps its state on the heap."""


def yaml_tree(path: Path, text: str) -> Any:
    """The only document of a text. Raises InputError, with the line wherever there is one."""
    builder = _Builder(path)
    try:
        for event in yaml.parse(text, Loader=_LOADER):
            builder.take(event)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise InputError(
            f"is not YAML: {error.problem or error.context}",
            path=path,
            line=None if mark is None else mark.line + 1,
            remedy="check the indentation, colons, brackets and quotes here and in the line before",
        ) from None
    except (yaml.YAMLError, UnicodeError) as error:
        raise InputError(
            f"is not YAML: {shortened(str(error).partition(chr(10))[0])}",
            path=path,
            remedy="take the character out that YAML does not allow",
        ) from None
    return builder.document()


@dataclass
class _Open:
    """A mapping or a list whose end has not come."""

    value: dict[str, Any] | list[Any]
    anchor: str | None
    counted_before: int
    key: str | None = None
    """Of a mapping: the key whose value comes next."""

    @property
    def wants_key(self) -> bool:
        """Whether what comes next is a key."""
        return isinstance(self.value, dict) and self.key is None


class _Builder:
    """Makes the tree of events."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._open: list[_Open] = []
        self._anchors: dict[str, tuple[Any, int]] = {}
        """Name to value, and how many values that is."""
        self._count = 0
        self._documents: list[Any] = []

    def document(self) -> Any:
        """The tree. Raises InputError where there is none."""
        if not self._documents:
            raise InputError("the file is empty", path=self._path, remedy="give another file")
        return self._documents[0]

    def take(self, event: Any) -> None:
        """Take the next event. Raises InputError."""
        match event:
            case yaml.AliasEvent():
                value, count = self._behind(event)
                self._add(event, value, count)
            case yaml.ScalarEvent():
                wants_key = bool(self._open) and self._open[-1].wants_key
                value = event.value if wants_key else self._scalar(event)
                self._add(event, value, 1)
                if event.anchor is not None:
                    self._anchors[event.anchor] = value, 1
            case yaml.MappingStartEvent():
                self._begin(event, {})
            case yaml.SequenceStartEvent():
                self._begin(event, [])
            case yaml.MappingEndEvent() | yaml.SequenceEndEvent():
                self._end(event)

    def _begin(self, event: Any, empty: dict[str, Any] | list[Any]) -> None:
        if len(self._open) == MOST_LEVELS:
            raise too_deep(self._path, _line(event))
        self._judge_tag(event)
        self._open.append(_Open(empty, event.anchor, self._count))

    def _end(self, event: Any) -> None:
        closed = self._open.pop()
        count = self._count - closed.counted_before + 1
        self._count = closed.counted_before
        self._add(event, closed.value, count)
        if closed.anchor is not None:
            self._anchors[closed.anchor] = closed.value, count

    def _add(self, event: Any, value: Any, count: int) -> None:
        self._count += count
        if self._count > MOST_VALUES:
            raise too_much(self._path, _line(event))
        if not self._open:
            if self._documents:
                raise self._error(event, "holds several documents", "give a file with one")
            self._documents.append(value)
            return
        parent = self._open[-1]
        if isinstance(parent.value, list):
            parent.value.append(value)
        elif parent.key is not None:
            parent.value[parent.key] = value
            parent.key = None
        elif isinstance(value, str):
            parent.key = value
        else:
            raise self._error(
                event, "a key must be text, not a list or a mapping", "write the key as a word"
            )

    def _behind(self, event: Any) -> tuple[Any, int]:
        if event.anchor not in self._anchors:
            raise self._error(
                event,
                f"the alias *{shortened(str(event.anchor))} stands for nothing that is complete "
                "before it",
                "write the value out",
            )
        return self._anchors[event.anchor]

    def _scalar(self, event: Any) -> Any:
        text: str = event.value
        is_plain = event.tag is None and event.implicit[0]
        if event.tag in ("!", f"{_CORE}str") or (event.tag is None and not is_plain):
            return text
        self._judge_tag(event)
        if text in _NULL:
            return None
        if text in _TRUE or text in _FALSE:
            return text in _TRUE
        if _WHOLE.fullmatch(text):
            return int(text)
        if _NUMBER.fullmatch(text) and math.isfinite(number := float(text)):
            return number
        return text

    def _judge_tag(self, event: Any) -> None:
        tag = event.tag
        if tag not in (None, "!") and not tag.startswith(_CORE):
            raise self._error(
                event, f"holds the tag {shortened(tag)} of an application", "take the tag out"
            )

    def _error(self, event: Any, message: str, remedy: str) -> InputError:
        return InputError(message, path=self._path, line=_line(event), remedy=remedy)


def _line(event: Any) -> int | None:
    return None if event.start_mark is None else event.start_mark.line + 1
