"""Comparisons by single requests on a terminal: a few lines each, the answer of the runs last."""

from rich.console import Console
from rich.text import Text

from loadstone.analysis.model import Analysis
from loadstone.analysis.per_request.output import AsPublished
from loadstone.report.finding_groups import grouped
from loadstone.report.tables.per_request_table import (
    READING,
    TITLE,
    PerRequestTable,
    per_request_table,
    table_of,
)
from loadstone.report.terminal.findings import print_findings
from loadstone.report.terminal.text import print_heading, print_indented
from loadstone.text.plain import plain_model

_LABEL_WIDTH = 14
"""Of the longest, and a gap."""


def print_per_request(console: Console, analysis: Analysis) -> None:
    """Print those of a study; nothing of one that does not ask for it."""
    table = per_request_table(analysis)
    if table is not None:
        print_heading(console, TITLE)
        _print_table(console, table)


def print_as_published(console: Console, compared: AsPublished) -> None:
    """Print what `compare --as-published` found: each comparison, the reading, and the findings."""
    compared = plain_model(compared)
    _print_table(console, table_of(compared.comparisons))
    console.print()
    print_indented(console, Text(READING, style="dim"), 0)
    print_findings(console, grouped(compared.findings))


def _print_table(console: Console, table: PerRequestTable) -> None:
    print_indented(console, Text(table.summary), 0)
    for row in table.rows:
        print_indented(console, Text(row.comparison, style="bold"), 0)
        for label, text in (
            ("as published", row.published or "no block has a run of both"),
            ("samples", row.samples),
            ("effect", row.effect),
            ("independent", row.independent),
            ("all blocks", row.blocks),
            ("by runs", row.by_runs),
        ):
            if text:
                _print_labelled(console, label, text)


def _print_labelled(console: Console, label: str, text: str) -> None:
    """A label, and a paragraph beside it."""
    start = Text.assemble("  ", (f"{label:<{_LABEL_WIDTH}}", "dim"))
    for line in Text(text).wrap(console, max(20, console.width - start.cell_len)):
        line.rstrip()
        console.print(start + line, soft_wrap=True)
        start = Text(" " * start.cell_len)
