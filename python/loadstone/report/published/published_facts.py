"""`tables/published.csv`: the rows of the published table, in its units and with every digit.

A figure that is no value has its reason and no number, as in every other table.
"""

from collections.abc import Iterable, Sequence

from loadstone.analysis.model import ArmFigure
from loadstone.analysis.sentences.no_claim import state_of
from loadstone.report.published.published_columns import IN_UNIT
from loadstone.report.published.published_rows import LoadRows, MeasuredRow, PublishedRows
from loadstone.report.published.published_table import (
    COUNTS_FAILURES,
    measured_figure,
    metrics_in,
    published_value,
    remarks_on,
)
from loadstone.study.values.published import PublishedRow, PublishedSource

_LOAD = ("scenario", "users", "message_bytes", "delay_ms", "rate_per_second", "pause_ms")
_WHOSE = ("origin", "source", "stack", "arm", "workload")
"""The origin is `measured` or `published`; arm and workload are of the one, the source of the other."""

Value = str | int | float | None
Row = tuple[Value, ...]


def published_facts(found: PublishedRows) -> Iterable[Row]:
    """The heading, then every row."""
    metrics = metrics_in(found)
    figures = (IN_UNIT[name][0] for name in metrics)
    yield (*_LOAD, *_WHOSE, *figures, "best_place", "worst_place", "reason")
    for load in found.loads:
        for row in load.measured:
            yield _measured(load, row, metrics)
        for source, published in load.published:
            yield _published(load, source, published, metrics)


def _load(load: LoadRows) -> Row:
    key = load.key
    return (
        *key[:1],
        key.users or None,
        *key[2:4],
        key.rate_per_second or None,
        None if key.rate_per_second else key.pause_ms,
    )


def _measured(load: LoadRows, row: MeasuredRow, metrics: Sequence[str]) -> Row:
    figures = {name: measured_figure(row.cell, name) for name in metrics}
    reasons = [f"{name}: {lacking(each)}" for name, each in figures.items() if lacking(each)]
    reasons += [
        f"{name}: {state_of(each.no_claim)}"
        for name, each in figures.items()
        if each is not None and each.no_claim
    ]
    if row.no_place:
        reasons.append(f"place: {row.no_place}")
    return (
        *_load(load),
        "measured",
        "",
        row.name,
        row.cell.arm,
        row.cell.workload,
        *(
            _in_unit(name, None if each is None or lacking(each) else each.value)
            for name, each in figures.items()
        ),
        *((None, None) if row.place is None else (row.place.low, row.place.high)),
        "; ".join(reasons),
    )


def _published(
    load: LoadRows, source: PublishedSource, row: PublishedRow, metrics: Sequence[str]
) -> Row:
    reasons = (*((COUNTS_FAILURES,) if row.failures_percent else ()), *remarks_on(row))
    return (
        *_load(load),
        "published",
        source.source,
        source.name_of(row),
        "",
        "",
        *(
            None if published_value(row, name) is None else getattr(row, IN_UNIT[name][0])
            for name in metrics
        ),
        None,
        None,
        "; ".join(reasons),
    )


def lacking(figure: ArmFigure | None) -> str:
    """Why a figure has no number; empty where it has one."""
    if figure is None:
        return "not measured"
    if figure.state == "value" and figure.value is not None:
        return ""
    return f"{figure.state}: {figure.reason}" if figure.reason else figure.state


def _in_unit(name: str, value: float | None) -> float | None:
    return None if value is None else value / IN_UNIT[name][1]
