"""Formats of other tools by the name that is typed: one line for each."""

from collections.abc import Callable, Mapping
from pathlib import Path

from loadstone.errors import InputError
from loadstone.importers import k6
from loadstone.importers.interface import Arrivals, FileFacts
from loadstone.importers.recorder import Recorded, Recorder
from loadstone.importers.source_file import SourceFile

Read = Callable[
    [Path, SourceFile, Callable[[int], Recorder], Arrivals | None], tuple[Recorded, FileFacts, int]
]
"""Reads a file into the recorder that it begins with the resolution of the file's times, which it also
returns. Raises InputError with path, line, key and remedy for everything that is not of its format."""

FORMATS: Mapping[str, Read] = {k6.TOOL: k6.read}


def format_of(name: str) -> Read:
    """The format of a name; `InputError` with those that there are."""
    try:
        return FORMATS[name]
    except KeyError:
        known = ", ".join(FORMATS)
        raise InputError(f"unknown format {name!r}", remedy=f"one of: {known}") from None
