"""Every figure of one workload, in blocks of what belongs together, and those of its operations."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby

from loadstone.analysis.figures.failure_figures import FAILURE_METRICS
from loadstone.analysis.figures.run_figures import OPERATION_METRICS
from loadstone.analysis.model import Analysis, ArmFigure, Cell, OperationFigures
from loadstone.metrics.catalogue import CONNECTION_QUANTILES
from loadstone.metrics.labels import column_label, label_in
from loadstone.metrics.model import MetricInfo
from loadstone.metrics.warm_up_metrics import WARM_UP_METRICS
from loadstone.report.tables.result_table import (
    ArmRow,
    FigureText,
    Notes,
    ResultTable,
    arm_row,
    figure_of,
    kind_of,
)
from loadstone.text import units

ARMS_AS_COLUMNS = 4
"""With more arms a line of values for each metric is wider than a page: arms are then the rows."""

OPERATION_COLUMNS = (
    "failures",
    "throughput",
    "response_time.mean",
    "response_time.standard_deviation",
    "response_time.min",
    "response_time.median",
    "response_time.p90",
    "response_time.p95",
    "response_time.p99",
    "response_time.p99.9",
    "response_time.max",
    "apdex",
)
"""The first table of an operation."""

_OPTIONAL = (
    *CONNECTION_QUANTILES,
    *FAILURE_METRICS,
    *(info.name for info in WARM_UP_METRICS),
)
"""Left out where no arm has them: no connection was opened in a window, no stop rule was set, no
warm-up was watched, the load was too short."""


@dataclass(frozen=True, slots=True)
class FigureBlock:
    """The figures of one group of metrics."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[ArmRow, ...]

    @property
    def has_arms_as_rows(self) -> bool:
        """How it is best drawn; else metrics are the rows."""
        return len(self.rows) > ARMS_AS_COLUMNS

    @property
    def transposed(self) -> tuple[tuple[str, tuple[FigureText, ...]], ...]:
        """Metrics as rows: the label of each, and a figure for each arm."""
        return tuple(
            (column, tuple(row.figures[index] for row in self.rows))
            for index, column in enumerate(self.columns)
        )


@dataclass(frozen=True, slots=True)
class FigureBlocks:
    """Every figure of all operations together, or of one."""

    blocks: tuple[FigureBlock, ...]
    notes: tuple[str, ...]
    """Footnote 1 first; the blocks share them."""


@dataclass(frozen=True, slots=True)
class OperationTables:
    """One operation under one workload."""

    operation: str
    summary: ResultTable
    offered: tuple[str, ...]
    """How many requests of each row's arm."""
    full: FigureBlocks


def full_tables(analysis: Analysis, workload: str) -> FigureBlocks:
    """Every figure of all operations together."""
    cells = [cell for cell in analysis.cells if cell.workload == workload]
    kind = kind_of(analysis, workload)
    infos = [info for info in analysis.metrics if kind in info.kinds]
    return _blocks(cells, infos, figure_of)


def operation_tables(analysis: Analysis, workload: str) -> tuple[OperationTables, ...]:
    """Each operation of a workload, in the order in which it was first seen."""
    cells = [cell for cell in analysis.cells if cell.workload == workload]
    names = dict.fromkeys(each.operation for cell in cells for each in cell.operations)
    infos = [info for info in analysis.metrics if info.name in OPERATION_METRICS]
    return tuple(_operation(workload, cells, infos, name) for name in names)


def _operation(
    workload: str, cells: Sequence[Cell], infos: Sequence[MetricInfo], name: str
) -> OperationTables:
    found = {cell.arm: _operation_of(cell, name) for cell in cells}

    def figure(cell: Cell, metric: str) -> ArmFigure | None:
        operation = found[cell.arm]
        return None if operation is None else operation.by_metric.get(metric)

    notes = Notes()
    summary = ResultTable(
        workload,
        tuple(map(column_label, OPERATION_COLUMNS)),
        tuple(
            arm_row(
                cell, [figure(cell, each) for each in OPERATION_COLUMNS], OPERATION_COLUMNS, notes
            )
            for cell in cells
        ),
        notes.texts,
    )
    offered = tuple(
        units.count(sum(operation.outcomes.values())) if operation else "0"
        for operation in found.values()
    )
    return OperationTables(name, summary, offered, _blocks(cells, infos, figure))


def _operation_of(cell: Cell, name: str) -> OperationFigures | None:
    return next((each for each in cell.operations if each.operation == name), None)


def _blocks(
    cells: Sequence[Cell],
    infos: Sequence[MetricInfo],
    figure: Callable[[Cell, str], ArmFigure | None],
) -> FigureBlocks:
    notes = Notes()
    shown = [info for info in infos if _is_known(cells, info.name, figure)]
    blocks = []
    for group, members in groupby(shown, key=lambda info: info.group):
        names = [info.name for info in members]
        rows = [
            arm_row(cell, [figure(cell, name) for name in names], names, notes) for cell in cells
        ]
        columns = tuple(label_in(group, name) for name in names)
        blocks.append(FigureBlock(group, columns, tuple(rows)))
    return FigureBlocks(tuple(blocks), notes.texts)


def _is_known(
    cells: Sequence[Cell], name: str, figure: Callable[[Cell, str], ArmFigure | None]
) -> bool:
    if name not in _OPTIONAL:
        return True
    found = (figure(cell, name) for cell in cells)
    return any(each is not None and each.state != "not measured" for each in found)
