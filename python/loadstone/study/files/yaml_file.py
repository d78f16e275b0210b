"""Read a YAML file into a plain tree that remembers the line of every key.

A file comes from anybody, so its size and depth are bounded and it takes only what Loadstone's
files need: mappings with text keys, lists, text, plain decimal numbers, true and false. Left out:
aliases (they hide which line is meant, and can grow without bound), tags, several documents in a
file, and YAML's other ways to write a number. Whether a key is known is the matter of `raw.py`.
"""

import math
import re
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from loadstone.errors import InputError, LoadstoneError
from loadstone.text.quoted import shortened

KeyPath = tuple[str | int, ...]
"""From the top of a file to one value: keys of mappings and positions in lists."""

MOST_BYTES = 1 << 20
"""A file by hand has a few KiB; a MiB of YAML takes PyYAML seconds to read."""
MOST_LEVELS = 32
"""Loadstone's own shapes nest 6 deep; the rest is room for a JSON body."""

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_WHOLE = re.compile(r"[-+]?[0-9]{1,18}")
_NUMBER = re.compile(r"[-+]?[0-9]+(\.[0-9]*)?([eE][-+]?[0-9]+)?")
_TRUE, _FALSE = ("yes", "true", "on"), ("no", "false", "off")
_TAG = "tag:yaml.org,2002:"


@dataclass(frozen=True)
class YamlFile:
    """One file: its tree of plain values, and where each of them was typed."""

    path: Path
    text: str
    tree: dict[str, Any]
    lines: Mapping[KeyPath, int]
    files: Mapping[KeyPath, Path] = field(default_factory=dict)
    """Where keys stand that are taken from another file."""

    def at(self, at: KeyPath) -> Any:
        """The value that was typed at `at`."""
        value: Any = self.tree
        for part in at:
            value = value[part]
        return value

    def line_of(self, at: KeyPath) -> int:
        """The line, from 1, of a key or list entry, or of the nearest one above it."""
        return self.lines[self._known(at)]

    def error(self, at: KeyPath, message: str, remedy: str | None = None) -> InputError:
        """An error that names file, line and key."""
        return InputError(
            message,
            path=self.files.get(self._known(at), self.path),
            line=self.line_of(at),
            key=key_text(at) if at else None,
            remedy=remedy,
        )

    def _known(self, at: KeyPath) -> KeyPath:
        while at and at not in self.lines:
            at = at[:-1]
        return at


def key_text(at: KeyPath) -> str:
    """A key path as a person writes it: `arms.gateway[1].label`."""
    text = ""
    for part in at:
        text += f"[{part}]" if isinstance(part, int) else f".{shortened(part)}"
    return text.removeprefix(".")


def read_yaml(path: Path) -> YamlFile:
    """Read a YAML mapping. Raises InputError, with the line wherever there is one."""
    return yaml_of(path, read_text(path, "YAML"))


def yaml_of(path: Path, text: str) -> YamlFile:
    """Return the mapping that YAML text is; `path` is where errors say it is. Raises InputError."""
    if found := yaml.reader.Reader.NON_PRINTABLE.search(text):
        raise InputError(
            f"holds the character U+{ord(found.group()):04X}, which YAML does not allow",
            path=path,
            line=text.count("\n", 0, found.start()) + 1,
            remedy="take it out",
        )
    loader = _BoundedLoader(text)
    try:
        node = loader.get_single_node()
    except yaml.MarkedYAMLError as error:
        raise _syntax_error(path, error) from None
    finally:
        loader.dispose()
    if node is None:
        raise InputError("the file is empty", path=path, line=1, remedy="write a mapping of keys")
    lines: dict[KeyPath, int] = {(): node.start_mark.line + 1}
    if not isinstance(node, yaml.MappingNode):
        raise InputError(
            "must be a mapping of keys to values",
            path=path,
            line=lines[()],
            remedy="begin with a key and a colon, such as `study: my-study`",
        )
    tree = _Tree(path, lines).mapping(node, ())
    return YamlFile(path, text, tree, lines)


def read_text(path: Path, form: str, most_bytes: int = MOST_BYTES) -> str:
    """Read UTF-8 text of at most so many bytes. Raises InputError, whose remedy names the form."""
    try:
        # A pipe or a device could block or never end.
        if not stat.S_ISREG(path.stat().st_mode):
            raise InputError("is not a regular file", path=path, remedy=f"give a {form} file")
        with path.open("rb") as file:
            content = file.read(most_bytes + 1)
    except OSError as error:
        raise InputError(
            f"cannot be read: {error.strerror}", path=path, remedy="check the path and its rights"
        ) from None
    except ValueError:
        raise InputError("the path holds a NUL character") from None
    return decoded(content, path, form, most_bytes)


def decoded(content: bytes, path: Path, form: str, most_bytes: int = MOST_BYTES) -> str:
    """Return UTF-8 text of bounded size; `path` is where errors say it is. Raises InputError."""
    if len(content) > most_bytes:
        raise InputError(
            f"is larger than {most_bytes} bytes", path=path, line=1, remedy=f"give a {form} file"
        )
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise InputError(
            "is not UTF-8 text", path=path, line=line, remedy="save the file as UTF-8"
        ) from None


