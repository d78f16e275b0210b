"""`tables/*.csv`: figures, runs, comparisons and findings, one fact a line, in the catalogue's units.

Numbers keep every digit. A withheld figure has its reason and no number, its runs included. A text
that a spreadsheet would take for a formula is quoted with an apostrophe.
"""

import csv
import io
from collections.abc import Iterable
from itertools import chain

from loadstone.analysis.catalogue import metric
from loadstone.analysis.model import Analysis, ArmFigure, Cell, Finding, RunFigure, Superiority
from loadstone.report.plain import plain_model
from loadstone.report.question_tables import question_tables
from loadstone.report.result_table import withheld_reason

_FORMULA_STARTS = ("=", "+", "-", "@")
_WHERE = ("workload", "arm", "metric", "unit")
_Value = str | int | float | bool | None


def render_tables(analysis: Analysis, findings: tuple[Finding, ...]) -> dict[str, str]:
    """File name to content. Same arguments, same bytes."""
    analysis, findings = plain_model(analysis), tuple(map(plain_model, findings))
    return {
        "figures.csv": _csv(_figures(analysis)),
        "runs.csv": _csv(_runs(analysis)),
        "comparisons.csv": _csv(_comparisons(analysis)),
        "findings.csv": _csv(_findings(findings)),
    } | {name: _csv(rows) for name, rows in question_tables(analysis).items()}


def _figures(analysis: Analysis) -> Iterable[tuple[_Value, ...]]:
    facts = ("state", "value", "smallest_run", "largest_run", "pooled", "runs", "runs_planned")
    yield (*_WHERE, *facts, "reason")
    for cell, figure in _cell_figures(analysis):
        has_value = figure.state == "value"
        yield (
            *_where(cell, figure),
            figure.state,
            figure.value if has_value else None,
            figure.low if has_value else None,
            figure.high if has_value else None,
            figure.pooled,
            cell.runs_completed,
            cell.runs_planned,
            figure.reason,
        )


def _runs(analysis: Analysis) -> Iterable[tuple[_Value, ...]]:
    yield (*_WHERE, "block", "state", "value", "reason")
    for cell, figure in _cell_figures(analysis):
        withheld = RunFigure(value=None, state="withheld", reason=figure.reason)
        for block, own in enumerate(figure.runs, start=1):
            run = withheld if figure.state == "withheld" else own
            value = run.value if run.state == "value" else None
            yield (*_where(cell, figure), block, run.state, value, run.reason)


def _comparisons(analysis: Analysis) -> Iterable[tuple[_Value, ...]]:
    numbers = ("estimate", "low", "high", "level", "margin", "p_value", "smallest_effect")
    better = ("superiority", "superiority_low", "superiority_high")
    texts = ("question", "workload", "metric", "baseline", "other", "scale", "method")
    last = ("primary", "verdict", "words", "reason")
    yield (*texts, *numbers, *better, "runs_baseline", "runs_other", *last)
    # A simulated study is compared by nobody: its table has the heading alone.
    for comparison in () if analysis.simulated else analysis.comparisons:
        withheld = withheld_reason(analysis, comparison)
        stated = comparison
        if withheld:
            nothing = dict.fromkeys(
                ("estimate", "low", "high", "p_value", "smallest_effect", "superiority")
            )
            stated = comparison.model_copy(
                update=nothing
                | {
                    "verdict": "cannot tell",
                    "words": "cannot tell",
                    "reason": f"withheld: {withheld}",
                }
            )
        yield (
            *(getattr(stated, name) for name in (*texts, *numbers)),
            *_superiority(stated.superiority),
            *stated.runs,
            stated.primary,
            stated.verdict,
            stated.words,
            stated.reason,
        )


def _superiority(found: Superiority | None) -> tuple[float | None, float | None, float | None]:
    return (None, None, None) if found is None else (found.probability, found.low, found.high)


def _findings(findings: tuple[Finding, ...]) -> Iterable[tuple[_Value, ...]]:
    yield ("severity", "code", "scope", "metrics", "evidence", "advice")
    for finding in findings:
        yield (
            finding.severity,
            finding.code,
            finding.scope,
            " ".join(finding.metrics),
            finding.evidence,
            finding.advice,
        )


def _cell_figures(analysis: Analysis) -> Iterable[tuple[Cell, ArmFigure]]:
    return chain.from_iterable(
        ((cell, figure) for figure in cell.figures) for cell in analysis.cells
    )


def _where(cell: Cell, figure: ArmFigure) -> tuple[str, str, str, str]:
    return cell.workload, cell.arm, figure.metric, metric(figure.metric).unit


def _csv(rows: Iterable[tuple[_Value, ...]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(map(_cells, rows))
    return text.getvalue()


def _cells(row: tuple[_Value, ...]) -> list[_Value]:
    return [_cell(value) for value in row]


def _cell(value: _Value) -> _Value:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str) and value.startswith(_FORMULA_STARTS):
        return f"'{value}"
    return value
