"""Notes of a published table: letters in the column `notes` of its rows, and what each says.

`CDS10` in a cell is C, D, and S with the number 10, which stands for `{number}` in what S says.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated

from pydantic import Field

from loadstone.study.files.published_lines import PublishedLine
from loadstone.study.files.raw import Raw, Text
from loadstone.study.files.yaml_file import YamlFile
from loadstone.study.values.published import RowNote
from loadstone.text.quoted import shown, suggestion

NOTES = "notes"
"""The column, and the key of the description."""
_NUMBER = "{number}"
_CODE = re.compile("[A-Z]")
_CELL = re.compile("([A-Z])([0-9]{0,6})")


class RawNote(Raw):
    """What a letter in the column `notes` says of its row."""

    says: Text
    """A sentence; `{number}` in it stands for the digits behind the letter."""
    withholds: Annotated[list[str], Field(min_length=1)] | None = None
    """Columns of the row that cannot stand because of it. Default: every figure of it stands."""


def judge_notes(source: YamlFile, typed: Mapping[str, RawNote], columns: Sequence[str]) -> None:
    """Refuse a code that is no letter, and columns that are no figures. Raises InputError."""
    for code, note in typed.items():
        if not _CODE.fullmatch(code):
            raise source.error(
                (NOTES, code), "must be one capital letter", "write such as `C: {says: ...}`"
            )
        for position, column in enumerate(note.withholds or ()):
            if column not in columns:
                raise source.error(
                    (NOTES, code, "withholds", position),
                    f"{column} is not a column of figures",
                    suggestion(column, list(columns)),
                )


def notes_of(line: PublishedLine, typed: Mapping[str, RawNote]) -> tuple[RowNote, ...]:
    """What a line's notes say. Raises InputError."""
    return tuple(_notes(line, typed))


def _notes(line: PublishedLine, typed: Mapping[str, RawNote]) -> Iterator[RowNote]:
    cell = line.cells.get(NOTES, "")
    found = list(_CELL.finditer(cell))
    if "".join(each[0] for each in found) != cell:
        raise line.error(
            NOTES,
            f"must be capital letters with or without a number, not {shown(cell)}",
            "write such as CS10",
        )
    seen: set[str] = set()
    for code, number in (each.groups() for each in found):
        if code not in typed:
            raise line.error(
                NOTES, f"nothing says what {code} means", suggestion(code, list(typed))
            )
        says = typed[code].says
        if (_NUMBER in says) != bool(number) or code in seen:
            raise line.error(
                NOTES,
                f"{code} must be there once, with{'' if _NUMBER in says else 'out'} a number",
                f"write {code}{'10, for example' if _NUMBER in says else ''}",
            )
        seen.add(code)
        yield RowNote(
            code=code,
            says=says.replace(_NUMBER, number),
            withholds=tuple(typed[code].withholds or ()),
        )
