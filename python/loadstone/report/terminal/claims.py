"""What became of the claims of others, on a terminal: a line each, and the summary over them."""

from rich.console import Console
from rich.text import Text

from loadstone.analysis.model import Analysis
from loadstone.report.tables.reproduction_table import reproduction_table
from loadstone.report.terminal.text import print_heading, print_indented, print_items

_COLOURS = {"reproduced": "green", "not reproduced": "red", "undecided": "yellow"}


def print_claims(console: Console, analysis: Analysis) -> None:
    """Print them; nothing of a study without claims."""
    found = reproduction_table(analysis)
    if found is None:
        return
    print_heading(console, found.summary)
    for row in found.rows:
        print_indented(console, Text(row.claim))
        start = Text.assemble("  ", (row.outcome.upper(), f"bold {_COLOURS[row.outcome]}"), "  ")
        print_items(console, start, [f"published {row.published}", row.here, row.figures, row.why])
