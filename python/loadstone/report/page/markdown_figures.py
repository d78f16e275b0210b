"""The figures of `report.md`: by workload, group and operation, until steady, published, costs."""

from collections.abc import Callable, Iterable, Sequence

from loadstone.analysis.model import Analysis
from loadstone.report.labels import STEADY_READING
from loadstone.report.published.published_ramps import RAMPS_READING, RampsTable
from loadstone.report.published.published_starts import STARTS_READING, StartsTable
from loadstone.report.published.published_table import (
    CAVEAT,
    READING,
    PublishedLine,
    PublishedTable,
)
from loadstone.report.tables import engine_table, session_table
from loadstone.report.tables.answer_costs import ANSWER_COSTS_READING
from loadstone.report.tables.costs import CostTable
from loadstone.report.tables.full_tables import (
    FigureBlock,
    GroupTables,
    OperationTables,
    full_tables,
    group_tables,
    operation_tables,
    over_groups_tables,
)
from loadstone.report.tables.result_table import FigureText
from loadstone.report.tables.steady_table import steady_table
from loadstone.text.words import capitalized

Table = Callable[[Sequence[str], Iterable[Sequence[str]]], Iterable[str]]
"""Lines of a table from its heading and rows of plain texts."""

Escape = Callable[[str], str]


def workload_figures(
    analysis: Analysis, workload: str, table: Table, escaped: Escape
) -> Iterable[str]:
    """All operations together, how sessions ended, then each of several groups and operations apart by
    its most important figures.

    Of a single operation the figures are those of all together. Every figure of every operation is in
    the CSV tables.
    """
    full = full_tables(analysis, workload)
    for block in full.blocks:
        yield f"#### {escaped(capitalized(block.title))}"
        yield ""
        yield from _block(block, table)
    yield from _notes(full.notes, escaped)
    yield from _sessions(analysis, workload, table, escaped)
    yield from _engines(analysis, workload, table, escaped)
    groups = group_tables(analysis, workload)
    for group in groups:
        yield from _part(f"Group {escaped(group.group)}", group, table, escaped)
        for each in group.operations:
            yield from _part(f"Operation {escaped(each.operation)}", each, table, escaped)
    for each in over_groups_tables(analysis, workload):
        yield from _part(f"Operation {escaped(each.operation)} of all groups", each, table, escaped)
    operations = () if groups else operation_tables(analysis, workload)
    for each in operations if len(operations) > 1 else ():
        yield from _part(f"Operation {escaped(each.operation)}", each, table, escaped)


def _part(
    title: str, part: OperationTables | GroupTables, table: Table, escaped: Escape
) -> Iterable[str]:
    yield f"#### {title}"
    yield ""
    yield from table(
        ["arm", "offered", *part.summary.columns],
        [
            [row.arm, offered, *map(_figure, row.figures)]
            for row, offered in zip(part.summary.rows, part.offered, strict=True)
        ],
    )
    yield from _notes(part.summary.notes, escaped)


def _sessions(analysis: Analysis, workload: str, table: Table, escaped: Escape) -> Iterable[str]:
    """How sessions ended; nothing where nobody tells, or each is one request."""
    found = session_table.session_table(analysis, workload)
    if found is None:
        return
    yield "#### Sessions"
    yield ""
    yield escaped(session_table.READING)
    yield ""
    which = ("arm", "group") if found.has_groups else ("arm",)
    yield from table(
        [*which, *session_table.COLUMNS],
        [
            [row.arm, *((row.group or "all",) if found.has_groups else ()), *row.texts]
            for row in found.rows
        ],
    )


def _engines(analysis: Analysis, workload: str, table: Table, escaped: Escape) -> Iterable[str]:
    """What each engine made of the load; nothing where the engine is with the services."""
    found = engine_table.engine_table(analysis, workload)
    if found is None:
        return
    yield "#### Engines"
    yield ""
    yield escaped(engine_table.READING)
    yield ""
    yield from table(
        ["arm", "engine", *engine_table.COLUMNS],
        [[row.arm, row.machine, *row.texts] for row in found.rows],
    )


def until_steady(analysis: Analysis, table: Table, escaped: Escape) -> Iterable[str]:
    """From start to steady, under each workload whose warm-ups were watched; nothing where none is."""
    tables = [steady_table(analysis, workload) for workload in analysis.workloads]
    if not any(tables):
        return
    yield "## From start to steady"
    yield ""
    yield escaped(STEADY_READING)
    yield ""
    for each in filter(None, tables):
        yield f"### {escaped(each.workload)}"
        yield ""
        told = [row for row in each.rows if row.sentence]
        yield from (f"- **{escaped(row.arm)}**: {escaped(row.sentence)}" for row in told)
        yield ""
        yield from table(
            ["arm", *each.columns, "why the window began"],
            [[row.arm, *map(_figure, row.figures), row.reasons] for row in each.rows],
        )
        yield from _notes(each.notes, escaped)


