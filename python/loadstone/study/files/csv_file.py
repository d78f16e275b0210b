"""A CSV file (RFC 4180) with a header, in UTF-8: read row by row, and judged as a whole once."""

import csv
import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from loadstone.errors import InputError
from loadstone.text.places import is_json_number
from loadstone.text.quoted import shortened

MOST_BYTES = 256 << 20
"""Of the values that a load takes from one file: the engine holds them in memory."""
OFFSET_BYTES = 4
"""What each value costs beside its text."""


@dataclass(frozen=True)
class CsvFacts:
    """What is known of a file that has been read to its end."""

    columns: tuple[str, ...]
    rows: int
    sha256: str
    """Of its bytes."""


def judged_csv(path: Path) -> CsvFacts:
    """Read a whole file. Raises InputError for the first wrong line."""
    rows = _rows(path)
    columns = _header(path, rows)
    count = sum(1 for _ in _of_width(path, rows, len(columns)))
    if not count:
        raise InputError("has no row", path=path, line=1, remedy="write one below the header")
    return CsvFacts(columns, count, _digest(path))


def rows_of(path: Path, first: int, last: int) -> Iterator[list[str]]:
    """The rows from the first to the last, counted from 1. Raises InputError."""
    rows = _rows(path)
    columns = _header(path, rows)
    for _, row in islice(_of_width(path, rows, len(columns)), first - 1, last):
        yield row


def number_columns(path: Path, first: int, last: int) -> tuple[bool, ...]:
    """Of each column whether all these rows hold a JSON number. Raises InputError, also where they are
    too large."""
    numbers: list[bool] = []
    size = 0
    for row in rows_of(path, first, last):
        numbers = numbers or [True] * len(row)
        numbers = [
            is_number and is_json_number(value)
            for is_number, value in zip(numbers, row, strict=True)
        ]
        size += sum(len(value.encode()) + OFFSET_BYTES for value in row)
        if size > MOST_BYTES:
            raise InputError(
                f"holds more than {MOST_BYTES >> 20} MiB",
                path=path,
                line=1,
                remedy="take fewer rows, by `rows`, or leave columns out of the file",
            )
    return tuple(numbers)


Row = tuple[int, list[str]]
"""Its line, and its values."""


def _rows(path: Path) -> Iterator[Row]:
    """Every row with the line in which it ends."""
    number = 0
    try:
        with path.open("rb") as file:
            reader = csv.reader(_lines(path, file), strict=True)
            for row in reader:
                number = reader.line_num
                yield number, row
    except csv.Error as error:
        raise InputError(
            f"is no CSV: {error}",
            path=path,
            line=number + 1,
            remedy='put a value with a quote, a comma or a line end in quotes, and write " as ""',
        ) from None
    except OSError as error:
        raise InputError(
            f"cannot be read: {error.strerror}", path=path, remedy="check the path and its rights"
        ) from None


def _lines(path: Path, file: Iterable[bytes]) -> Iterator[str]:
    for number, line in enumerate(file, start=1):
        try:
            yield line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError:
            raise InputError(
                "is not UTF-8 text", path=path, line=number, remedy="save the file as UTF-8"
            ) from None


def _header(path: Path, rows: Iterator[Row]) -> tuple[str, ...]:
    _, columns = next(rows, (1, []))
    if not columns:
        raise InputError(
            "has no header", path=path, line=1, remedy="write the names of its columns first"
        )
    for position, name in enumerate(columns):
        if not name.strip() or name in columns[:position]:
            wrong = f"the column {shortened(name)!r} is there twice" if name.strip() else ""
            raise InputError(
                wrong or f"column {position + 1} has no name",
                path=path,
                line=1,
                remedy="give every column a name of its own",
            )
    return tuple(columns)


def _of_width(path: Path, rows: Iterator[Row], width: int) -> Iterator[Row]:
    for line, row in rows:
        if len(row) != width:
            raise InputError(
                f"has {len(row)} columns, the header {width}",
                path=path,
                line=line,
                remedy="give every row a value for each column; a blank line is a row, too",
            )
        yield line, row


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
