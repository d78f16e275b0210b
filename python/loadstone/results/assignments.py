"""`assignments.json`: which site got which block of a study on several machines, and why.

The plan names no site: it is the same on one machine as on many. This file grows beside it, an entry
whenever a block is given out. Only the last entry of a block counts for its figures.
"""

from typing import Annotated, Final, Literal

from pydantic import Field

from loadstone.frozen import Frozen

ASSIGNMENTS_VERSION: Final = 1
"""1: first version."""


class Assignment(Frozen):
    """A block that was given to a site."""

    block: Annotated[int, Field(ge=1)]
    """From 1, in the plan."""
    site: str
    """Who got it."""
    attempt: Annotated[int, Field(ge=1)]
    """From 1: how often the block was begun, this time included."""
    reason: str | None = None
    """Why another site got it than the one whose turn it was; none where nothing happened."""


class Assignments(Frozen):
    """Every assignment of a study."""

    assignments_version: Literal[1] = ASSIGNMENTS_VERSION
    """Of this form."""
    assignments: tuple[Assignment, ...]
    """In the order in which blocks were given out."""