def _syntax_error(path: Path, error: yaml.MarkedYAMLError) -> InputError:
    mark = error.problem_mark or error.context_mark
    problem = error.problem or error.context or "wrong YAML"
    remedy: str | None = (
        "check the indentation, colons, brackets and quotes here and in the line before"
    )
    if r"'\t'" in problem:
        problem, remedy = "a tab where YAML wants spaces", "indent with spaces"
    if isinstance(error, YamlNotTaken):
        remedy = error.remedy
    return InputError(
        problem, path=path, line=None if mark is None else mark.line + 1, remedy=remedy
    )


class YamlNotTaken(LoadstoneError, yaml.MarkedYAMLError):
    """Correct YAML that Loadstone does not take; caught where wrong YAML is."""

    def __init__(self, problem: str, mark: Any, remedy: str) -> None:
        yaml.MarkedYAMLError.__init__(self, None, None, problem, mark)
        self.message, self.remedy = problem, remedy


class _BoundedLoader(yaml.SafeLoader):
    """SafeLoader's parser and resolver, without aliases and to a bounded depth."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._level = 0

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        event: yaml.Event = self.peek_event()  # type: ignore[no-untyped-call] # the stubs lack it
        if isinstance(event, yaml.AliasEvent):
            raise YamlNotTaken(
                f"the alias *{shortened(str(event.anchor))}: aliases are not taken",
                event.start_mark,
                "write the value out",
            )
        self._level += 1
        if self._level > MOST_LEVELS:
            raise YamlNotTaken(
                f"nested deeper than {MOST_LEVELS} levels", event.start_mark, "make it flatter"
            )
        node = super().compose_node(parent, index)
        self._level -= 1
        return node


class _Tree:
    """Turns nodes into plain values and notes the line of each."""

    def __init__(self, path: Path, lines: dict[KeyPath, int]) -> None:
        self._path, self._lines = path, lines

    def mapping(self, node: yaml.MappingNode, at: KeyPath) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for key_node, value_node in node.value:
            key = self._key(key_node, at)
            here = (*at, key)
            line = key_node.start_mark.line + 1
            if key in values:
                raise self._error(
                    here,
                    line,
                    f"is there twice, first in line {self._lines[here]}",
                    "keep one of the two",
                )
            self._lines[here] = line
            values[key] = self._value(value_node, here)
        return values

    def _key(self, node: yaml.Node, at: KeyPath) -> str:
        line = node.start_mark.line + 1
        if not isinstance(node, yaml.ScalarNode):
            raise self._error(
                at,
                line,
                "a key must be text, not a list or a mapping",
                "rename it; a value that begins with {{ is put in quotes",
            )
        if node.tag != f"{_TAG}str":
            typed = shortened(node.value)
            raise self._error(
                at,
                line,
                f"a key must be text, and YAML reads {typed!r} as another type",
                f'put it in quotes: "{typed}"',
            )
        return str(self._scalar(node, at))

    def _value(self, node: yaml.Node, at: KeyPath) -> Any:
        if isinstance(node, yaml.MappingNode) and node.tag == f"{_TAG}map":
            return self.mapping(node, at)
        if isinstance(node, yaml.SequenceNode) and node.tag == f"{_TAG}seq":
            for position, entry in enumerate(node.value):
                self._lines[(*at, position)] = entry.start_mark.line + 1
            return [self._value(entry, (*at, n)) for n, entry in enumerate(node.value)]
        if isinstance(node, yaml.ScalarNode):
            return self._scalar(node, at)
        raise self._not_plain(node, at)

    def _scalar(self, node: yaml.ScalarNode, at: KeyPath) -> str | int | float | bool | None:
        typed: str = node.value
        match node.tag.removeprefix(_TAG):
            case "str":
                # Surrogates can be written as escapes, but no UTF-8 file or socket takes them.
                if _CONTROL.search(typed) or not _is_unicode(typed):
                    raise self._error(
                        at,
                        node.start_mark.line + 1,
                        "holds a control character or a lone surrogate",
                        "take the escape out",
                    )
                return typed
            case "null" if typed.lower() in ("", "~", "null"):
                return None
            case "bool" if typed.lower() in (*_TRUE, *_FALSE):
                return typed.lower() in _TRUE
            case "int" if _WHOLE.fullmatch(typed) and not _is_octal(typed):
                return int(typed)
            case "float" if _NUMBER.fullmatch(typed) and math.isfinite(float(typed)):
                return float(typed)
        raise self._not_plain(node, at)

    def _not_plain(self, node: yaml.Node, at: KeyPath) -> InputError:
        kind = node.tag.removeprefix(_TAG)
        typed = f" {shortened(node.value)!r}" if isinstance(node, yaml.ScalarNode) else ""
        return self._error(
            at,
            node.start_mark.line + 1,
            f"YAML reads{typed} as {kind!r}, which is not taken in this form",
            "put it in quotes if text is meant, else write a plain decimal number",
        )

    def _error(self, at: KeyPath, line: int, message: str, remedy: str) -> InputError:
        key = key_text(at) if at else None
        return InputError(message, path=self._path, line=line, key=key, remedy=remedy)


def _is_octal(typed: str) -> bool:
    digits = typed.lstrip("+-")
    return len(digits) > 1 and digits.startswith("0")


def _is_unicode(text: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in text)
