"""When each arm was steady, on a terminal: a line for each under a workload that was watched."""

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from loadstone.analysis.model import Analysis
from loadstone.report.tables.steady_table import steady_table
from loadstone.report.terminal.text import print_items


def print_until_steady(console: Console, analysis: Analysis, workload: str) -> None:
    """Print `spring   steady after 69 s (compilers idle); ...` of each arm; nothing if unwatched."""
    table = steady_table(analysis, workload)
    told = [row for row in table.rows if row.brief] if table else []
    width = max((cell_len(row.arm) for row in told), default=0)
    for row in told:
        start = Text(row.arm + " " * (width - cell_len(row.arm) + 2))
        print_items(console, start, [row.brief])
