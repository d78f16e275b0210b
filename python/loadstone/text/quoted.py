"""What somebody typed, as it stands in a message."""

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any

_NEAR = 0.5
"""Of the letters of two words, by difflib's measure; its own 0.6 misses words that are half typed."""


def suggestion(typed: str, known: list[str] | tuple[str, ...]) -> str:
    """What somebody may have meant: the nearest known word, and all of them."""
    near = get_close_matches(typed, known, n=1)
    return (f"did you mean {near[0]}? " if near else "") + f"known: {', '.join(known) or 'none'}"


def nearest(typed: str, known: Iterable[str], most: int = 3) -> tuple[str, ...]:
    """The known words that somebody may have meant, the nearest first, where all are too many."""
    return tuple(get_close_matches(typed, tuple(known), n=most, cutoff=_NEAR))


def shown(value: Any) -> str:
    """A typed value in a message: its kind where it is large, itself where it is a word."""
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return repr(shortened(value))
    return "nothing" if value is None else str(value)


def shortened(text: str) -> str:
    """What somebody typed, at a length that fits into a message."""
    return text if len(text) <= 60 else text[:57] + "..."
