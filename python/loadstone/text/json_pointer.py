"""JSON pointers (RFC 6901) as people type them."""

import re

from loadstone.errors import WrongValueError
from loadstone.text.quoted import shortened

_POINTER = re.compile(r"(/([^~]|~[01])*)?")
"""RFC 6901, section 3."""


def tokens_of(pointer: str) -> tuple[str, ...]:
    """The tokens of a pointer, unescaped; none of the whole document. Raises WrongValueError."""
    if not _POINTER.fullmatch(pointer):
        raise WrongValueError(
            f"{shortened(pointer)!r} is no JSON pointer",
            "write one such as /items/0/id; '/' in a name is ~1, and '~' is ~0",
        )
    tokens = pointer.split("/")[1:]
    return tuple(token.replace("~1", "/").replace("~0", "~") for token in tokens)
