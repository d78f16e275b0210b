"""What an id is, in a path and in the fields of the gateway."""

import re

_ID = re.compile(r"[1-9][0-9]{0,15}")

LARGEST = 2**63 - 1
"""As large as the database has them; a body may name it, a path not."""


def is_id(text: str) -> bool:
    """Return whether a text is an id."""
    return _ID.fullmatch(text) is not None
