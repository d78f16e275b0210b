"""The groups of one workload in a few columns: each arm, and under it its operations."""

from dataclasses import replace

from loadstone.analysis.model import Analysis, Cell, GroupFigures, OperationFigures
from loadstone.report.tables.result_table import ArmRow, FigureText, Notes, ResultTable, arm_row

COLUMNS = (
    "session.duration.median",
    "session.duration.p99",
    "session.failures",
    "response_time.median",
    "response_time.p99",
    "throughput",
    "failures",
)
HEADINGS = (
    "session median",
    "session p99",
    "aborted",
    "median",
    "p99",
    "throughput",
    "failures",
)
_OF_SESSIONS = sum(name.startswith("session.") for name in COLUMNS)
_BLANK = FigureText("")
"""An operation has no sessions of its own."""


def group_briefs(analysis: Analysis, workload: str) -> dict[str, ResultTable]:
    """A table for each of several groups, by its name."""
    cells = [cell for cell in analysis.cells if cell.workload == workload]
    names = dict.fromkeys(each.group for cell in cells for each in cell.groups)
    return {name: _table(workload, cells, name) for name in names}


def _table(workload: str, cells: list[Cell], group: str) -> ResultTable:
    notes, rows = Notes(), list[ArmRow]()
    for cell in cells:
        found = next((each for each in cell.groups if each.group == group), None)
        rows.append(_row(cell, found, notes))
        rows += [_indented(cell, each, notes) for each in cell.operations if each.group == group]
    return ResultTable(workload, HEADINGS, tuple(rows), notes.texts)


def _row(cell: Cell, found: GroupFigures | None, notes: Notes) -> ArmRow:
    figures = {} if found is None else found.by_metric
    return arm_row(cell, [figures.get(name) for name in COLUMNS], COLUMNS, notes)


def _indented(cell: Cell, operation: OperationFigures, notes: Notes) -> ArmRow:
    columns = COLUMNS[_OF_SESSIONS:]
    row = arm_row(cell, [operation.by_metric.get(name) for name in columns], columns, notes)
    name = operation.operation.removeprefix(f"{operation.group}.")
    return replace(row, arm=f"  {name}", figures=(_BLANK,) * _OF_SESSIONS + row.figures)
