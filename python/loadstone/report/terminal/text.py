"""Headings, indented paragraphs and rows of items: lines that break at words, nothing trailing.

Nothing here is markup: text of strangers is handed over as `rich.Text`.
"""

from rich.console import Console
from rich.text import Text


def print_heading(console: Console, text: str) -> None:
    """Print a blank line and the heading."""
    console.print()
    console.print(Text(text, style="bold"), soft_wrap=True)


def print_indented(console: Console, text: Text, indent: int = 2) -> None:
    """Print a paragraph whose every line is indented."""
    for line in text.wrap(console, max(20, console.width - indent)):
        line.rstrip()
        console.print(Text(" " * indent) + line, soft_wrap=True)


def print_items(console: Console, start: Text, items: list[str]) -> None:
    """Print items joined by dots after a start; rows break between items, never inside one."""
    indent = start.cell_len
    rows: list[str] = []
    for item in filter(None, items):
        longer = f"{rows[-1]} · {item}" if rows else item
        if rows and indent + Text(longer).cell_len > console.width:
            rows.append(item)
        else:
            rows[-1:] = [longer]
    for number, row in enumerate(rows):
        lead = start if number == 0 else Text(" " * indent)
        console.print(lead + Text(row), soft_wrap=Text(row).cell_len + indent <= console.width)
