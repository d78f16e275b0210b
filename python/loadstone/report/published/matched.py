"""Which cells and which published rows are of the same load."""

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

from loadstone.analysis.model import Analysis, Cell
from loadstone.study.values.model import AnyWorkload, Arm, Plan
from loadstone.study.values.published import (
    Published,
    PublishedRamp,
    PublishedRow,
    PublishedSource,
)

Key = TypeVar("Key", bound=Hashable)
Row = TypeVar("Row", PublishedRow, PublishedRamp)


def matched(
    analysis: Analysis,
    plan: Plan,
    published: Published,
    key_of: Callable[[Arm, AnyWorkload, Published], Key | None],
    rows_of: Callable[[PublishedSource], Iterable[tuple[Key, Row]]],
) -> dict[Key, tuple[list[Cell], list[tuple[PublishedSource, Row]]]]:
    """By what both are of: cells in the plan's order, rows in the order of the sources. Of what only
    one of the two has nothing is in it.
    """
    arms = {arm.id: arm for arm in plan.arms}
    workloads = {workload.workload: workload for workload in plan.workloads}
    cells: dict[Key, list[Cell]] = {}
    for cell in analysis.cells:
        if cell.arm in arms and cell.workload in workloads:
            key = key_of(arms[cell.arm], workloads[cell.workload], published)
            if key is not None:
                cells.setdefault(key, []).append(cell)
    rows: dict[Key, list[tuple[PublishedSource, Row]]] = {}
    for source in published.sources:
        for key, row in rows_of(source):
            rows.setdefault(key, []).append((source, row))
    return {key: (cells[key], rows[key]) for key in cells if key in rows}
