"""Values as YAML that the lab's own reader takes, and texts as comments of one line.

The reader takes less than YAML: whole numbers of 18 digits, no control characters, and a bounded depth.
What it would not take is told before it is written.
"""

import json
import math
import re
from typing import Any

import yaml

from loadstone.text.plain import plain

MOST_BYTES = 8 << 10
"""Of one value: 32 operations, of three values each, then fit into the MiB that a file may have."""
_MOST_LEVELS = 20
"""Of the 32 that a file may have."""
_MOST_KEY_CHARACTERS = 200
"""With its quotes and escapes; YAML allows 1024 in a key that stands in one line."""
_MOST_DIGITS = 18
_MOST_SHOWN = 200
"""Characters of what somebody else wrote, in a comment."""

_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_PATH = re.compile(r"/[A-Za-z0-9/_.~-]*")
_NO_WORDS = frozenset({"yes", "no", "on", "off", "true", "false", "null", "y", "n"})
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
_LINE_ENDS = {"\u2028": "\\u2028", "\u2029": "\\u2029", "\ufeff": "\\ufeff"}
"""Characters that YAML would fold or take for a mark of the encoding, as escapes."""


def unwritable(value: Any) -> str | None:
    """Why a value cannot be written; none where it can."""
    reason = _unwritable(value, 0)
    if reason is None and len(flow(value).encode()) > MOST_BYTES:
        return f"is longer than {MOST_BYTES} bytes"
    return reason


def _unwritable(value: Any, level: int) -> str | None:
    if level > _MOST_LEVELS:
        return f"is nested deeper than {_MOST_LEVELS} levels"
    match value:
        case str():
            if _CONTROL.search(value) or yaml.reader.Reader.NON_PRINTABLE.search(value):
                return "holds a control character"
        case bool():
            return None
        case int():
            if abs(value) >= 10**_MOST_DIGITS:
                return f"holds a number of more than {_MOST_DIGITS} digits"
        case float():
            if not math.isfinite(value):
                return "holds a number that is none"
        case dict():
            for key, member in value.items():
                if len(quoted(key)) > _MOST_KEY_CHARACTERS:
                    return f"holds a key of more than {_MOST_KEY_CHARACTERS} characters"
                if reason := _unwritable(key, level) or _unwritable(member, level + 1):
                    return reason
        case list():
            for each in value:
                if reason := _unwritable(each, level + 1):
                    return reason
    return None


def flow(value: Any) -> str:
    """A value in one line."""
    match value:
        case dict():
            members = (f"{_key(key)}: {flow(member)}" for key, member in value.items())
            return f"{{{', '.join(members)}}}"
        case list():
            return f"[{', '.join(map(flow, value))}]"
        case str():
            return scalar(value)
        case float():
            return _number(value)
    return json.dumps(value)


def scalar(text: str) -> str:
    """A text: bare where that is a word or a path, else in quotes."""
    is_word = _WORD.fullmatch(text) and text.lower() not in _NO_WORDS
    return text if is_word or _PATH.fullmatch(text) else quoted(text)


def quoted(text: str) -> str:
    """A text in quotes."""
    written = json.dumps(text, ensure_ascii=False)
    for character, escape in _LINE_ENDS.items():
        written = written.replace(character, escape)
    return written


def comment(text: str, indent: int = 0) -> str:
    """A line of comment."""
    return f"{' ' * indent}# {plain(text)}"


def in_comment(text: str) -> str:
    """What somebody else wrote, as a part of a comment."""
    visible = plain(text).strip()
    return visible if len(visible) <= _MOST_SHOWN else f"{visible[: _MOST_SHOWN - 3]}..."


def _key(text: str) -> str:
    return text if _WORD.fullmatch(text) and text.lower() not in _NO_WORDS else quoted(text)


def _number(value: float) -> str:
    """With the dot without which YAML 1.1 takes an exponent for text."""
    digits, e, exponent = repr(value).partition("e")
    if not e:
        return digits
    sign = "" if exponent[0] in "+-" else "+"
    return f"{digits}{'' if '.' in digits else '.0'}e{sign}{exponent}"
