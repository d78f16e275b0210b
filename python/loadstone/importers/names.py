"""Names of operations as the files of a run can hold them."""

from urllib.parse import quote

UNNAMED = "unnamed"
_KEPT = "".join(chr(code) for code in range(32, 127) if chr(code) != ",")
"""A tag of the histogram log is ASCII and ends at a comma; the timeline must have the same name."""


def operation_name(text: str) -> str:
    """The text with every character that a tag cannot hold percent-encoded, as in a URL."""
    return quote(text, safe=_KEPT) or UNNAMED
