"""Texts of somebody else as they stand in a step: what would be a template there is written as its
braces, and what may not stand in a path or a header is percent-encoded or refused.
"""

import re
from typing import Any
from urllib.parse import quote

from loadstone.describe.model import CannotMake
from loadstone.study.files.operation_file import ENGINE_HEADERS, HEADER_NAME
from loadstone.text.quoted import shortened

_BRACES = "{{"
_IN_WORDS = "{{'{{'}}"
_PATH = "/:@!$&'()*+,;=~-._%"
_HEADER = re.compile(r"[!-~]([\t -~]*[!-~])?")
_BAD_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")


def literal(value: Any) -> Any:
    """A value whose texts stand for themselves."""
    match value:
        case str():
            return value.replace(_BRACES, _IN_WORDS)
        case dict():
            return {literal(key): literal(member) for key, member in value.items()}
        case list():
            return [literal(each) for each in value]
    return value


def path_literal(text: str) -> str:
    """The literal part of a path; what was encoded stays so. Raises CannotMake."""
    return _encoded(_BAD_PERCENT.sub("%25", text), _PATH)


def path_value(text: str) -> str:
    """A value as a segment of a path. Raises CannotMake where it would not stay one."""
    if text in ("", ".", ".."):
        raise CannotMake(f"{text!r} is no segment of a path")
    return _encoded(text)


def query_value(text: str) -> str:
    """A name or a value of a query. Raises CannotMake."""
    return _encoded(text)


def header_value(text: str) -> str:
    """The value of a header. Raises CannotMake where it may not be sent."""
    if not _HEADER.fullmatch(text):
        raise CannotMake(f"{shortened(text)!r} cannot stand in a header")
    return str(literal(text))


def _encoded(text: str, safe: str = "") -> str:
    try:
        return quote(text, safe=safe)
    except UnicodeEncodeError:
        raise CannotMake("half of a surrogate pair cannot be sent") from None


def header_name(text: str) -> str:
    """The name of a header or a cookie. Raises CannotMake where it may not be sent."""
    if not HEADER_NAME.fullmatch(text) or text.lower() in ENGINE_HEADERS:
        raise CannotMake(f"{shortened(text)!r} is not the name of a header that may be sent")
    return text.lower()
