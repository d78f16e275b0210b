"""What a study tells whoever watches it. The terminal shows it; tests listen to it."""

from collections.abc import Sequence
from typing import Any, Protocol

from loadstone.results.looks import Look
from loadstone.results.record import RunRecord
from loadstone.study.values.model import Plan, PlannedRun


class Progress(Protocol):
    """Told of each step as it happens. Must not raise and must return at once."""

    def plan_began(self, plan: Plan, remaining: Sequence[PlannedRun], until: int) -> None:
        """A plan begins, with these runs still to do until a block ends: the last one, or that of the
        next look.
        """

    def look_taken(self, look: Look, remaining: Sequence[PlannedRun], until: int) -> None:
        """An adaptive study has looked, and goes on until the end of a block, if with any run."""

    def step(self, text: str) -> None:
        """Something that may take more than two seconds begins: a build, a contract."""

    def run_began(self, planned: PlannedRun) -> None:
        """A run begins."""

    def load_progress(self, event: dict[str, Any]) -> None:
        """The engine's progress event of the last second of the run that began last."""

    def run_ended(self, planned: PlannedRun, record: RunRecord) -> None:
        """A run has ended; its record is on disk."""
