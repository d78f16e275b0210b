"""`tables/*.csv`: figures, runs, costs, comparisons, findings: a fact a line, in the catalogue's units.

Numbers keep every digit. A withheld figure has its reason and no number, its runs included. A text
that a spreadsheet would take for a formula is quoted with an apostrophe. `tables/*.tex` are the
matter of `latex/tables.py`.
"""

import csv
import io
from collections.abc import Iterable

from loadstone.analysis.model import (
    Analysis,
    ArmFigure,
    Cell,
    EngineFigures,
    RunFigure,
    Superiority,
)
from loadstone.findings.model import Finding
from loadstone.metrics.catalogue import metric
from loadstone.report.latex.tables import latex_tables
from loadstone.report.published.published_facts import published_facts
from loadstone.report.published.published_ramps import ramp_facts, ramp_rows
from loadstone.report.published.published_rows import published_rows
from loadstone.report.published.published_starts import start_facts, start_rows
from loadstone.report.tables.costs import cost_sheet
from loadstone.report.tables.per_request_table import per_request_sheet
from loadstone.report.tables.question_tables import question_tables
from loadstone.report.tables.result_table import withheld_reason
from loadstone.report.tables.session_table import COLUMNS, session_table
from loadstone.study.values.model import Plan
from loadstone.study.values.published import Published
from loadstone.text.plain import plain_model

_FORMULA_STARTS = ("=", "+", "-", "@")
_WHERE = ("workload", "arm", "group", "operation", "metric", "unit")
"""No operation: of all together; no group: of the only one, or of all together."""
_FACTS = ("state", "no_claim", "value", "smallest_run", "largest_run", "deviation", "pooled")
"""`no_claim` has the codes of findings by which a value stands and nothing is claimed of it. The
deviation is a share of the mean on a ratio scale, else in the metric's unit."""
_Value = str | int | float | bool | None


def render_tables(analysis: Analysis, findings: tuple[Finding, ...]) -> dict[str, str]:
    """File name to content. Same arguments, same bytes."""
    analysis, findings = plain_model(analysis), tuple(map(plain_model, findings))
    return (
        {
            "figures.csv": _csv(_figures(analysis)),
            "runs.csv": _csv(_runs(analysis)),
            "costs.csv": _csv(_costs(analysis)),
            "comparisons.csv": _csv(_comparisons(analysis)),
            "findings.csv": _csv(_findings(findings)),
        }
        | {name: _csv(rows) for name, rows in question_tables(analysis).items()}
        | {name: _csv(rows) for name, rows in _sessions(analysis).items()}
        | {name: _csv(rows) for name, rows in _engines(analysis).items()}
        | {name: _csv(rows) for name, rows in per_request_sheet(analysis).items()}
        | latex_tables(analysis, findings)
    )


def render_published(analysis: Analysis, plan: Plan, published: Published | None) -> dict[str, str]:
    """The same for `published.csv`, `published-starts.csv` and `published-ramps.csv`, as far as
    anything fits the study.
    """
    known = None if published is None else plain_model(published)
    analysis, plan = plain_model(analysis), plain_model(plan)
    rows, starts = published_rows(analysis, plan, known), start_rows(analysis, plan, known)
    ramps = ramp_rows(analysis, plan, known)
    return {
        **({} if rows is None else {"published.csv": _csv(published_facts(rows))}),
        **({} if starts is None else {"published-starts.csv": _csv(start_facts(starts))}),
        **({"published-ramps.csv": _csv(ramp_facts(ramps))} if ramps else {}),
    }


def _figures(analysis: Analysis) -> Iterable[tuple[_Value, ...]]:
    yield (*_WHERE, *_FACTS, "runs", "runs_planned", "reason", "not_held")
    for cell, part, figure in _cell_figures(analysis):
        where = _where(cell, part, figure)
        runs = cell.runs_completed, cell.runs_planned
        yield (*where, *_facts(figure), *runs, figure.reason, cell.not_held)


def _facts(figure: ArmFigure) -> tuple[_Value, ...]:
    has_value = figure.state == "value"
    numbers = (figure.value, figure.low, figure.high, figure.deviation)
    return (
        figure.state,
        figure.no_claim,
        *(each if has_value else None for each in numbers),
        figure.pooled,
    )


def _runs(analysis: Analysis) -> Iterable[tuple[_Value, ...]]:
    yield (*_WHERE, "block", "state", "value", "at_least", "reason")
    for cell, part, figure in _cell_figures(analysis):
        where = _where(cell, part, figure)
        withheld = RunFigure(value=None, state="withheld", reason=figure.reason)
        for block, own in enumerate(figure.runs, start=1):
            run = withheld if figure.state == "withheld" else own
            value = run.value if run.state == "value" else None
            bound = run.at_least if run.state == "not reached" else None
            yield (*where, block, run.state, value, bound, run.reason)


def _costs(analysis: Analysis) -> Iterable[tuple[_Value, ...]]:
    yield ("arm", "workload", "metric", "unit", "measured_under", *_FACTS, "reason", "not_held")
    for row in cost_sheet(analysis).rows:
        for each in row.figures:
            if each is not None:
                where = row.arm, row.workload, each.metric, metric(each.metric).unit, each.workload
                yield (*where, *_facts(each.figure), each.figure.reason, each.not_held)


def _comparisons(analysis: Analysis) -> Iterable[tuple[_Value, ...]]:
    numbers = ("estimate", "low", "high", "level", "margin", "p_value", "smallest_effect")
    better = ("superiority", "superiority_low", "superiority_high")
    texts = ("question", "workload", "metric", "baseline", "other", "scale", "method")
    last = ("primary", "verdict", "words", "reason", "not_held")
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
            stated.not_held,
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


_Part = tuple[str, str]
"""A group and an operation, as the columns have them."""


def _cell_figures(analysis: Analysis) -> Iterable[tuple[Cell, _Part, ArmFigure]]:
    for cell in analysis.cells:
        yield from ((cell, ("", ""), figure) for figure in cell.figures)
        for group in cell.groups:
            yield from ((cell, (group.group, ""), figure) for figure in group.figures)
        for each in (*cell.operations, *cell.over_groups):
            part = each.group, each.operation.removeprefix(f"{each.group}.")
            yield from ((cell, part, figure) for figure in each.figures)


def _where(cell: Cell, part: _Part, figure: ArmFigure) -> tuple[str, ...]:
    return cell.workload, cell.arm, *part, figure.metric, metric(figure.metric).unit


def _sessions(analysis: Analysis) -> dict[str, Iterable[tuple[_Value, ...]]]:
    """`sessions.csv`, where a workload has sessions of more than one request."""
    tables = [session_table(analysis, workload) for workload in analysis.workloads]
    rows: list[tuple[_Value, ...]] = [
        (table.workload, row.arm, row.group, *row.counts)
        for table in tables
        if table is not None
        for row in table.rows
    ]
    heading = ("workload", "arm", "group", *(column.replace(" ", "_") for column in COLUMNS))
    return {"sessions.csv": [heading, *rows]} if rows else {}


def _engines(analysis: Analysis) -> dict[str, Iterable[tuple[_Value, ...]]]:
    """`engines.csv`, where engines have machines of their own."""
    found = [(cell, each) for cell in analysis.cells for each in cell.engines]
    rows: list[tuple[_Value, ...]] = [
        (cell.workload, cell.arm, *each.model_dump().values()) for cell, each in found
    ]
    heading = ("workload", "arm", *EngineFigures.model_fields)
    return {"engines.csv": [heading, *rows]} if rows else {}


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
