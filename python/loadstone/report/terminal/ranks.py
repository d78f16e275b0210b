"""Ranks on a terminal: a row for each arm, its interval beside its place."""

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from loadstone.report.tables.rank_table import RankRow, RankTable
from loadstone.report.terminal.text import print_indented


def print_ranks(console: Console, table: RankTable) -> None:
    """Print a ranking."""
    console.print()
    print_indented(console, Text(table.title, style="bold"), 0)
    ranks = [_place(row) for row in table.rows if row.rank]
    first = max(map(cell_len, ranks), default=0)
    second = max((cell_len(row.value) for row in table.rows), default=0)
    for row in table.rows:
        if row.rank:
            style = "bold green" if row.is_best else ""
            start = Text.assemble("  ", (f"{_place(row):<{first}}", style))
            line = start + Text(f"  {row.value:>{second}}  {row.name}")
            console.print(line, soft_wrap=line.cell_len <= console.width)
        else:
            print_indented(console, Text(f"not ranked: {row.arm}: {row.interval}", style="yellow"))


def _place(row: RankRow) -> str:
    return f"{row.rank} [{row.interval}]"
