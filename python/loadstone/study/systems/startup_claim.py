"""What a stack's own log says of its start-up time. Pure."""

import re

MILLISECOND_NS = 1_000_000
_UNITS_NS = {"milliseconds": MILLISECOND_NS, "seconds": 1000 * MILLISECOND_NS}
_PLACEHOLDER = re.compile(rf"\{{({'|'.join(_UNITS_NS)})\}}")


def is_claim(text: str) -> bool:
    """Whether a text has exactly one placeholder: `started in {seconds} seconds`."""
    return len(_PLACEHOLDER.findall(text)) == 1


def claimed_ns(claim: str, log: str) -> int | None:
    """Return the first time that a log states in the words of a claim; none where there is none."""
    before, unit, after = _PLACEHOLDER.split(claim)
    found = re.search(re.escape(before) + r"(\d+(?:\.\d+)?)" + re.escape(after), log)
    return round(float(found[1]) * _UNITS_NS[unit]) if found else None
