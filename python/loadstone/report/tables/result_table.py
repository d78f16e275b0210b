"""The result table of one workload: arms as rows, figures as cells with variation and footnotes.

A figure that is not a value shows its state and a footnote with the reason, and no number; one of which
nothing is claimed shows its number and a footnote that says so. What is
here are the most important figures; all of them are in `full_tables.py`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from loadstone.analysis.cells.narrowed import narrowed
from loadstone.analysis.model import Analysis, ArmFigure, Cell, Comparison, RunFigure
from loadstone.analysis.sentences.no_claim import state_of
from loadstone.metrics.catalogue import MARKS, metric
from loadstone.metrics.labels import column_label
from loadstone.metrics.marks import AFTER_REQUESTS
from loadstone.metrics.model import WorkloadKind
from loadstone.text import units

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
    "footprint": (
        *(name for name in MARKS if name.startswith("pss.")),
        "rss.after_five_requests",
        "rss.after_ten_requests",
        "rss_peak",
        "throughput",
    ),
}
"""The columns of the first table, by kind of workload; the full tables have all that it measures. RSS
stands beside PSS where published tables have it."""

_POOLED = "pooled: from the histograms of all runs merged, beyond the reach of one run"
_NO_CLAIM = "no verdict, rank or effect is made of it"
_NOT_HELD = "the arm is not held to all of its contract"
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
    deviation: str = ""
    """Variation between the runs: `CV 2.10 %`, or `SD 0.0120 points` where there is no ratio."""
    note: int | None = None
    is_value: bool = True

    @property
    def variation(self) -> tuple[str, ...]:
        """Spread and deviation, as far as there are any."""
        return tuple(part for part in (self.spread, self.deviation) if part)


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
class Notes:
    """Numbers footnotes: the same reason has the same number."""

    numbers: dict[str, int] = field(default_factory=dict)

    def number(self, text: str) -> int:
        """Of the footnote with this text, from 1."""
        return self.numbers.setdefault(text, len(self.numbers) + 1)

    @property
    def texts(self) -> tuple[str, ...]:
        """Footnote 1 first."""
        return tuple(self.numbers)


def result_tables(analysis: Analysis) -> tuple[ResultTable, ...]:
    """One table for each workload, in the plan's order, of what is most important."""
    return tuple(_result_table(analysis, workload) for workload in analysis.workloads)


def _result_table(analysis: Analysis, workload: str) -> ResultTable:
    notes = Notes()
    cells = [cell for cell in analysis.cells if cell.workload == workload]
    chosen = tuple(
        name for name in SUMMARY_METRICS[kind_of(analysis, workload)] if _is_reached(cells, name)
    )
    rows = tuple(
        arm_row(cell, [figure_of(cell, name) for name in chosen], chosen, notes) for cell in cells
    )
    return ResultTable(workload, tuple(map(column_label, chosen)), rows, notes.texts)


def _is_reached(cells: Sequence[Cell], name: str) -> bool:
    """Whether any arm came to a mark; of what is no mark after a number of requests, always."""
    if MARKS.get(name) not in AFTER_REQUESTS:
        return True
    figures = (figure_of(cell, name) for cell in cells)
    return any(figure is not None and figure.state != "not measured" for figure in figures)


def kind_of(analysis: Analysis, workload: str) -> WorkloadKind:
    """The kind of a workload of the study."""
    return next((cell.kind for cell in analysis.cells if cell.workload == workload), "load")


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
        about = cell and narrowed(cell, comparison.group, comparison.operation)
        figure = about and figure_of(about, comparison.metric)
        if figure and figure.state == "withheld":
            return f"{arm}: {figure.reason}"
    return ""


def state_text(figure: ArmFigure | RunFigure, name: str) -> str:
    """The value with its unit, or the state in a word."""
    if figure.state == "value" and figure.value is not None:
        return units.quantity(figure.value, metric(name).unit)
    return _STATE_TEXT.get(figure.state, figure.state)


def arm_row(
    cell: Cell, figures: Sequence[ArmFigure | None], metrics: Sequence[str], notes: Notes
) -> ArmRow:
    """The row of a cell's arm: a figure for each of the metrics."""
    return ArmRow(
        arm=cell.arm,
        runs=f"{cell.runs_completed} of {cell.runs_planned}",
        figures=tuple(
            figure_text(figure, name, notes, cell.not_held)
            for figure, name in zip(figures, metrics, strict=True)
        ),
    )


def figure_text(
    figure: ArmFigure | None, name: str, notes: Notes, not_held: str = ""
) -> FigureText:
    """A figure as its table shows it.

    The reason for a state becomes a footnote, and so does what of its contract the arm is not held to.
    """
    if figure is None:
        return FigureText("–", note=notes.number("not measured"), is_value=False)
    if figure.state != "value" or figure.value is None:
        reason = f"{figure.state}: {figure.reason}" if figure.reason else figure.state
        return FigureText(state_text(figure, name), note=notes.number(reason), is_value=False)
    remarks = [
        _POOLED if figure.pooled else "",
        f"{state_of(figure.no_claim)}: {_NO_CLAIM}" if figure.no_claim else "",
        f"{_NOT_HELD}: {not_held}" if not_held else "",
    ]
    remark = "; ".join(filter(None, remarks))
    note = notes.number(remark) if remark else None
    return FigureText(
        *_texts(name, figure.value, figure.low, figure.high, figure.deviation), note=note
    )


@lru_cache(maxsize=2**16)
def _texts(
    name: str, value: float, low: float | None, high: float | None, deviation: float | None
) -> tuple[str, str, str]:
    """Value, spread and deviation. Kept: HTML, Markdown and LaTeX each show the same figures."""
    text = units.quantity(value, metric(name).unit)
    return text, _spread(name, low, high, text), _deviation(name, deviation)


def _deviation(name: str, deviation: float | None) -> str:
    if deviation is None:
        return ""
    if metric(name).scale == "ratio":
        return f"CV {units.share(deviation)}"
    return f"SD {units.difference(deviation, metric(name).unit).removeprefix('+')}"


def _spread(name: str, low: float | None, high: float | None, text: str) -> str:
    if low is None or high is None or low == high:
        return ""
    spread = units.spread(low, high, metric(name).unit)
    unit = " " + text.rpartition(" ")[2]
    return spread.removesuffix(unit) if text.endswith(unit) else spread
