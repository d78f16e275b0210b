"""Tables for a terminal of any width: one line a row where all fits, else values over their ranges.

Columns that do not fit go into a further table under the first, so nothing is cut or truncated.
"""

from collections.abc import Iterable, Iterator

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from loadstone.report.tables.result_table import ArmRow, FigureText, ResultTable
from loadstone.report.terminal.text import print_indented

_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_GAP = 2
_FIRST_AT_MOST = 28
"""Cells of the first column, beyond which an arm's id is folded."""


def print_table(console: Console, table: ResultTable) -> None:
    """Print the table and its footnotes."""
    inline = [[_inline(figure) for figure in row.figures] for row in table.rows]
    stacked = [[_stacked(figure) for figure in row.figures] for row in table.rows]
    first = min(_FIRST_AT_MOST, max(cell_len(text) for text in ("arm", *_arms(table.rows))))
    room = console.width - first
    fits = sum(_GAP + width for width in _widths(table.columns, inline)) <= room
    cells = inline if fits else stacked
    for part, columns in enumerate(_packed(_widths(table.columns, cells), room)):
        if part:
            console.print()
        console.print(_part(table, cells, columns, first))
    for number, note in enumerate(table.notes, start=1):
        print_indented(console, Text(f"{mark(number)} {note}", style="dim"))


def mark(number: int) -> str:
    """The footnote's number as a superscript."""
    return str(number).translate(_SUPERSCRIPTS)


def _part(table: ResultTable, cells: list[list[Text]], columns: range, first: int) -> Table:
    part = Table(box=None, padding=(0, _GAP, 0, 0), pad_edge=False, header_style="dim")
    part.add_column(Text("arm"), min_width=first, max_width=first, overflow="fold")
    for column in columns:
        part.add_column(Text(table.columns[column]), justify="right", no_wrap=True)
    for row, texts in zip(table.rows, cells, strict=True):
        part.add_row(Text(row.arm, style="bold"), *(texts[column] for column in columns))
    return part


def _packed(widths: list[int], room: int) -> Iterator[range]:
    """Consecutive columns for each part: as few parts as fit the room, evenly filled."""
    columns = len(widths)
    for parts in range(1, columns + 1):
        each = -(-columns // parts)
        chunks = [range(at, min(at + each, columns)) for at in range(0, columns, each)]
        if each == 1 or all(sum(_GAP + widths[c] for c in chunk) <= room for chunk in chunks):
            yield from chunks
            return


def _widths(columns: tuple[str, ...], rows: list[list[Text]]) -> list[int]:
    return [
        max(cell_len(line) for text in (heading, *column) for line in str(text).splitlines())
        for heading, *column in zip(columns, *rows, strict=True)
    ]


def _inline(figure: FigureText) -> Text:
    return _value(figure) + Text(f" {figure.spread}" if figure.spread else "", style="dim")


def _stacked(figure: FigureText) -> Text:
    return _value(figure) + Text(f"\n{figure.spread}" if figure.spread else "", style="dim")


def _value(figure: FigureText) -> Text:
    noted = figure.text + (mark(figure.note) if figure.note else "")
    return Text(noted, style="" if figure.is_value else "yellow")


def _arms(rows: Iterable[ArmRow]) -> Iterator[str]:
    return (row.arm for row in rows)
