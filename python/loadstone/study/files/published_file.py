"""The published rows of a system: `published/<source>.yaml` says what they are, `<source>.csv` holds
those of loads, `<source>-starts.csv` (`published_starts_file.py`) those of starts.

Left out: columns that no table shows.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

from pydantic import Field

from loadstone.errors import InputError
from loadstone.study.files.published_lines import PublishedLine, published_lines
from loadstone.study.files.published_starts_file import STARTS, read_starts
from loadstone.study.files.raw import Name, Raw, Text, judge_own_name, parse
from loadstone.study.files.yaml_file import YamlFile, read_yaml
from loadstone.study.values.manifest import Scenario, System
from loadstone.study.values.model import Protocol
from loadstone.study.values.published import Published, PublishedKey, PublishedRow, PublishedSource
from loadstone.text.quoted import shown, suggestion

FOLDER = "published"
"""Of a system."""

_WHOSE = ("stack", "runtime")
_LOAD = ("users", "message_bytes", "delay_ms")
_RATE = "rate_per_second"
_FIGURES = (
    "failures_percent",
    "throughput_per_second",
    "mean_ms",
    "standard_deviation_ms",
    "p99_ms",
    "gc_throughput_percent",
    "memory_after_full_gc_mib",
)
"""A cell of these may be empty: not every table has them."""

_MOST_PERCENT = 100


class RawPublishedSource(Raw):
    """What a published table is."""

    published: Name
    """Its name: that of the two files."""
    stack: Text | None = None
    """What it is of, as its rows are called in a report; not where each row names its stack."""
    origin: Text
    """Who published it, and what is known of the version."""
    machine: Text
    """On what it was measured."""
    validity: Annotated[list[Text], Field(min_length=1)]
    """What is to be known before a figure of it is believed, a sentence each."""


def columns_of(
    system: System, *, several: bool = False, has_rates: bool = False
) -> tuple[str, ...]:
    """The heading of the rows: a scenario, its load, and the figures with their units; before them the
    stack of each row where there are `several`, and beside the users a rate where some load has one.
    """
    whose = _WHOSE if several else ()
    users, *others = _LOAD
    load = (users, _RATE, *others) if has_rates else _LOAD
    return (*whose, "operation", *system.legs, *load, *_FIGURES)


def read_published(system: System) -> Published | None:
    """Read what is published of a system; none where it has no such rows. Raises InputError."""
    folder = system.directory / FOLDER
    for path in sorted(folder.glob("*.csv")):
        name = path.stem.removesuffix(STARTS)
        if not any(path.with_name(f"{each}.yaml").exists() for each in (name, path.stem)):
            raise InputError(
                "nothing says what these rows are",
                path=path,
                line=1,
                remedy=f"write {name}.yaml beside it",
            )
    paths = sorted(folder.glob("*.yaml"), key=lambda path: path.stem)
    sources = tuple(_source(path, system) for path in paths)
    if not sources:
        return None
    return Published(
        scenarios=system.scenarios,
        settings={each.name: each.default for each in system.settings},
        sources=sources,
    )


def _source(path: Path, system: System) -> PublishedSource:
    source = read_yaml(path)
    raw = parse(source, RawPublishedSource)
    judge_own_name(source, "published", "file")
    starts = path.with_name(f"{path.stem}{STARTS}.csv")
    has_starts = starts.exists()
    has_loads = path.with_suffix(".csv").exists() or not has_starts
    if has_starts and raw.stack is not None:
        raise source.error(
            ("stack",), f"{starts.name} names a stack in each row", "take it out, or those rows"
        )
    return PublishedSource(
        source=raw.published,
        stack=raw.stack,
        origin=raw.origin,
        machine=raw.machine,
        validity=tuple(raw.validity),
        rows=tuple(_rows(source, raw, system)) if has_loads else (),
        starts=tuple(read_starts(starts)) if has_starts else (),
    )


def _rows(source: YamlFile, raw: RawPublishedSource, system: System) -> Iterator[PublishedRow]:
    is_several = raw.stack is None
    headings = [
        columns_of(system, several=is_several, has_rates=has_rates) for has_rates in (False, True)
    ]
    seen: dict[tuple[str | None, str | None, PublishedKey], int] = {}
    for line in published_lines(source.path.with_suffix(".csv"), headings):
        row = _row(line, system)
        whose = row.stack, row.runtime, row.key
        if whose in seen:
            raise line.error(
                None,
                f"this load of {row.scenario.name} is there twice, first in line {seen[whose]}",
                "keep one of the two",
            )
        seen[whose] = line.number
        yield row


def _row(line: PublishedLine, system: System) -> PublishedRow:
    """Raises InputError with the column of the first wrong cell."""
    scenario = _scenario(line, system)
    has_rate = bool(line.cells.get(_RATE))
    if has_rate and line.cells["users"]:
        raise line.error(_RATE, "stands beside users", "keep one of the two")
    load = (
        {"rate_per_second": line.whole(_RATE, least=1)}
        if has_rate
        else {"users": line.whole("users", least=1)}
    )
    figures = {name: _figure(line, name) for name in _FIGURES}
    if not any(each is not None for each in figures.values()):
        raise line.error(None, "has no figure", "write one, or take the line out")
    return PublishedRow(
        stack=line.word("stack") if "stack" in line.cells else None,
        runtime=line.word("runtime") if "runtime" in line.cells else None,
        scenario=scenario,
        **load,
        message_bytes=line.whole("message_bytes"),
        delay_ms=line.whole("delay_ms"),
        **figures,
    )


def _figure(line: PublishedLine, column: str) -> float | None:
    number = line.number_in(column)
    if number is not None and column.endswith("_percent") and number > _MOST_PERCENT:
        raise line.error(
            column, f"must be 100 or less, not {line.cells[column]}", "write a share in %"
        )
    return number


def _scenario(line: PublishedLine, system: System) -> Scenario:
    operation = _one_of(line, "operation", system.operations)
    legs = {leg: Protocol(_one_of(line, leg, tuple(Protocol))) for leg in system.legs}
    found = Scenario(operation=operation, legs=legs)
    if found not in system.scenarios:
        raise line.error(
            "operation",
            f"{found.name} is not a scenario of {system.system}",
            suggestion(found.name, [each.name for each in system.scenarios]),
        )
    return found


def _one_of(line: PublishedLine, column: str, known: Sequence[str]) -> str:
    typed = line.cells[column]
    if typed not in known:
        raise line.error(
            column, f"{shown(typed)} is not known here", suggestion(typed, list(known))
        )
    return typed
