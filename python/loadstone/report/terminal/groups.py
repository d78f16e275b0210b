"""Groups and sessions of one workload on a terminal."""

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from loadstone.analysis.model import Analysis
from loadstone.report.tables.group_brief import group_briefs
from loadstone.report.tables.session_table import COLUMNS, session_table
from loadstone.report.terminal.table import print_table
from loadstone.report.terminal.text import print_indented, print_items


def print_groups(console: Console, analysis: Analysis, workload: str) -> None:
    """Print how each arm's sessions ended, and a table for each of several groups; nothing for a load
    whose sessions are single requests of one group.
    """
    found = session_table(analysis, workload)
    if found is not None:
        console.print()
        print_indented(console, Text("sessions of all windows", style="bold"), 0)
        totals = [row for row in found.rows if not row.group]
        width = max(cell_len(row.arm) for row in totals)
        for row in totals:
            start = Text(row.arm + " " * (width - cell_len(row.arm) + 2))
            told = zip(COLUMNS, row.counts, row.texts, strict=True)
            print_items(
                console,
                start,
                [f"{text} {name}" for name, count, text in told if count or name == "begun"],
            )
    for group, table in group_briefs(analysis, workload).items():
        console.print()
        print_indented(console, Text(f"group {group}", style="bold"), 0)
        print_table(console, table)
