"""The published tables with what was measured in them: a row for each arm, the published ones beside.

The columns are those of the published tables, in their order. A throughput that counts failures is
not shown, nor are times of failed requests: measured, they would be withheld. Nor is what a note of its
row withholds.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from loadstone.analysis.model import Analysis, ArmFigure, Cell
from loadstone.audit.study.published_rows import contradiction
from loadstone.metrics.catalogue import metric
from loadstone.report.published.published_columns import IN_UNIT, columns_of, metrics_of
from loadstone.report.published.published_rows import (
    LoadRows,
    MeasuredRow,
    PublishedRows,
    published_rows,
)
from loadstone.report.tables.rank_table import interval_text
from loadstone.report.tables.result_table import FigureText, Notes, figure_of, figure_text
from loadstone.study.values.model import Plan
from loadstone.study.values.published import Published, PublishedRow, PublishedSource
from loadstone.text import units
from loadstone.text.words import counted

CAVEAT = (
    "Published rows are of other machines and another load generator, so they stand beside the "
    "measured ones to be read and cannot be compared with them."
)
READING = (
    "Measured rows are means over the runs, with the smallest and the largest run, and their "
    "throughput is of ok requests. GC throughput is the share of the time outside the collector's "
    "pauses alone; what it computes beside running threads is in its CPU time, below it. A place is "
    "the interval of ranks that the study's own question leaves open."
)

COUNTS_FAILURES = "requests failed, and the published throughput and times count failed requests"

NOT_RECORDED = "failures were not recorded"
NOT_KNOWN = "not published, or not known"

_PERCENT = 100
_ALMOST_ALL = 0.9995
"""From here on a share is printed so that it never reads as everything."""


@dataclass(frozen=True, slots=True)
class PublishedLine:
    """One row."""

    stack: str
    arm: str
    """Its id; empty for a published row."""
    figures: tuple[FigureText, ...]
    """One for each column."""
    remarks: tuple[int, ...] = ()
    """Footnotes on the whole row."""


@dataclass(frozen=True, slots=True)
class LoadLines:
    """The rows of one load."""

    users: str
    """With their pause, where they have one; or the rate: `1,000/s`."""
    message: str
    """With its unit."""
    delay: str
    """With its unit."""
    lines: tuple[PublishedLine, ...]
    """Measured ones first."""


@dataclass(frozen=True, slots=True)
class ScenarioLines:
    """The loads of one scenario."""

    scenario: str
    loads: tuple[LoadLines, ...]


@dataclass(frozen=True, slots=True)
class PublishedTable:
    """All of it."""

    users_column: str
    """`users`, or `users or rate` where some load has one."""
    columns: tuple[str, ...]
    about: tuple[str, ...]
    """A paragraph for each source."""
    scenarios: tuple[ScenarioLines, ...]
    notes: tuple[str, ...]
    """Footnote 1 first; the scenarios share them."""


def published_table(
    analysis: Analysis, plan: Plan, published: Published | None
) -> PublishedTable | None:
    """The table in words; none where nothing that was published fits what was measured."""
    found = published_rows(analysis, plan, published)
    if found is None:
        return None
    notes, metrics = Notes(), metrics_in(found)
    scenarios = tuple(
        ScenarioLines(scenario, tuple(_load(load, metrics, notes) for load in loads))
        for scenario, loads in groupby(found.loads, key=lambda load: load.key.scenario)
    )
    has_rates = any(load.key.rate_per_second for load in found.loads)
    users_column = "users or rate" if has_rates else "users"
    columns = columns_of(metrics)
    return PublishedTable(users_column, columns, tuple(_about(found)), scenarios, notes.texts)


def metrics_in(found: PublishedRows) -> tuple[str, ...]:
    """The metrics of the columns."""
    return metrics_of(row for load in found.loads for _, row in load.published)


def measured_figure(cell: Cell, name: str) -> ArmFigure | None:
    """The cell's figure of a column's metric: of the GC share its complement."""
    figure = figure_of(cell, name)
    if figure is None or name != "gc_share":
        return figure
    value, low, high = (
        None if each is None else 1 - each for each in (figure.value, figure.high, figure.low)
    )
    return figure.model_copy(update={"value": value, "low": low, "high": high})


def published_value(row: PublishedRow, name: str) -> float | None:
    """A published row's figure in the catalogue's unit; none where it has none, or none that says
    anything.
    """
    field, unit = IN_UNIT[name]
    value: float | None = getattr(row, field)
    if value is None or _counts_failures(row, name) or row.withheld(field):
        return None
    return value * unit


def remarks_on(row: PublishedRow) -> tuple[str, ...]:
    """What is to be known of a whole published row: its notes, and why its figures contradict."""
    found = contradiction(row)
    return (*(each.told for each in row.notes), *((found,) if found else ()))


def _about(found: PublishedRows) -> Iterable[str]:
    for source in found.sources:
        shown = sum(
            each.source == source.source for load in found.loads for each, _ in load.published
        )
        yield about_source(source, len(source.rows) - shown)


def about_source(source: PublishedSource, left_out: int = 0) -> str:
    """What is to be known of a published table before it is read, and how much of it is not shown."""
    parts = [f"{source.title}: {source.origin}.", f"Machine: {source.machine}.", *source.validity]
    if left_out:
        parts.append(
            f"{counted(left_out, 'row')} of loads that this study does not measure "
            f"{'is' if left_out == 1 else 'are'} left out."
        )
    return " ".join(parts)


def _load(load: LoadRows, metrics: Sequence[str], notes: Notes) -> LoadLines:
    return LoadLines(
        users=_users(load),
        message=f"{units.count(load.key.message_bytes)} B",
        delay=f"{units.count(load.key.delay_ms)} ms",
        lines=(
            *(_measured(row, metrics, notes) for row in load.measured),
            *(_published(source, row, metrics, notes) for source, row in load.published),
        ),
    )


def _users(load: LoadRows) -> str:
    """`100`, `100, pause 1.00 s`, `1,000/s`."""
    key = load.key
    if key.rate_per_second:
        return f"{units.count(key.rate_per_second)}/s"
    pause = f", pause {units.duration(key.pause_ms * 1e6)}" if key.pause_ms else ""
    return f"{units.count(key.users)}{pause}"


def _measured(row: MeasuredRow, metrics: Sequence[str], notes: Notes) -> PublishedLine:
    figures = [_figure(measured_figure(row.cell, name), name, notes, row.cell) for name in metrics]
    place = (
        nothing(f"no place: {row.no_place}", notes)
        if row.place is None
        else FigureText(interval_text(row.place))
    )
    return PublishedLine(row.name, row.cell.arm, (*figures, place))


def _published(
    source: PublishedSource, row: PublishedRow, metrics: Sequence[str], notes: Notes
) -> PublishedLine:
    remarks = tuple(notes.number(text) for text in remarks_on(row))
    figures = [
        nothing(_why_nothing(row, name), notes)
        if (value := published_value(row, name)) is None
        else FigureText(_quantity(value, name))
        for name in metrics
    ]
    place = nothing("no place: published, on another machine", notes)
    return PublishedLine(source.name_of(row), "", (*figures, place), remarks)


def _figure(figure: ArmFigure | None, name: str, notes: Notes, cell: Cell) -> FigureText:
    text = replace(figure_text(figure, name, notes, cell.not_held), deviation="")
    if name != "gc_share" or figure is None or figure.value is None or not text.is_value:
        return text
    low, high = (_quantity(each or 0, name) for each in (figure.low, figure.high))
    spread = f"{low.removesuffix(' %')}–{high.removesuffix(' %')}" if low != high else ""
    return replace(
        text,
        text=_quantity(figure.value, name),
        spread=spread,
        deviation=f"CPU of GC {_collector_cpu(cell)}",
    )


def _collector_cpu(cell: Cell) -> str:
    figure = figure_of(cell, "gc_cpu_share")
    if figure is None or figure.value is None:
        return "not told"
    return units.share(figure.value)


def _quantity(value: float, name: str) -> str:
    """As everywhere; of a GC throughput two decimals, as published: of three digits two are nines."""
    if name == "gc_share" and value < _ALMOST_ALL:
        return f"{value * _PERCENT:.2f} %"
    return units.quantity(value, metric(name).unit)


def _why_nothing(row: PublishedRow, name: str) -> str:
    if withheld := row.withheld(IN_UNIT[name][0]):
        return withheld
    if name == "failures":
        return NOT_RECORDED
    return COUNTS_FAILURES if _counts_failures(row, name) else NOT_KNOWN


def _counts_failures(row: PublishedRow, name: str) -> bool:
    return bool(row.failures_percent) and (
        name == "throughput" or name.startswith("response_time.")
    )


def nothing(why: str, notes: Notes) -> FigureText:
    """A dash, with the reason as its footnote."""
    return FigureText("–", note=notes.number(why), is_value=False)
