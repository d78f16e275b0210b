r"""`tables/*.tex`: figures by workload, group and operation, comparisons, costs, to be `\input` into a
paper.

What is printed is rounded as in the report; every digit is in the CSV tables. A withheld figure has its
reason and no number.
"""

import re
from collections.abc import Iterable, Sequence

from loadstone.analysis.model import Analysis
from loadstone.analysis.sentences.per_request import p_text
from loadstone.findings.model import Finding
from loadstone.report.latex.tabular import LatexRow, escaped, tabular
from loadstone.report.tables.costs import cost_table
from loadstone.report.tables.full_tables import (
    FigureBlocks,
    GroupTables,
    OperationTables,
    full_tables,
    group_tables,
    operation_tables,
)
from loadstone.report.tables.result_table import FigureText, ResultTable, result_tables
from loadstone.report.verdict_lines import verdict_lines
from loadstone.text import units
from loadstone.text.words import capitalized


def latex_tables(analysis: Analysis, findings: tuple[Finding, ...]) -> dict[str, str]:
    """File name to content, of values whose texts are plain. Same arguments, same bytes."""
    tables = {}
    for table, name in zip(result_tables(analysis), _names(analysis.workloads), strict=True):
        tables[f"figures-{name}.tex"] = _results(table)
        tables[f"all-figures-{name}.tex"] = _blocks(full_tables(analysis, table.workload))
        operations = _parts(operation_tables(analysis, table.workload))
        if operations:
            tables[f"operations-{name}.tex"] = operations
        groups = _parts(group_tables(analysis, table.workload))
        if groups:
            tables[f"groups-{name}.tex"] = groups
    if not analysis.simulated:
        tables["comparisons.tex"] = _comparisons(analysis, findings)
    if analysis.per_request:
        tables["per-request.tex"] = _per_request(analysis)
    costs = cost_table(analysis)
    if costs.rows:
        rows = [_row([arm, workload], figures) for arm, workload, figures in costs.rows]
        tables["costs.tex"] = tabular(
            ["arm", "workload", *costs.columns], rows, costs.notes, texts=2
        )
    return tables


def _names(workloads: Iterable[str]) -> list[str]:
    """Of files: the workloads' names, unless a plan was written by hand and has others."""
    names: list[str] = []
    for workload in workloads:
        name = re.sub("[^a-z0-9-]", "-", workload.lower())[:48]
        names.append(name if name not in names else f"{name}-{len(names) + 1}")
    return names


def _results(table: ResultTable) -> str:
    rows = [_row([row.arm], row.figures) for row in table.rows]
    return tabular(["arm", *table.columns], rows, table.notes)


def _blocks(full: FigureBlocks) -> str:
    """A table for each group of metrics; the notes stand under the last."""
    parts = []
    for block in full.blocks:
        notes = full.notes if block is full.blocks[-1] else ()
        if block.has_arms_as_rows:
            heading, rows = ["arm", *block.columns], [_row([r.arm], r.figures) for r in block.rows]
        else:
            heading = ["metric", *(row.arm for row in block.rows)]
            rows = [_row([label], figures) for label, figures in block.transposed]
        parts.append(f"{_title(block.title)}{tabular(heading, rows, notes)}")
    return "\\par\\bigskip\n".join(parts)


def _parts(tables: Sequence[OperationTables | GroupTables]) -> str:
    """A table for each operation or group."""
    parts = []
    for each in tables:
        heading = ["arm", "offered", *each.summary.columns]
        rows = [
            _row([row.arm, offered], row.figures)
            for row, offered in zip(each.summary.rows, each.offered, strict=True)
        ]
        parts.append(f"{_title(_name(each))}{tabular(heading, rows, each.summary.notes)}")
    return "\\par\\bigskip\n".join(parts)


def _name(part: OperationTables | GroupTables) -> str:
    return part.group if isinstance(part, GroupTables) else part.operation


def _comparisons(analysis: Analysis, findings: tuple[Finding, ...]) -> str:
    lines = verdict_lines(analysis, findings)
    heading = ["workload", "arm", "baseline", "metric", "verdict", "estimate", "interval", "basis"]
    rows = [
        LatexRow(
            (
                line.comparison.workload,
                line.comparison.other,
                line.comparison.baseline,
                line.metric,
                line.words,
                line.estimate,
                line.interval,
                line.basis,
            ),
        )
        for line in lines
    ]
    notes = dict.fromkeys(line.not_held for line in lines if line.not_held)
    return tabular(heading, rows, notes, texts=5)


def _per_request(analysis: Analysis) -> str:
    """The first run of each pair of arms by single requests, beside the answer by runs."""
    heading = ["workload", "arm", "baseline", "test", "as published", "by runs"]
    rows = [
        LatexRow(
            (
                each.workload,
                each.other,
                each.baseline,
                test.test,
                test.told,
                each.by_runs.words,
                p_text(test.p_value),
                f"{test.cliffs_delta:+.2f}",
                units.difference(test.median_difference_ns, "ns"),
                p_text(test.by_second_p_value),
            )
        )
        for each in analysis.per_request
        for test in each.tests[:1]
    ]
    numbers = ["p", "Cliff's delta", "median", "by second"]
    return tabular([*heading, *numbers], rows, texts=len(heading))


def _title(text: str) -> str:
    return f"\\noindent\\textbf{{{escaped(capitalized(text))}}}\\par\\smallskip\\noindent\n"


def _row(labels: Sequence[str], figures: Sequence[FigureText]) -> LatexRow:
    return LatexRow(
        (*labels, *(_value(figure) for figure in figures)),
        tuple(
            (*("" for _ in labels), *(getattr(figure, line) for figure in figures))
            for line in ("spread", "deviation")
        ),
    )


def _value(figure: FigureText) -> str:
    return f"{figure.text} ({figure.note})" if figure.note else figure.text
