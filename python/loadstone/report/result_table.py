"""The result table of one workload: arms as rows, figures as cells with variation and footnotes.

A figure that is not a value shows its state and a footnote with the reason, and no number.
"""

from dataclasses import dataclass, field

from loadstone.analysis.catalogue import CONNECTION_QUANTILES, MARKS, metric
from loadstone.analysis.model import Analysis, ArmFigure, Cell, Comparison, RunFigure, WorkloadKind
from loadstone.report import units
from loadstone.report.labels import column_label, metric_label

SUMMARY_METRICS: dict[WorkloadKind, tuple[str, ...]] = {
    "load": (
        "response_time.median",
        "response_time.p99",
        "throughput",
        "failures",
        "cpu_per_ok",
        "rss_peak",
        "startup",
    ),
    "startup": ("startup", "startup_cpu", "startup_rss", "first_request"),
    "footprint": (*MARKS, "rss_peak", "throughput"),
}
"""The columns of the first table, by kind of workload; the full table has all that it measures."""

_POOLED = "pooled: from the histograms of all runs merged, beyond the reach of one run"
_STATE_TEXT = {
    "failed": "failed",
    "too few samples": "too few",
    "not measured": "–",
    "not reached": "not reached",
    "withheld": "withheld",
}


@dataclass(frozen=True, slots=True)
class FigureText:
    """One cell: what is printed, the range over its runs, and the number of its footnote."""

    text: str
    spread: str = ""
    """Smallest to largest run; without the unit where it is the value's."""
    note: int | None = None
    is_value: bool = True


@dataclass(frozen=True, slots=True)
class ArmRow:
    """One arm."""

    arm: str
    runs: str
    """`6 of 6`."""
    figures: tuple[FigureText, ...]


@dataclass(frozen=True, slots=True)
class ResultTable:
    """One workload."""

    workload: str
    columns: tuple[str, ...]
    rows: tuple[ArmRow, ...]
    notes: tuple[str, ...]
    """Footnote 1 first."""


@dataclass(slots=True)
class _Notes:
    """Numbers footnotes: the same reason has the same number."""

    texts: list[str] = field(default_factory=list)

    def number(self, text: str) -> int:
        if text not in self.texts:
            self.texts.append(text)
        return self.texts.index(text) + 1


def result_tables(analysis: Analysis, *, summary: bool = False) -> tuple[ResultTable, ...]:
    """One table for each workload, in the plan's order: of all that it measures, or of the most
    important.

    Times of connections are left out where none was opened in any window.
    """
    return tuple(_table_of(analysis, workload, summary) for workload in analysis.workloads)


def _table_of(analysis: Analysis, workload: str, summary: bool) -> ResultTable:
    kinds: list[WorkloadKind] = [c.kind for c in analysis.cells if c.workload == workload]
    kind = kinds[0] if kinds else "load"
    if summary:
        chosen = SUMMARY_METRICS[kind]
        return _table(analysis, workload, chosen, tuple(map(column_label, chosen)))
    chosen = tuple(
        info.name
        for info in analysis.metrics
        if kind in info.kinds and _is_known(analysis, info.name)
    )
    return _table(analysis, workload, chosen, tuple(map(metric_label, chosen)))


def _is_known(analysis: Analysis, name: str) -> bool:
    figures = (figure_of(cell, name) for cell in analysis.cells)
    return name not in CONNECTION_QUANTILES or any(
        figure is not None and figure.state != "not measured" for figure in figures
    )


def figure_of(cell: Cell, name: str) -> ArmFigure | None:
    """The cell's figure of a metric."""
    return cell.by_metric.get(name)


def cell_of(analysis: Analysis, arm: str, workload: str) -> Cell | None:
    """The cell of an arm under a workload."""
    return analysis.by_arm.get((arm, workload))


def withheld_reason(analysis: Analysis, comparison: Comparison) -> str:
    """Why one of the two figures is withheld; empty where none is."""
    for arm in (comparison.baseline, comparison.other):
        cell = cell_of(analysis, arm, comparison.workload)
        figure = cell and figure_of(cell, comparison.metric)
        if figure and figure.state == "withheld":
            return f"{arm}: {figure.reason}"
    return ""


def state_text(figure: ArmFigure | RunFigure, name: str) -> str:
    """The value with its unit, or the state in a word."""
    if figure.state == "value" and figure.value is not None:
        return units.quantity(figure.value, metric(name).unit)
    return _STATE_TEXT.get(figure.state, figure.state)


def _table(
    analysis: Analysis, workload: str, metrics: tuple[str, ...], columns: tuple[str, ...]
) -> ResultTable:
    notes = _Notes()
    cells = [cell for cell in analysis.cells if cell.workload == workload]
    rows = tuple(
        ArmRow(
            arm=cell.arm,
            runs=f"{cell.runs_completed} of {cell.runs_planned}",
            figures=tuple(_figure_text(figure_of(cell, name), name, notes) for name in metrics),
        )
        for cell in cells
    )
    return ResultTable(workload, columns, rows, tuple(notes.texts))


def _figure_text(figure: ArmFigure | None, name: str, notes: _Notes) -> FigureText:
    if figure is None:
        return FigureText("–", note=notes.number("not measured"), is_value=False)
    text = state_text(figure, name)
    if figure.state != "value" or figure.value is None:
        reason = f"{figure.state}: {figure.reason}" if figure.reason else figure.state
        return FigureText(text, note=notes.number(reason), is_value=False)
    note = notes.number(_POOLED) if figure.pooled else None
    return FigureText(text, _spread(figure, name, text), note)


def _spread(figure: ArmFigure, name: str, text: str) -> str:
    if figure.low is None or figure.high is None or figure.low == figure.high:
        return ""
    spread = units.spread(figure.low, figure.high, metric(name).unit)
    unit = " " + text.rpartition(" ")[2]
    return spread.removesuffix(unit) if text.endswith(unit) else spread
