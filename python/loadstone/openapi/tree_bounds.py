"""How large the tree of a document may be, and what is said where it is larger."""

from pathlib import Path

from loadstone.errors import InputError

MOST_BYTES = 32 << 20
"""The largest published documents have about so much; YAML of this size takes half a minute to read."""
MOST_VALUES = 3_000_000
"""Of a document with its aliases written out: a value takes about 100 bytes of memory."""
MOST_LEVELS = 200
"""Schemas that are written in each other nest to some tens."""


def too_deep(path: Path, line: int | None) -> InputError:
    """The error of a tree with more levels."""
    return InputError(
        f"is nested deeper than {MOST_LEVELS} levels",
        path=path,
        line=line,
        remedy="make it flatter",
    )


def too_much(path: Path, line: int | None) -> InputError:
    """The error of a tree with more values."""
    return InputError(
        f"holds more than {MOST_VALUES} values, aliases written out",
        path=path,
        line=line,
        remedy="give the part of it that is to be loaded",
    )
