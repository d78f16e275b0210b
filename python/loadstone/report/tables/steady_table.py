"""What users of each arm bear from its start until it is steady: the table of one workload."""

from collections.abc import Sequence
from dataclasses import dataclass

from loadstone.analysis.model import Analysis, Cell
from loadstone.metrics.labels import metric_label
from loadstone.report.steady_text import (
    first_text,
    is_closed,
    is_watched,
    late_sentence,
    reasons_text,
    steady_sentence,
    steady_text,
)
from loadstone.report.tables.result_table import FigureText, Notes, figure_of, figure_text

_METRICS = (
    "startup",
    "time_to_steady",
    "first_10s.throughput",
    "first_30s.throughput",
    "throughput",
    "first_10s.response_time.p99",
    "first_30s.response_time.p99",
    "response_time.p99",
    "compile_cpu",
)
_IN_WINDOW = {"throughput": "throughput in window", "response_time.p99": "p99 in window"}


@dataclass(frozen=True, slots=True)
class SteadyRow:
    """One arm."""

    arm: str
    sentence: str
    """`Steady after 58 to 64 s; in its first 10 s it answered 15 % of what it does when warm.`"""
    brief: str
    """The same for a line of a terminal, with the reasons."""
    reasons: str
    """Why its windows began."""
    figures: tuple[FigureText, ...]


@dataclass(frozen=True, slots=True)
class SteadyTable:
    """One workload whose warm-ups were watched."""

    workload: str
    columns: tuple[str, ...]
    rows: tuple[SteadyRow, ...]
    notes: tuple[str, ...]
    """Footnote 1 first."""


def steady_table(analysis: Analysis, workload: str) -> SteadyTable | None:
    """None where no warm-up was watched."""
    cells = [cell for cell in analysis.cells if cell.workload == workload]
    if not is_watched(cells):
        return None
    notes, closed = Notes(), is_closed(cells)
    known = [name for name in _METRICS if _is_measured(cells, name)]
    return SteadyTable(
        workload,
        tuple(_IN_WINDOW.get(name) or _column(name) for name in known),
        tuple(_row(cell, known, notes, closed=closed) for cell in cells),
        notes.texts,
    )


def _is_measured(cells: Sequence[Cell], name: str) -> bool:
    figures = (figure_of(cell, name) for cell in cells)
    return any(figure is not None and figure.state != "not measured" for figure in figures)


def _column(name: str) -> str:
    return metric_label(name).replace("response time p99", "p99")


def _row(cell: Cell, metrics: Sequence[str], notes: Notes, *, closed: bool) -> SteadyRow:
    steady, reasons = steady_text(cell), reasons_text(cell)
    why = f" ({reasons})" if steady and reasons else ""
    first = first_text(cell, closed=closed)
    return SteadyRow(
        cell.arm,
        " ".join(filter(None, (steady_sentence(cell, closed=closed), late_sentence(cell)))),
        "; ".join(filter(None, (f"{steady}{why}", first, cell.late_look))),
        reasons or "–",
        tuple(figure_text(figure_of(cell, name), name, notes, cell.not_held) for name in metrics),
    )
