"""Runs on one machine: in the plan's order, each finished before the next begins."""

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from loadstone.measure.loading.offer import LoadProgress
from loadstone.measure.site import Block, RunBlocks
from loadstone.measure.told import LoadSecond, RunBegan, RunEnded, Tell
from loadstone.results import folder
from loadstone.results.record import Place, RunRecord
from loadstone.study.values.model import PlannedRun

MeasureRun = Callable[[PlannedRun, Place, Path, LoadProgress], RunRecord]
"""Does one planned run, writes its record and the files beside it into a folder, and returns the
record, which names the place. Raises Interrupted when it is told to stop; whatever fails inside the
run is in the record."""


def in_turn(measure_run: MeasureRun, results: Path, tell: Tell) -> RunBlocks:
    """Return what does blocks one after the other, each run into its folder below `results`."""

    def run_blocks(blocks: Sequence[Block]) -> None:
        for block in blocks:
            for planned in block.left:
                run(planned, block.place)

    def run(planned: PlannedRun, place: Place) -> None:
        def second(event: dict[str, Any]) -> None:
            tell(LoadSecond(run=planned.id, event=event))

        tell(RunBegan(run=planned.id))
        directory = results / folder.RUNS / planned.id
        shutil.rmtree(directory, ignore_errors=True)  # an interrupted attempt at the same run
        tell(RunEnded.of(measure_run(planned, place, directory, second)))

    return run_blocks
