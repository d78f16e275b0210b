"""How a text is written where it is put into a request, so that it cannot become more than a text.

A place is a part of a request with rules of its own. What may not stand in a place raises
WrongValueError; nothing is left out or changed quietly.
"""

import re
from typing import Literal
from urllib.parse import quote, quote_plus

from loadstone.errors import WrongValueError
from loadstone.text.quoted import shortened

Place = Literal[
    "segment",
    "query",
    "location",
    "header",
    "json_string",
    "json",
    "json_number",
    "form",
    "raw",
]
"""`segment`: of a path; `query`: behind its `?`; `location`: a path with its query, as a server told
it; `header`: the value of a header; `json_string`: inside a JSON string; `json`: a whole JSON value, a
text with its quotes; `json_number`: a whole JSON value that is a number; `form`: a form's name or
value; `raw`: as it is.
"""

_HEADER = re.compile(r"[\t -~]*")
_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?")
"""RFC 8259, section 6."""
_LOCATION = re.compile(r"/(?!/)([-A-Za-z0-9._~!$&'()*+,;=:@/?]|%[0-9A-Fa-f]{2})*")
"""RFC 3986, sections 3.3 and 3.4: bytes of a path and a query, with one slash before them."""

_ESCAPED = re.compile(r'[\x00-\x1f"\\]')
"""RFC 8259, section 7."""
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "\\": "\\\\"}


def escaped(text: str, place: Place) -> str:
    """Write a text for a place. Raises WrongValueError where it may not stand there."""
    match place:
        case "segment" | "query":
            return quote(
                text, safe=""
            )  # it keeps A-Za-z0-9-._~, as RFC 3986, section 2.3, has them
        case "form":
            return quote_plus(text, safe="")
        case "json_string":
            return _ESCAPED.sub(lambda found: _SHORT.get(found[0], f"\\u{ord(found[0]):04X}"), text)
        case "json":
            return f'"{escaped(text, "json_string")}"'
        case "json_number":
            return _whole(_NUMBER, text, "is no number", "write number() of numbers alone")
        case "header":
            return _whole(
                _HEADER,
                text,
                "cannot stand in a header",
                "send visible ASCII characters and blanks",
            )
        case "location":
            return _whole(_LOCATION, text, "is no path", "use path() of what begins with one /")
        case "raw":
            return text


def is_json_number(text: str) -> bool:
    """Whether a text can stand in JSON as a number."""
    return _NUMBER.fullmatch(text) is not None


def _whole(pattern: re.Pattern[str], text: str, wrong: str, remedy: str) -> str:
    if not pattern.fullmatch(text):
        raise WrongValueError(f"{shortened(text)!r} {wrong}", remedy)
    return text
