"""Runs of two arms that differ in their gateway alone, and changes to the records of one."""

import dataclasses
from collections.abc import Callable, Sequence
from pathlib import Path

from loadstone.results.read import StoredRun, read_results
from loadstone.results.record import RunRecord
from loadstone.study.values.model import Workload
from results_builder import Behaviour, build_results, rate

SHORT = rate(200, seconds=5, warm_up=1)
Change = Callable[[RunRecord], RunRecord]


def stored(
    directory: Path, workload: Workload = SHORT, *, blocks: int = 2, **go: float
) -> list[StoredRun]:
    """Two arms that differ in their gateway alone."""
    arms = {"go": Behaviour(**go), "node": Behaviour()}  # type: ignore[arg-type]
    results = build_results(directory, arms=arms, workloads=(workload,), blocks=blocks)
    return list(read_results(results).runs)


def changed(runs: Sequence[StoredRun], change: Change, arm: str = "go") -> list[StoredRun]:
    """The runs with other records of one arm."""
    return [
        dataclasses.replace(each, record=change(each.record))
        if each.record is not None and each.planned.arm == arm
        else each
        for each in runs
    ]


def process_with(name: str, **facts: object) -> Change:
    def change(record: RunRecord) -> RunRecord:
        processes = tuple(
            each.model_copy(update=facts) if each.name == name else each
            for each in record.processes
        )
        return record.model_copy(update={"processes": processes})

    return change
