"""A CSV file of published rows, line by line: its heading, and what a cell may hold.

Left out: quotation marks around plain cells, and any form of a number but a plain decimal one.
"""

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from loadstone.errors import InputError
from loadstone.study.files.yaml_file import read_text
from loadstone.text.quoted import shown

_WHOLE = re.compile(r"[0-9]{1,9}")
_DECIMAL = re.compile(r"[0-9]{1,12}(\.[0-9]{1,9})?")
_WORD = re.compile(r"[a-z0-9][a-z0-9.-]{0,63}")
_ON_RUNTIME = re.compile(f"{_WORD.pattern}@{_WORD.pattern}")


class Form(NamedTuple):
    """The columns that a file may have, in their order."""

    columns: tuple[str, ...]
    optional: frozenset[str] = frozenset()
    """Those of them that it need not have."""

    def fits(self, heading: Sequence[str]) -> bool:
        """Whether a heading has them in their order, and no others."""
        kept = [each for each in self.columns if each in heading or each not in self.optional]
        return list(heading) == kept

    def __str__(self) -> str:
        """As a heading, with what is optional in brackets."""
        return ",".join(f"[{each}]" if each in self.optional else each for each in self.columns)


@dataclass(frozen=True)
class PublishedLine:
    """One line under the heading."""

    path: Path
    number: int
    """Of the line, from 1."""
    cells: dict[str, str]
    """By column; an optional one that the file does not have is not in it."""

    def word(self, column: str) -> str:
        """A name in small letters. Raises InputError, as all below."""
        typed = self.cells[column]
        if not _WORD.fullmatch(typed):
            raise self.error(
                column,
                f"must be a name of small letters, digits, dots and hyphens, not {shown(typed)}",
                "write a name such as spring",
            )
        return typed

    def on_runtime(self, column: str) -> str:
        """A stack on its runtime."""
        typed = self.cells[column]
        if not _ON_RUNTIME.fullmatch(typed):
            raise self.error(
                column, f"must be STACK@RUNTIME, not {shown(typed)}", "write such as spring@native"
            )
        return typed

    def whole(self, column: str, least: int = 0) -> int:
        """A whole number; of a column that the file does not have 0."""
        typed = self.cells.get(column, "0")
        if not _WHOLE.fullmatch(typed) or int(typed) < least:
            raise self.error(
                column,
                f"must be a whole number, {least} or more, not {shown(typed)}",
                "write its digits",
            )
        return int(typed)

    def number_in(self, column: str) -> float | None:
        """A decimal number; none where the cell is empty, or not there."""
        typed = self.cells.get(column, "")
        if not typed:
            return None
        if not _DECIMAL.fullmatch(typed):
            raise self.error(
                column, f"must be a number, not {shown(typed)}", "write a plain decimal number"
            )
        return float(typed)

    def error(self, column: str | None, message: str, remedy: str) -> InputError:
        """An error that names file and line, and the column where it is one's."""
        return InputError(message, path=self.path, line=self.number, key=column, remedy=remedy)


def published_lines(path: Path, forms: Sequence[Form]) -> Iterator[PublishedLine]:
    """The lines under a heading of one of the forms. Raises InputError."""
    lines = _lines(path)
    number, heading = next(lines, (1, []))
    if not any(form.fits(heading) for form in forms):
        raise InputError(
            "these are not the columns of published rows",
            path=path,
            line=number,
            remedy=f"write {' or '.join(map(str, forms))}",
        )
    for number, cells in lines:
        if len(cells) != len(heading):
            raise InputError(
                f"{len(cells)} cells, and {len(heading)} columns",
                path=path,
                line=number,
                remedy="leave the cell of an unknown figure empty, and keep its comma",
            )
        yield PublishedLine(path, number, dict(zip(heading, cells, strict=True)))


def _lines(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Every line that is not empty, with its number."""
    reader = csv.reader(io.StringIO(read_text(path, "CSV"), newline=""), strict=True)
    try:
        for cells in reader:
            if cells:
                yield reader.line_num, cells
    except csv.Error as error:
        raise InputError(
            f"is not CSV: {error}",
            path=path,
            line=reader.line_num,
            remedy="separate plain cells by commas, without quotation marks",
        ) from None
