"""Published starts beside those that were measured: start-up, memory near rest, build.

A published start-up is mostly what a log claims, and has that column; no two columns are of one clock.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from loadstone.analysis.model import Analysis, ArmFigure, Cell
from loadstone.report.published.published_facts import Row, lacking
from loadstone.report.published.published_rows import names_of
from loadstone.report.published.published_table import (
    NOT_KNOWN,
    PublishedLine,
    about_source,
    nothing,
)
from loadstone.report.tables.result_table import FigureText, Notes, figure_of, figure_text
from loadstone.study.values.model import Arm, Plan
from loadstone.study.values.published import Published, PublishedSource, PublishedStart
from loadstone.text import units

STARTS_READING = (
    "Measured figures are means over the runs: what the service's log claims, the time to the first "
    "correct answer, and resident memory after five requests. What others call executable, build and "
    "CPU has no counterpart here: artifact_size and build_time are of all that building adds."
)

_MILLISECOND_NS = 1e6
_MIB = 2.0**20

COLUMNS = (
    "start-up as claimed",
    "start-up to the first correct answer",
    "RSS after five requests",
    "executable",
    "build",
    "CPU near rest",
)
_MEASURED = ("startup_claimed", "startup", "rss.after_five_requests")
"""Metrics of the first columns; the others are published alone."""

_OTHER_CLOCK = "published tables have no time to the first correct answer"
_OTHER_QUANTITY = "measured otherwise, under another name"


@dataclass(frozen=True, slots=True)
class StartsTable:
    """All of it."""

    columns: tuple[str, ...]
    about: tuple[str, ...]
    """A paragraph for each source."""
    lines: tuple[PublishedLine, ...]
    """Measured ones first."""
    notes: tuple[str, ...]
    """Footnote 1 first."""


@dataclass(frozen=True, slots=True)
class MeasuredStart:
    """One arm, and its figures for `_MEASURED`: each of the kind of workload that measures it best."""

    name: str
    arm: str
    figures: tuple[ArmFigure | None, ...]
    not_held: str
    """What of its contract the arm is not held to; empty where it is to all."""


@dataclass(frozen=True, slots=True)
class StartRows:
    """What was measured and what is published."""

    sources: tuple[PublishedSource, ...]
    measured: tuple[MeasuredStart, ...]


def start_rows(analysis: Analysis, plan: Plan, published: Published | None) -> StartRows | None:
    """None where no starts are published, or the study measures neither starts nor footprints."""
    if published is None or analysis.simulated:
        return None
    sources = tuple(each for each in published.sources if each.starts)
    arms = {arm.id: arm for arm in plan.arms}
    cells = [
        cell
        for kind in ("startup", "footprint")
        for cell in analysis.cells
        if cell.kind == kind and cell.arm in arms
    ]
    if not sources or not cells:
        return None
    return StartRows(sources, tuple(_measured(cells, arms)))


def starts_table(analysis: Analysis, plan: Plan, published: Published | None) -> StartsTable | None:
    """The table in words."""
    found = start_rows(analysis, plan, published)
    if found is None:
        return None
    notes = Notes()
    lines = (
        *(_measured_line(each, notes) for each in found.measured),
        *(
            _published_line(source, start, notes)
            for source in found.sources
            for start in source.starts
        ),
    )
    return StartsTable(COLUMNS, tuple(map(about_source, found.sources)), lines, notes.texts)


def start_facts(found: StartRows) -> Iterable[Row]:
    """The rows of `published-starts.csv`, in published units and with every digit."""
    yield (
        *("origin", "source", "stack", "arm", "startup_claimed_ms", "startup_ms"),
        *("rss_after_five_mib", "executable_mb", "build_seconds", "cpu_percent", "reason"),
    )
    for each in found.measured:
        sizes = (_MILLISECOND_NS, _MILLISECOND_NS, _MIB)
        reasons = [
            f"{name}: {lacking(figure)}"
            for name, figure in zip(_MEASURED, each.figures, strict=True)
            if lacking(figure)
        ]
        yield (
            *("measured", "", each.name, each.arm),
            *(
                None
                if figure is None or figure.value is None or lacking(figure)
                else figure.value / size
                for figure, size in zip(each.figures, sizes, strict=True)
            ),
            *(None, None, None, "; ".join(reasons)),
        )
    for source in found.sources:
        for start in source.starts:
            yield (
                *("published", source.source, source.name_of(start), ""),
                *(start.startup_ms, None, start.rss_after_five_mib, start.executable_mb),
                *(start.build_seconds, start.cpu_percent, ""),
            )


def _measured(cells: Sequence[Cell], arms: dict[str, Arm]) -> Iterable[MeasuredStart]:
    """Each arm once, with starts before footprints."""
    by_arm: dict[str, list[Cell]] = {}
    for cell in cells:
        by_arm.setdefault(cell.arm, []).append(cell)
    firsts = [of_arm[0] for of_arm in by_arm.values()]
    for cell, name in zip(firsts, names_of(firsts, arms), strict=True):
        figures = (_best(by_arm[cell.arm], metric) for metric in _MEASURED)
        yield MeasuredStart(name, cell.arm, tuple(figures), cell.not_held)


def _best(cells: Sequence[Cell], metric: str) -> ArmFigure | None:
    """The figure of the first cell that measures it."""
    found = (figure_of(cell, metric) for cell in cells)
    return next((figure for figure in found if figure is not None), None)


def _measured_line(each: MeasuredStart, notes: Notes) -> PublishedLine:
    figures = [
        figure_text(figure, metric, notes, each.not_held)
        for metric, figure in zip(_MEASURED, each.figures, strict=True)
    ]
    others = [nothing(_OTHER_QUANTITY, notes) for _ in COLUMNS[len(_MEASURED) :]]
    return PublishedLine(each.name, each.arm, (*figures, *others))


def _published_line(source: PublishedSource, start: PublishedStart, notes: Notes) -> PublishedLine:
    rss, built = start.rss_after_five_mib, start.build_seconds
    texts = (
        start.startup_ms and units.quantity(start.startup_ms * _MILLISECOND_NS, "ns"),
        rss and units.quantity(rss * _MIB, "bytes"),
        start.executable_mb and f"{start.executable_mb:g} MB",
        built and units.quantity(built * 1e9, "ns"),
        start.cpu_percent and f"{start.cpu_percent:g} %",
    )
    claimed, *others = (
        FigureText(text) if isinstance(text, str) else nothing(NOT_KNOWN, notes) for text in texts
    )
    figures = (claimed, nothing(_OTHER_CLOCK, notes), *others)
    return PublishedLine(source.name_of(start), "", figures)
