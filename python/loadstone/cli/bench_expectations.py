"""What is typed after `loadstone bench` of what an answer must be, turned into a check."""

import json
import re
from collections.abc import Sequence

from loadstone.errors import LoadstoneError
from loadstone.study.values.model import Check, JsonCheck

_POINTER = re.compile(r"(/([^~]|~[01])*)?")
"""RFC 6901, section 3."""


def check(status: int | None, body: str | None, values: Sequence[str]) -> Check:
    """What an answer must be for its request to be ok."""
    return Check(
        status=status,
        body_contains=body or None,
        body_json=tuple(_json_check(text) for text in values),
    )


def _json_check(text: str) -> JsonCheck:
    """`PATH=VALUE`: a JSON pointer, and JSON, or else a text without its quotes."""
    pointer, equals, typed = text.partition("=")
    if not equals or not _POINTER.fullmatch(pointer):
        raise LoadstoneError(
            f"--expect-json {text!r} is not PATH=VALUE",
            "PATH is a JSON pointer, for example --expect-json '/items/0/name=Ann'",
        )
    try:
        value = json.loads(typed)
    except ValueError:
        value = typed
    return JsonCheck(pointer=pointer, value=value)
