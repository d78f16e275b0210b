"""What `doctor` prints: sections of marked, labelled lines, and the verdict last.

The mark is a word, so nothing depends on colour; text breaks at words beside its own column.
"""

from itertools import groupby, zip_longest

from rich.console import Console
from rich.text import Text

from loadstone.doctor.diagnosis import Diagnosis
from loadstone.doctor.row import Mark, Row
from loadstone.report.terminal.text import print_heading, print_indented

_COLOURS = {
    Mark.OK: "green",
    Mark.NOTE: "yellow",
    Mark.MISSING: "cyan",
    Mark.NEEDED: "bold red",
}
_MARK_WIDTH = max(len(mark) for mark in Mark)
_NARROWEST = 20
"""Of the column of text, in a terminal that is too narrow for all three."""


def print_diagnosis(console: Console, found: Diagnosis) -> None:
    """Print every row under its heading, what the verdict assumes, and the verdict."""
    label_width = max(len(row.label) for row in found.rows)
    for section, rows in groupby(found.rows, key=lambda row: row.section):
        print_heading(console, section)
        found_rows = list(rows)
        for row, following in zip_longest(found_rows, found_rows[1:]):
            # Rows that ask for the same thing ask once, behind the last of them.
            asks = following is None or following.remedy != row.remedy
            _print_row(console, row, label_width, row.remedy if asks else None)
    if found.can_run and found.assumptions is not None:
        console.print()
        print_indented(console, Text(found.assumptions, style="dim"), 0)
    console.print()
    style = "bold" if found.can_run else "bold red"
    print_indented(console, Text(f"Verdict: {found.verdict}", style=style), 0)


def _print_row(console: Console, row: Row, label_width: int, remedy: str | None) -> None:
    start = Text.assemble(
        "  ", (f"{row.mark:<{_MARK_WIDTH}}", _COLOURS[row.mark]), f"  {row.label:<{label_width}}  "
    )
    indent = start.cell_len
    width = max(_NARROWEST, console.width - indent)
    lines = [*Text(row.text).wrap(console, width)]
    if remedy is not None:
        lines += Text(f"> {remedy}").wrap(console, width)
    for number, line in enumerate(lines):
        line.rstrip()
        console.print((start if number == 0 else Text(" " * indent)) + line, soft_wrap=True)
