"""Ranks on a terminal: a row for each arm, its interval beside its place."""

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from loadstone.report.tables.rank_table import RankRow, RankTable
from loadstone.report.terminal.text import print_indented


def print_ranks(console: Console, table: RankTable, at_most: int | None = None) -> None:
    """Print a ranking; of more arms than `at_most` only the first."""
    console.print()
    print_indented(console, Text(table.title, style="bold"), 0)
    shown = table.rows if at_most is None else table.rows[:at_most]
    ranks = [_place(row) for row in shown if row.rank]
    first = max(map(cell_len, ranks), default=0)
    second = max((cell_len(row.value) for row in shown), default=0)
    for row in shown:
        if row.rank:
            style = "bold green" if row.is_best else ""
            start = Text.assemble("  ", (f"{_place(row):<{first}}", style))
            line = start + Text(f"  {row.value:>{second}}  {row.arm}")
            console.print(line, soft_wrap=line.cell_len <= console.width)
        else:
            print_indented(console, Text(f"not ranked: {row.arm}: {row.interval}", style="yellow"))
    left = len(table.rows) - len(shown)
    if left:
        print_indented(console, Text(f"and {left:,} more, in the report", style="dim"))


def _place(row: RankRow) -> str:
    return f"{row.rank} [{row.interval}]"
