"""Feeds as a workload's file types them: rows of a file, or a range of numbers."""

import os
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Discriminator, Field, Tag

from loadstone.errors import WrongValueError
from loadstone.study.files.csv_file import CsvFacts, judged_csv, number_columns
from loadstone.study.files.raw import Raw
from loadstone.study.files.seed_file import Seed, found_file
from loadstone.study.files.yaml_file import KeyPath, YamlFile
from loadstone.study.templates.bounds import LEAST, MOST, Interval
from loadstone.study.templates.names import Column, Known, Names, Whole
from loadstone.study.templates.resolve import Resolver
from loadstone.study.templates.syntax import split
from loadstone.study.values.feeds import Feed, FileRows, Numbers
from loadstone.text.quoted import shortened

_FILE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


def _is_file_name(text: str) -> str:
    if not _FILE.fullmatch(text):
        raise WrongValueError(
            f"{shortened(text)!r} is not the name of a file",
            "write a name such as owners.csv, of a file beside the workload or in the seed",
        )
    return text


FileName = Annotated[str, AfterValidator(_is_file_name)]


def _form(typed: Any) -> str:
    return "as a template" if isinstance(typed, str) else "as a number"


Limit = Annotated[
    Annotated[int, Field(ge=LEAST, le=MOST), Tag("as a number")]
    | Annotated[str, Tag("as a template")],
    Discriminator(_form),
]
"""A whole number, or a template of constants."""


class RawFeed(Raw):
    """Where values come from: a file, or a range."""

    file: FileName | None = None
    """A CSV file with a header, UTF-8, beside the workload or made by the seed. Either file or range.
    """
    range: Annotated[list[Limit], Field(min_length=2, max_length=2)] | None = None
    """The first and the last number. The feed's name is the value. Either file or range."""
    step: Annotated[int, Field(ge=1, le=MOST)] | None = None
    """From one number of a range to the next. Default 1."""
    rows: Annotated[list[Annotated[int, Field(ge=1)]], Field(min_length=2, max_length=2)] | None = (
        None
    )
    """The first and the last row of a file that are taken, from 1. Default: all."""
    take: Literal["in_turn", "once", "random"] = "in_turn"
    """`in_turn`: one after the other, then from the first again. `once`: each once, and the load stops
    where there is none left. `random`: drawn. Default in_turn."""
    per: Literal["session", "user"] = "session"
    """Who takes one: a session, or a user for all of its sessions. Default session."""


RawAnyFeed = Annotated[
    Annotated[FileName, Tag("as a name")] | Annotated[RawFeed, Tag("as a mapping")],
    Discriminator(lambda typed: "as a mapping" if isinstance(typed, dict) else "as a name"),
]


def feed_of(
    source: YamlFile,
    at: KeyPath,
    name: str,
    raw: str | RawFeed,
    seed: Seed | None,
    names: Names,
) -> tuple[Feed, dict[str, Known]]:
    """The feed that was typed at `at`, and what its values are. Raises InputError."""
    at_file = at if isinstance(raw, str) else (*at, "file")
    if isinstance(raw, str):
        raw = RawFeed(file=raw)
    if (raw.file is None) == (raw.range is None):
        raise source.error(
            at,
            "has either file or range",
            "write owners.csv, {file: owners.csv} or {range: [1, 100]}",
        )
    if raw.per == "user" and not names.has_users:
        raise source.error((*at, "per"), "a rate has no users", "write session, or take it out")
    if raw.file is not None:
        path = found_file(source, seed, raw.file)
        if path is None:
            raise source.error(
                at_file,
                f"{raw.file} is neither beside the workload nor in the seed",
                f"put it into {source.path.parent}, or let the seed make it",
            )
        rows, columns = _rows(source, at, raw, path)
        known: dict[str, Known] = {
            f"{name}.{column}": Column(rows.name, is_number)
            for column, is_number in columns.items()
        }
        return Feed(feed=name, source=rows, take=raw.take, per=raw.per), known
    numbers = _numbers(source, at, raw, names)
    last = numbers.first + (numbers.rows - 1) * numbers.step
    interval = Interval(numbers.first, last)
    return Feed(feed=name, source=numbers, take=raw.take, per=raw.per), {name: Whole(interval)}


def _rows(
    source: YamlFile, at: KeyPath, raw: RawFeed, path: Path
) -> tuple[FileRows, Mapping[str, bool]]:
    """Rows of a file, and of each of its columns whether it is all numbers."""
    if raw.step is not None:
        raise source.error((*at, "step"), "is of a range", "take it out, or choose `rows`")
    facts = _facts(path)
    first, last = raw.rows or (1, facts.rows)
    if last > facts.rows:
        raise source.error(
            (*at, "rows"), f"ends after row {facts.rows}, the last", f"write {facts.rows} or less"
        )
    if first > last:
        raise source.error((*at, "rows"), "is empty", "write the first row, then the last")
    columns = dict(zip(facts.columns, _numbers_in(path, first, last), strict=True))
    return (
        FileRows(
            file=Path(os.path.relpath(path, source.path.parent)).as_posix(),
            sha256=facts.sha256,
            first=first,
            last=last,
            columns=facts.columns,
        ),
        columns,
    )


def _numbers(source: YamlFile, at: KeyPath, raw: RawFeed, names: Names) -> Numbers:
    if raw.rows is not None:
        raise source.error((*at, "rows"), "is of a file", "take it out, or choose the range")
    limits: list[int] = []
    for position, limit in enumerate(raw.range or ()):
        try:
            limits.append(limit if isinstance(limit, int) else _constant(limit, names))
        except WrongValueError as error:
            raise source.error((*at, "range", position), error.message, error.remedy) from None
    first, last = limits
    if first > last:
        raise source.error((*at, "range"), "is empty", "write the first number, then the last")
    return Numbers(first=first, last=last, step=raw.step or 1)


def _constant(text: str, names: Names) -> int:
    parts = split(text)
    if len(parts) != 1 or isinstance(parts[0], str):
        raise WrongValueError(
            f"{shortened(text)!r} is not a whole number", "write 100, or {{10 * seed.clubs}}"
        )
    return Resolver(names, lambda _: None).constant(parts[0])


Written = tuple[int, int, int]
"""What tells that a file was written anew."""


def _written(path: Path) -> Written:
    found = path.stat()
    return found.st_ino, found.st_size, found.st_mtime_ns


def _facts(path: Path) -> CsvFacts:
    return _facts_of(path, _written(path))


def _numbers_in(path: Path, first: int, last: int) -> tuple[bool, ...]:
    return _numbers_of(path, _written(path), first, last)


@lru_cache(maxsize=64)
def _facts_of(path: Path, _written: Written) -> CsvFacts:
    return judged_csv(path)


@lru_cache(maxsize=64)
def _numbers_of(path: Path, _written: Written, first: int, last: int) -> tuple[bool, ...]:
    return number_columns(path, first, last)
