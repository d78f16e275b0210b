"""Rows of k6's CSV (`k6 run --out csv=FILE`): a sample of one metric each, columns by their header."""

import csv
from collections.abc import Iterator
from pathlib import Path

from loadstone.errors import InputError
from loadstone.importers.source_file import SourceFile

NEEDED = ("metric_name", "timestamp", "metric_value", "name", "status", "error_code")
"""Columns without which requests cannot be told apart, or not what became of them."""


class Rows:
    """The rows below the header; `line` is the number of the line that was read last."""

    def __init__(self, path: Path, source: SourceFile) -> None:
        self.path = path
        self._reader = csv.reader(source.lines(), strict=True)
        header = self._next()
        self._columns = {name: at for at, name in enumerate(header or [])}
        missing = [name for name in NEEDED if name not in self._columns]
        if missing:
            is_foreign = "metric_name" in missing
            raise InputError(
                "not a CSV of k6: there is no such column"
                if is_foreign
                else "the column is missing",
                path=path,
                line=1,
                key=missing[0],
                remedy="write it with `k6 run --out csv=FILE`"
                if is_foreign
                else f"keep k6's system tags as they are, or add {', '.join(missing)} to them",
            )
        self._width = len(header or [])

    @property
    def line(self) -> int:
        """Of the last row, its last line."""
        return self._reader.line_num

    def at(self, column: str) -> int | None:
        """Where a column is; none where the file lacks it."""
        return self._columns.get(column)

    def __iter__(self) -> Iterator[list[str]]:
        while (row := self._next()) is not None:
            if len(row) != self._width:
                raise self.error(
                    f"{len(row)} columns, and the header has {self._width}",
                    remedy="give the file as k6 wrote it",
                )
            yield row

    def error(
        self, message: str, *, remedy: str, line: int | None = None, key: str | None = None
    ) -> InputError:
        """An error at the last row, or at another line."""
        return InputError(message, path=self.path, line=line or self.line, key=key, remedy=remedy)

    def _next(self) -> list[str] | None:
        try:
            return next(self._reader, None)
        except csv.Error as error:
            raise self.error(f"not CSV ({error})", remedy="give the file as k6 wrote it") from None
