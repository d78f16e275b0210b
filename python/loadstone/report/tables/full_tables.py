"""Every figure of one workload, in blocks of what belongs together; of its operations and groups."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby

from loadstone.analysis.figures.failure_figures import FAILURE_METRICS
from loadstone.analysis.figures.run_figures import GROUP_METRICS, OPERATION_METRICS
from loadstone.analysis.model import Analysis, ArmFigure, Cell, GroupFigures, OperationFigures
from loadstone.metrics.catalogue import CONNECTION_QUANTILES
from loadstone.metrics.database_metrics import DATABASE_METRICS
from loadstone.metrics.labels import column_label, label_in
from loadstone.metrics.model import MetricInfo
from loadstone.metrics.session_metrics import SESSION_METRICS
from loadstone.metrics.store_metrics import STORE_METRICS
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

GROUP_COLUMNS = (
    "session.duration.median",
    "session.duration.p99",
    "session.duration.mean",
    "session.throughput",
    "session.failures",
    "failures",
    "throughput",
    "response_time.median",
    "response_time.p99",
    "user.response_time.median",
    "user.response_time.max",
)
"""The first table of a group."""

_OPTIONAL = (
    *(info.name for info in SESSION_METRICS),
    *CONNECTION_QUANTILES,
    *FAILURE_METRICS,
    *(info.name for info in WARM_UP_METRICS),
    "cpu_per_purpose",
    "bench_service_cpu_per_ok",
    *(info.name for info in (*DATABASE_METRICS, *STORE_METRICS)),
)
"""Left out where no arm has them: sessions are single requests, no connection was opened in a window,
no stop rule was set, no warm-up was watched, the load was too short, no purpose is named, no service
has the role bench, there is no database, no store."""


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


@dataclass(frozen=True, slots=True)
class GroupTables:
    """One group under one workload."""

    group: str
    summary: ResultTable
    offered: tuple[str, ...]
    """How many requests of each row's arm."""
    full: FigureBlocks
    operations: tuple[OperationTables, ...]
    """Those of its sessions."""


def full_tables(analysis: Analysis, workload: str) -> FigureBlocks:
    """Every figure of all operations together."""
    cells = _cells_under(analysis, workload)
    kind = kind_of(analysis, workload)
    infos = [info for info in analysis.metrics if kind in info.kinds]
    return _blocks(cells, infos, figure_of)


def operation_tables(analysis: Analysis, workload: str) -> tuple[OperationTables, ...]:
    """Each operation of a workload, in the order in which it was first seen."""
    cells = _cells_under(analysis, workload)
    return _operations(analysis, workload, cells, lambda cell: cell.operations)


def over_groups_tables(analysis: Analysis, workload: str) -> tuple[OperationTables, ...]:
    """Each operation that several groups perform, all of them together."""
    cells = _cells_under(analysis, workload)
    return _operations(analysis, workload, cells, lambda cell: cell.over_groups)


def group_tables(analysis: Analysis, workload: str) -> tuple[GroupTables, ...]:
    """Each group of a workload with several, with the operations of its sessions."""
    cells = _cells_under(analysis, workload)
    names = dict.fromkeys(each.group for cell in cells for each in cell.groups)
    return tuple(_group(analysis, workload, cells, name) for name in names)


def _cells_under(analysis: Analysis, workload: str) -> list[Cell]:
    return [cell for cell in analysis.cells if cell.workload == workload]


_Part = GroupFigures | OperationFigures
_ByArm = dict[str, _Part | None]


def _group(analysis: Analysis, workload: str, cells: Sequence[Cell], name: str) -> GroupTables:
    found: _ByArm = {
        cell.arm: next((each for each in cell.groups if each.group == name), None) for cell in cells
    }
    infos = [info for info in analysis.metrics if info.name in GROUP_METRICS]
    return GroupTables(
        name,
        _summary(workload, cells, found, GROUP_COLUMNS),
        _offered(found),
        _blocks(cells, infos, _figure_in(found)),
        _operations(
            analysis,
            workload,
            cells,
            lambda cell: tuple(each for each in cell.operations if each.group == name),
        ),
    )


def _operations(
    analysis: Analysis,
    workload: str,
    cells: Sequence[Cell],
    chosen: Callable[[Cell], Sequence[OperationFigures]],
) -> tuple[OperationTables, ...]:
    infos = [info for info in analysis.metrics if info.name in OPERATION_METRICS]
    names = dict.fromkeys(each.operation for cell in cells for each in chosen(cell))
    tables = []
    for name in names:
        found: _ByArm = {
            cell.arm: next((each for each in chosen(cell) if each.operation == name), None)
            for cell in cells
        }
        tables.append(
            OperationTables(
                name,
                _summary(workload, cells, found, OPERATION_COLUMNS),
                _offered(found),
                _blocks(cells, infos, _figure_in(found)),
            )
        )
    return tuple(tables)


def _summary(
    workload: str, cells: Sequence[Cell], found: _ByArm, columns: Sequence[str]
) -> ResultTable:
    figure, notes = _figure_in(found), Notes()
    shown = [name for name in columns if _is_known(cells, name, figure)]
    rows = [arm_row(cell, [figure(cell, each) for each in shown], shown, notes) for cell in cells]
    return ResultTable(workload, tuple(map(column_label, shown)), tuple(rows), notes.texts)


def _figure_in(found: _ByArm) -> Callable[[Cell, str], ArmFigure | None]:
    def figure(cell: Cell, metric: str) -> ArmFigure | None:
        part = found[cell.arm]
        return None if part is None else part.by_metric.get(metric)

    return figure


def _offered(found: _ByArm) -> tuple[str, ...]:
    return tuple(
        units.count(sum(part.outcomes.values())) if part else "0" for part in found.values()
    )


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
