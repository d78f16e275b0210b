"""What a study tells whoever watches it. The terminal shows it; tests listen to it."""

from collections.abc import Sequence
from typing import Protocol

from loadstone.measure.told import Told
from loadstone.results.looks import Look
from loadstone.study.values.model import Plan, PlannedRun


class Progress(Protocol):
    """Told of each step as it happens. Must not raise and must return at once."""

    def plan_began(self, plan: Plan, remaining: Sequence[PlannedRun], until: int) -> None:
        """A plan begins, with these runs still to do until a block ends: the last one, or that of the
        next look.
        """

    def look_taken(self, look: Look, remaining: Sequence[PlannedRun], until: int) -> None:
        """An adaptive study has looked, and goes on until the end of a block, if with any run."""

    def told(self, told: Told) -> None:
        """Something happened where the runs are done."""
