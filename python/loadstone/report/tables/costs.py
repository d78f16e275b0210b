"""The cost sheet: what each arm takes, and what it gives for it, in one table of the whole study.

Rows are arms under loads. What belongs to the arm and not to a load comes from where it is measured
best: starts from the workload of starts, memory at rest from a footprint.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from loadstone.analysis.model import Analysis, ArmFigure, Cell
from loadstone.metrics.labels import metric_label
from loadstone.metrics.model import WorkloadKind
from loadstone.report.tables.result_table import FigureText, Notes, figure_text

COST_METRICS = (
    "cpu_per_ok",
    "ok_per_cpu_second",
    "dependency_cpu_per_ok",
    "bench_service_cpu_per_ok",
    "rss_peak",
    "pss.at_rest",
    "startup",
    "startup_cpu",
    "build_time",
    "artifact_size",
    "throughput",
    "response_time.p99",
    "apdex",
)
"""The columns, as far as the study measures them."""

_OF_FEW_SYSTEMS = ("bench_service_cpu_per_ok",)
"""Columns that stand only where some arm has a value: few systems have what they are about."""

_BEST_KIND: dict[str, WorkloadKind] = {
    "startup": "startup",
    "startup_cpu": "startup",
    "pss.at_rest": "footprint",
}
"""Kind of workload that a figure is taken from where the study has one."""


@dataclass(frozen=True, slots=True)
class CostFigure:
    """One figure, and where it comes from."""

    metric: str
    workload: str
    """That measured it."""
    figure: ArmFigure
    not_held: str
    """What of its contract the arm is not held to; empty where it is to all."""


@dataclass(frozen=True, slots=True)
class CostRow:
    """One arm under one load."""

    arm: str
    workload: str
    figures: tuple[CostFigure | None, ...]
    """None where no workload of the study measures it."""


@dataclass(frozen=True, slots=True)
class CostSheet:
    """What the figures are, row by row."""

    metrics: tuple[str, ...]
    rows: tuple[CostRow, ...]


@dataclass(frozen=True, slots=True)
class CostTable:
    """The same as texts."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, str, tuple[FigureText, ...]], ...]
    """Arm, workload, and a figure for each column."""
    notes: tuple[str, ...]


def cost_sheet(analysis: Analysis) -> CostSheet:
    """Every arm under every load; under the footprints or starts of a study without loads."""
    kinds = {cell.workload: cell.kind for cell in analysis.cells}
    main: WorkloadKind = next(
        (kind for kind in ("load", "footprint") if kind in kinds.values()), "startup"
    )
    rows = [
        CostRow(
            cell.arm, cell.workload, tuple(_figure(analysis, cell, name) for name in COST_METRICS)
        )
        for workload in analysis.workloads
        for cell in analysis.cells
        if cell.workload == workload and cell.kind == main
    ]
    known = [
        index
        for index, name in enumerate(COST_METRICS)
        if any(_is_shown(name, row.figures[index]) for row in rows)
    ]
    return CostSheet(
        tuple(COST_METRICS[index] for index in known),
        tuple(
            CostRow(row.arm, row.workload, tuple(row.figures[index] for index in known))
            for row in rows
        ),
    )


def _is_shown(name: str, found: CostFigure | None) -> bool:
    return found is not None and (name not in _OF_FEW_SYSTEMS or found.figure.value is not None)


def cost_table(analysis: Analysis) -> CostTable:
    """The cost sheet as it is printed."""
    sheet, notes = cost_sheet(analysis), Notes()
    rows = tuple((row.arm, row.workload, tuple(_texts(row, sheet, notes))) for row in sheet.rows)
    return CostTable(tuple(map(metric_label, sheet.metrics)), rows, notes.texts)


def _texts(row: CostRow, sheet: CostSheet, notes: Notes) -> Iterable[FigureText]:
    for name, found in zip(sheet.metrics, row.figures, strict=True):
        yield (
            figure_text(found.figure, name, notes, found.not_held)
            if found
            else figure_text(None, name, notes)
        )


def _figure(analysis: Analysis, cell: Cell, name: str) -> CostFigure | None:
    kind = _BEST_KIND.get(name)
    best = [each for each in analysis.cells if each.arm == cell.arm and each.kind == kind]
    for each in (*best, cell):
        figure = each.by_metric.get(name)
        if figure is not None:
            return CostFigure(name, each.workload, figure, each.not_held)
    return None
