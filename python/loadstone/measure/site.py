"""Where the runs of a study are done: all that a study must know of the place, and nothing else.

What becomes of a plan, in which order, and what is done again is `execute.py`'s, wherever the runs are.
"""

from collections.abc import Callable, Collection
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from loadstone.measure.loading.offer import LoadProgress
from loadstone.results.environment import Environment
from loadstone.results.record import RunRecord
from loadstone.study.values.model import Arm, PlannedRun

MeasureRun = Callable[[PlannedRun, Path, LoadProgress], RunRecord]
"""Does one planned run, writes its record and the files beside it into a folder, and returns the
record. Raises Interrupted when it is told to stop; whatever fails inside the run is in the record."""


class Site(Protocol):
    """A place for the runs of one study."""

    @property
    def environment(self) -> Environment:
        """What it is, and what must not change while the study is resumed."""

    def prepare(
        self, arms: Collection[Arm], logs: Path, step: Callable[[str], None]
    ) -> AbstractContextManager[MeasureRun]:
        """Make arms ready to be run, and keep the site theirs for the length of the block.

        `logs` is the folder of what is printed meanwhile; `step` is told what begins. An arm that
        cannot be made ready fails its own runs alone.
        """
