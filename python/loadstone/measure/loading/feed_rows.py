"""The rows of feeds as the engine reads them: offsets, then the values without anything between."""

import hashlib
import struct
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from loadstone.errors import InputError
from loadstone.machine import ownership
from loadstone.study.files.csv_file import MOST_BYTES, judged_csv, rows_of
from loadstone.study.values.feeds import FeedSource, FileRows
from loadstone.study.values.model import Workload

_OFFSET = struct.Struct("<I")


@dataclass(frozen=True)
class FeedFile:
    """The rows of one feed, written."""

    name: str
    path: Path
    rows: int
    columns: int
    sha256: str
    """Of the file."""


Feeds = Mapping[FeedSource, FeedFile]
NO_FEEDS: Feeds = {}


@contextmanager
def feed_rows(workload: Workload, folder: Path) -> Iterator[Feeds]:
    """Write the rows of a workload's feeds, each source once, and remove them at the end.

    `folder` is that of the workload's file. Raises InputError where a feed's file is gone, or changed
    since the workload was read.
    """
    sources = {feed.source: feed.feed for group in workload.groups for feed in group.feeds}
    if not sources:
        yield NO_FEEDS
        return
    with ownership.scratch_directory() as scratch:
        yield {
            source: _written(source, name, folder, scratch / f"{index}.rows")
            for index, (source, name) in enumerate(sources.items())
        }


def _written(source: FeedSource, name: str, folder: Path, path: Path) -> FeedFile:
    if isinstance(source, FileRows):
        file = folder / source.file
        if judged_csv(file).sha256 != source.sha256:
            raise InputError(
                "changed while the load was prepared", path=file, remedy="start it once more"
            )
        rows: Iterator[list[str]] = rows_of(file, source.first, source.last)
        columns, name = len(source.columns), source.name
    else:
        numbers = range(source.first, source.last + 1, source.step)
        rows, columns = ([str(number)] for number in numbers), 1
    _write(path, rows, source.rows * columns)
    with path.open("rb") as written:
        digest = hashlib.file_digest(written, "sha256").hexdigest()
    return FeedFile(name, path, source.rows, columns, digest)


def _write(path: Path, rows: Iterator[list[str]], cells: int) -> None:
    """Write offsets and values at once, each where it belongs: neither is held in memory."""
    begin = (cells + 1) * _OFFSET.size
    path.touch()
    with path.open("r+b") as offsets, path.open("r+b") as values:
        values.seek(begin)
        at = 0
        offsets.write(_OFFSET.pack(at))
        for row in rows:
            for value in row:
                text = value.encode()
                values.write(text)
                at += len(text)
                if begin + at > MOST_BYTES:
                    raise InputError(
                        f"a feed holds more than {MOST_BYTES >> 20} MiB",
                        remedy="take fewer rows or a shorter range",
                    )
                offsets.write(_OFFSET.pack(at))
