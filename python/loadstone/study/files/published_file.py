"""The published rows of a system: `published/<source>.yaml` says what they are, `.csv` holds them.

Left out: any form of a number but a plain decimal one, and columns that no table shows.
"""

import csv
import io
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

from pydantic import Field

from loadstone.errors import InputError
from loadstone.study.files.raw import Name, Raw, Text, judge_own_name, parse
from loadstone.study.files.yaml_file import read_text, read_yaml
from loadstone.study.values.manifest import Scenario, System
from loadstone.study.values.model import Protocol
from loadstone.study.values.published import Published, PublishedKey, PublishedRow, PublishedSource
from loadstone.text.quoted import shown, suggestion

FOLDER = "published"
"""Of a system."""

_LOAD = ("users", "message_bytes", "delay_ms")
_MEASURED = ("failures_percent", "throughput_per_second")
_OPTIONAL = (
    "mean_ms",
    "standard_deviation_ms",
    "p99_ms",
    "gc_throughput_percent",
    "memory_after_full_gc_mib",
)
"""A cell of these may be empty: not every table has them."""

_WHOLE = re.compile(r"[0-9]{1,9}")
_DECIMAL = re.compile(r"[0-9]{1,12}(\.[0-9]{1,9})?")
_PERCENT = 100


class RawPublishedSource(Raw):
    """What a published table is."""

    published: Name
    """Its name: that of the two files."""
    stack: Text
    """What it is of, as its rows are called in a report."""
    origin: Text
    """Who published it, and what is known of the version."""
    machine: Text
    """On what it was measured."""
    validity: Annotated[list[Text], Field(min_length=1)]
    """What is to be known before a figure of it is believed, a sentence each."""


def columns_of(system: System) -> tuple[str, ...]:
    """The heading of the rows: a scenario, its load, and the figures with their units."""
    return ("operation", *system.legs, *_LOAD, *_MEASURED, *_OPTIONAL)


def read_published(system: System) -> Published | None:
    """Read what is published of a system; none where it has no such rows. Raises InputError."""
    folder = system.directory / FOLDER
    for path in sorted(folder.glob("*.csv")):
        if not path.with_suffix(".yaml").exists():
            raise InputError(
                "nothing says what these rows are",
                path=path,
                line=1,
                remedy=f"write {path.stem}.yaml beside it",
            )
    paths = sorted(folder.glob("*.yaml"), key=lambda path: path.stem)
    sources = tuple(_source(path, system) for path in paths)
    return Published(scenarios=system.scenarios, sources=sources) if sources else None


def _source(path: Path, system: System) -> PublishedSource:
    source = read_yaml(path)
    raw = parse(source, RawPublishedSource)
    judge_own_name(source, "published", "file")
    return PublishedSource(
        source=raw.published,
        stack=raw.stack,
        origin=raw.origin,
        machine=raw.machine,
        validity=tuple(raw.validity),
        rows=tuple(_rows(path.with_suffix(".csv"), system)),
    )


def _rows(path: Path, system: System) -> Iterator[PublishedRow]:
    columns = columns_of(system)
    lines = _lines(path)
    line, heading = next(lines, (1, []))
    if tuple(heading) != columns:
        raise InputError(
            "these are not the columns of published rows",
            path=path,
            line=line,
            remedy=f"write {','.join(columns)}",
        )
    seen: dict[PublishedKey, int] = {}
    for line, cells in lines:
        if len(cells) != len(columns):
            raise InputError(
                f"{len(cells)} cells, and {len(columns)} columns",
                path=path,
                line=line,
                remedy="leave the cell of an unknown figure empty, and keep its comma",
            )
        row = _Line(path, line, dict(zip(columns, cells, strict=True))).row(system)
        if row.key in seen:
            raise InputError(
                f"this load of {row.scenario.name} is there twice, first in line {seen[row.key]}",
                path=path,
                line=line,
                remedy="keep one of the two",
            )
        seen[row.key] = line
        yield row


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


class _Line:
    """One line under the heading."""

    def __init__(self, path: Path, line: int, cells: dict[str, str]) -> None:
        self._path, self._line, self._cells = path, line, cells

    def row(self, system: System) -> PublishedRow:
        """Raises InputError with the column of the first wrong cell."""
        return PublishedRow(
            scenario=self._scenario(system),
            users=self._whole("users", least=1),
            message_bytes=self._whole("message_bytes"),
            delay_ms=self._whole("delay_ms"),
            **{name: self._number(name) for name in _MEASURED},
            **{name: self._number(name) if self._cells[name] else None for name in _OPTIONAL},
        )

    def _scenario(self, system: System) -> Scenario:
        operation = self._one_of("operation", system.operations)
        legs = {leg: Protocol(self._one_of(leg, tuple(Protocol))) for leg in system.legs}
        found = Scenario(operation=operation, legs=legs)
        if found not in system.scenarios:
            raise self._error(
                "operation",
                f"{found.name} is not a scenario of {system.system}",
                suggestion(found.name, [each.name for each in system.scenarios]),
            )
        return found

    def _one_of(self, column: str, known: Sequence[str]) -> str:
        typed = self._cells[column]
        if typed not in known:
            raise self._error(
                column, f"{shown(typed)} is not known here", suggestion(typed, list(known))
            )
        return typed

    def _whole(self, column: str, least: int = 0) -> int:
        typed = self._cells[column]
        if not _WHOLE.fullmatch(typed) or int(typed) < least:
            raise self._error(
                column,
                f"must be a whole number, {least} or more, not {shown(typed)}",
                "write its digits",
            )
        return int(typed)

    def _number(self, column: str) -> float:
        typed = self._cells[column]
        if not _DECIMAL.fullmatch(typed):
            raise self._error(
                column, f"must be a number, not {shown(typed)}", "write a plain decimal number"
            )
        if column.endswith("_percent") and float(typed) > _PERCENT:
            raise self._error(column, f"must be 100 or less, not {typed}", "write a share in %")
        return float(typed)

    def _error(self, column: str, message: str, remedy: str) -> InputError:
        return InputError(message, path=self._path, line=self._line, key=column, remedy=remedy)