def costs(sheet: CostTable, table: Table, escaped: Escape) -> Iterable[str]:
    """The cost sheet; nothing for a study without runs."""
    if not sheet.rows:
        return
    yield "## Cost sheet"
    yield ""
    yield from table(
        ["arm", "workload", *sheet.columns],
        [[arm, workload, *map(_figure, figures)] for arm, workload, figures in sheet.rows],
    )
    yield from _notes(sheet.notes, escaped)


def answer_costs(sheet: CostTable | None, table: Table, escaped: Escape) -> Iterable[str]:
    """What each answer costs on both sides; nothing without a database."""
    if sheet is None:
        return
    yield "## What each answer costs"
    yield ""
    yield escaped(ANSWER_COSTS_READING)
    yield ""
    yield from table(
        ["arm", "workload", *sheet.columns],
        [[arm, workload, *map(_figure, figures)] for arm, workload, figures in sheet.rows],
    )
    yield from _notes(sheet.notes, escaped)


def published_figures(
    beside: PublishedTable | None, table: Table, escaped: Escape
) -> Iterable[str]:
    """The published table, one for all scenarios; nothing where no published row fits the study."""
    if beside is None:
        return
    yield "## Published rows"
    yield ""
    yield f"**{escaped(CAVEAT)}** {escaped(READING)}"
    yield ""
    yield from (f"- {escaped(about)}" for about in beside.about)
    yield ""
    yield from table(
        [
            "scenario",
            beside.users_column,
            "message size",
            "back-end delay",
            "stack",
            *beside.columns,
        ],
        [
            [
                scenario.scenario,
                load.users,
                load.message,
                load.delay,
                _whose(line),
                *map(_figure, line.figures),
            ]
            for scenario in beside.scenarios
            for load in scenario.loads
            for line in load.lines
        ],
    )
    yield from _notes(beside.notes, escaped)


def published_starts(beside: StartsTable | None, table: Table, escaped: Escape) -> Iterable[str]:
    """The table of published starts; nothing where none are published or measured."""
    if beside is None:
        return
    yield "## Published starts"
    yield ""
    yield f"**{escaped(CAVEAT)}** {escaped(STARTS_READING)}"
    yield ""
    yield from (f"- {escaped(about)}" for about in beside.about)
    yield ""
    yield from table(
        ["stack", *beside.columns],
        [
            [
                _whose(line),
                *map(_figure, line.figures),
            ]
            for line in beside.lines
        ],
    )
    yield from _notes(beside.notes, escaped)


def published_ramps(beside: RampsTable | None, table: Table, escaped: Escape) -> Iterable[str]:
    """The table of published ramps; nothing where none fit."""
    if beside is None:
        return
    yield "## Published ramps"
    yield ""
    yield f"**{escaped(CAVEAT)}** {escaped(RAMPS_READING)}"
    yield ""
    yield from (f"- {escaped(about)}" for about in beside.about)
    yield ""
    yield from table(
        ["ramp", "stack", *beside.columns],
        [
            [rows.ramp, _whose(line), *map(_figure, line.figures)]
            for rows in beside.ramps
            for line in rows.lines
        ],
    )
    yield from _notes(beside.notes, escaped)


def _whose(line: PublishedLine) -> str:
    """Whose a row of a published table is, with the footnotes on all of it."""
    remarks = "".join(f" (note {number})" for number in line.remarks)
    return line.stack if line.arm else f"{line.stack} (published){remarks}"


def _block(block: FigureBlock, table: Table) -> Iterable[str]:
    if block.has_arms_as_rows:
        yield from table(
            ["arm", *block.columns], [[row.arm, *map(_figure, row.figures)] for row in block.rows]
        )
    else:
        yield from table(
            ["metric", *(row.arm for row in block.rows)],
            [[label, *map(_figure, figures)] for label, figures in block.transposed],
        )


def _notes(notes: Iterable[str], escaped: Escape) -> Iterable[str]:
    lines = [f"{number}. {escaped(note)}" for number, note in enumerate(notes, start=1)]
    if lines:
        yield from lines
        yield ""


def _figure(figure: FigureText) -> str:
    note = f" (note {figure.note})" if figure.note else ""
    variation = f" ({', '.join(figure.variation)})" if figure.variation else ""
    return f"{figure.text}{variation}{note}"
