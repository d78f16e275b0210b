"""Published ramps beside measured ones: users who grow until a first request does not end as it should.

How many users there were then is no capacity: it is the growth a second times the time of one failure.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from loadstone.analysis.model import Analysis, Cell
from loadstone.metrics.catalogue import metric
from loadstone.report.published.matched import matched
from loadstone.report.published.published_facts import Row, lacking
from loadstone.report.published.published_rows import names_of
from loadstone.report.published.published_table import (
    NOT_KNOWN,
    PublishedLine,
    about_source,
    nothing,
)
from loadstone.report.tables.result_table import FigureText, Notes, figure_of, figure_text
from loadstone.study.values.model import Plan
from loadstone.study.values.published import Published, PublishedRamp, PublishedSource, RampKey
from loadstone.study.values.published_keys import ramp_key_of
from loadstone.text import units

RAMPS_READING = (
    "Users grow until the first request does not end as it should; what is told then is when that "
    "was, and no capacity. Measured figures are means over the runs in which it came."
)

_MEASURED = {
    "users_before_failure": ("users_before_failure", 1.0),
    "time_to_failure": ("run_seconds", 1e9),
    "response_time.mean": ("mean_ms", 1e6),
    "response_time.max": ("max_ms", 1e6),
}
"""Metric to its field of a published ramp, and the size of that field's unit in the catalogue's."""

COLUMNS = ("users before failure", "time to failure", "mean", "largest", "requests")
_IN_RESULTS = "by outcome in the results, not as one number"
_STOPS = {
    "first_timeout": "the first time-out",
    "first_failed_check": "the first wrong answer",
    "first_failure": "the first failure",
}


@dataclass(frozen=True, slots=True)
class RampLines:
    """The rows of one ramp."""

    ramp: str
    """`list-users h1 -> h1c, 200 users more a second until the first failure, pause 1.00 s`."""
    lines: tuple[PublishedLine, ...]
    """Measured ones first."""


@dataclass(frozen=True, slots=True)
class RampsTable:
    """All of it."""

    columns: tuple[str, ...]
    about: tuple[str, ...]
    """A paragraph for each source."""
    ramps: tuple[RampLines, ...]
    notes: tuple[str, ...]
    """Footnote 1 first; the ramps share them."""


@dataclass(frozen=True, slots=True)
class RampRows:
    """Everything of one ramp."""

    key: RampKey
    measured: tuple[tuple[str, Cell], ...]
    """What each is called, in the plan's order."""
    published: tuple[tuple[PublishedSource, PublishedRamp], ...]
    """In the order of the sources."""


def ramp_rows(analysis: Analysis, plan: Plan, published: Published | None) -> tuple[RampRows, ...]:
    """Match cells and published ramps; nothing where none fit, or where nothing was measured."""
    if published is None or analysis.simulated:
        return ()
    arms = {arm.id: arm for arm in plan.arms}
    found = matched(
        analysis,
        plan,
        published,
        ramp_key_of,
        lambda source: ((ramp.key, ramp) for ramp in source.ramps),
    )
    return tuple(
        RampRows(key, tuple(zip(names_of(cells, arms), cells, strict=True)), tuple(rows))
        for key, (cells, rows) in sorted(found.items())
    )


def ramps_table(analysis: Analysis, plan: Plan, published: Published | None) -> RampsTable | None:
    """The table in words; none where nothing that was published fits what was measured."""
    found = ramp_rows(analysis, plan, published)
    if not found:
        return None
    notes = Notes()
    ramps = tuple(
        RampLines(
            _ramp_text(rows.key),
            (
                *(_measured(name, cell, notes) for name, cell in rows.measured),
                *(_published(source, ramp, notes) for source, ramp in rows.published),
            ),
        )
        for rows in found
    )
    sources = {source.source: source for rows in found for source, _ in rows.published}
    return RampsTable(COLUMNS, tuple(map(about_source, sources.values())), ramps, notes.texts)


def ramp_facts(found: Iterable[RampRows]) -> Iterable[Row]:
    """The rows of `published-ramps.csv`, in published units and with every digit."""
    yield (
        *RampKey._fields,
        *("origin", "source", "stack", "arm", "workload"),
        *(field for field, _ in _MEASURED.values()),
        *("completed", "failed", "reason"),
    )
    for rows in found:
        for name, cell in rows.measured:
            figures = {each: figure_of(cell, each) for each in _MEASURED}
            reasons = [f"{of}: {lacking(each)}" for of, each in figures.items() if lacking(each)]
            yield (
                *rows.key,
                *("measured", "", name, cell.arm, cell.workload),
                *(
                    None
                    if each is None or each.value is None or lacking(each)
                    else each.value / _MEASURED[of][1]
                    for of, each in figures.items()
                ),
                *(None, None, "; ".join(reasons)),
            )
        for source, ramp in rows.published:
            yield (
                *rows.key,
                *("published", source.source, source.name_of(ramp), "", ""),
                *(_value(ramp, field) for field, _ in _MEASURED.values()),
                *(ramp.completed, ramp.failed, "; ".join(each.told for each in ramp.notes)),
            )


def _ramp_text(key: RampKey) -> str:
    pause = f", pause {units.duration(key.pause_ms * 1e6)}" if key.pause_ms else ""
    return (
        f"{key.scenario}, {units.count(key.users_per_second)} users more a second until "
        f"{_STOPS[key.stop]}{pause}"
    )


def _measured(name: str, cell: Cell, notes: Notes) -> PublishedLine:
    figures = [figure_text(figure_of(cell, each), each, notes) for each in _MEASURED]
    return PublishedLine(name, cell.arm, (*figures, nothing(_IN_RESULTS, notes)))


def _published(source: PublishedSource, ramp: PublishedRamp, notes: Notes) -> PublishedLine:
    remarks = tuple(notes.number(each.told) for each in ramp.notes)
    figures = [
        nothing(ramp.withheld(field) or NOT_KNOWN, notes)
        if (value := _value(ramp, field)) is None
        else FigureText(units.quantity(value * size, metric(name).unit))
        for name, (field, size) in _MEASURED.items()
    ]
    requests = (
        nothing(NOT_KNOWN, notes) if ramp.completed is None else FigureText(_requests_text(ramp))
    )
    return PublishedLine(source.name_of(ramp), "", (*figures, requests), remarks)


def _value(ramp: PublishedRamp, field: str) -> float | None:
    """None where it is not known, or a note withholds it."""
    value: float | None = getattr(ramp, field)
    return None if ramp.withheld(field) else value


def _requests_text(ramp: PublishedRamp) -> str:
    failed = "" if ramp.failed is None else f", {units.count(ramp.failed)} failed"
    return f"{units.count(ramp.completed or 0)}{failed}"
