"""The matrix of a question with many cases: its levels as rows, workloads and other factors as columns.

A cell is how many times the best of its column is better; the best one is a word.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

from loadstone.analysis.answer_model import NoPlace, Place, Standing
from loadstone.analysis.sentences.standings import figure_text, times_text, where_text
from loadstone.metrics.labels import metric_label
from loadstone.text.words import capitalized

LEAST_CASES = 2
LEAST_CELLS = 6
"""Fewer of them are read as quickly in sentences."""
_STEPS = (1.1, 1.5, 2.0, 4.0)
"""From which ratio on a cell is one shade darker."""


@dataclass(frozen=True, slots=True)
class MatrixCell:
    """One level in one case."""

    text: str
    figure: str
    """Of the arm; empty where it has none that is ranked."""
    tone: str
    """`best`, `tied`, `untold`, `behind-1` to `behind-5`, `none`."""
    title: str
    """All that the cell says, in words."""
    key: str
    """Of the ranked figures that it leads to; empty where there are none."""


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """One level."""

    label: str
    cells: tuple[MatrixCell, ...]


@dataclass(frozen=True, slots=True)
class Matrix:
    """One question by its primary metric."""

    title: str
    heads: tuple[str, ...]
    """Of the columns."""
    factors: str
    """What the heads are levels of."""
    rows: tuple[MatrixRow, ...]
    has_tied: bool
    has_untold: bool
    has_none: bool


def matrix(standings: Sequence[Standing], keys: Sequence[str]) -> Matrix | None:
    """Of the standings by one metric; none where they are few. `keys` lead to each of them."""
    labels = dict.fromkeys(
        label
        for standing in standings
        for label in (*(p.label for p in standing.places), *(n.label for n in standing.no_places))
    )
    if len(standings) < LEAST_CASES or len(standings) * len(labels) < LEAST_CELLS:
        return None
    several = len({each.workload for each in standings}) > 1
    rows = [
        MatrixRow(
            label,
            tuple(_cell(each, label, key) for each, key in zip(standings, keys, strict=True)),
        )
        for label in sorted(labels, key=lambda label: _order(label, standings))
    ]
    tones = {cell.tone for row in rows for cell in row.cells}
    factors = [*standings[0].case, *(["workload"] if several else [])]
    return Matrix(
        title=f"{capitalized(metric_label(standings[0].metric))}: how many times better the best is",
        heads=tuple(_head(each, several=several) for each in standings),
        factors=", ".join(factors),
        rows=tuple(rows),
        has_tied="tied" in tones,
        has_untold="untold" in tones,
        has_none="none" in tones,
    )


def _head(standing: Standing, *, several: bool) -> str:
    levels = [*standing.case.values(), *([standing.workload] if several else [])]
    return " · ".join(levels)


def _order(label: str, standings: Sequence[Standing]) -> tuple[bool, float]:
    """By how far behind it is on average; last where it has no place at all."""
    found = [
        log(place.behind or place.rank)
        for standing in standings
        for place in standing.places
        if place.label == label
    ]
    return not found, sum(found) / len(found) if found else 0.0


def _cell(standing: Standing, label: str, key: str) -> MatrixCell:
    where = where_text(standing, names_workload=True)
    for place in standing.places:
        if place.label == label:
            return _placed(standing, place, where, key)
    for missing in standing.no_places:
        if missing.label == label:
            return _missing(missing, where, key)
    return MatrixCell("–", "", "none", f"{label} was not measured {where}", "")


def _placed(standing: Standing, place: Place, where: str, key: str) -> MatrixCell:
    figure = figure_text(place, standing.metric)
    text, tone = _text(standing, place)
    title = f"{place.label} {where}: {figure}, {text}"
    if place.bound:
        title += f"; it may be better, since {place.bound_reason}"
    return MatrixCell(text, figure.partition(" [")[0], tone, title, key)


def _text(standing: Standing, place: Place) -> tuple[str, str]:
    if standing.outcome == "equivalent":
        return "equal", "tied"
    if standing.outcome == "cannot tell":
        return "not told", "untold"
    if standing.outcome == "one figure":
        return "the only one", "untold"
    if place.label in standing.best:
        return ("tied", "tied") if standing.outcome == "shared" else ("best", "best")
    if place.behind is None:
        return "behind", "behind-2"
    return f"{times_text(place.behind)} ×", f"behind-{shade(place.behind)}"


def shade(ratio: float) -> int:
    """From 1, hardly behind, to 5."""
    return 1 + sum(ratio >= step for step in _STEPS)


def _missing(missing: NoPlace, where: str, key: str) -> MatrixCell:
    title = f"{missing.label} {where} has no place: {missing.reason}"
    return MatrixCell("no place", "", "none", title, key)
