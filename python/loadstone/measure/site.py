"""Where the runs of a study are done: all that a study must know of the place, and nothing else.

What becomes of a plan, in which order, and what is done again is `execute.py`'s, wherever the runs are.
"""

from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from loadstone.measure.told import Tell
from loadstone.results.environment import Environment
from loadstone.results.record import ONE_MACHINE, Place
from loadstone.study.values.model import Arm, PlannedRun


@dataclass(frozen=True)
class Block:
    """One block of the plan, and the starts that fall into it: what one place does as a whole."""

    number: int
    """From 1."""
    runs: tuple[PlannedRun, ...]
    """All of it, in the plan's order."""
    left: tuple[PlannedRun, ...]
    """Those that are still to be done."""
    place: Place = ONE_MACHINE
    """Where, of several."""


RunBlocks = Callable[[Sequence[Block]], None]
"""Does what is left of some blocks, each run with its record and the files beside it in a folder of its
own. Returns when all of it is done; raises Interrupted when it is told to stop. Whatever fails inside a
run is in its record."""


class Site(Protocol):
    """A place for the runs of one study."""

    @property
    def environment(self) -> Environment:
        """What it is, and what must not change while the study is resumed."""

    def prepare(
        self, arms: Collection[Arm], results: Path, tell: Tell
    ) -> AbstractContextManager[RunBlocks]:
        """Make arms ready to be run, and keep the site theirs for the length of the block.

        `results` is the results folder, which exists; `tell` is told what happens, here and in the
        runs. An arm that cannot be made ready fails its own runs alone.
        """
