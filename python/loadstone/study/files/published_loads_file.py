"""Published rows of loads, `published/<source>.csv`."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from loadstone.study.files.published_columns import PAUSE, forms_of, scenario_in, stacks_in
from loadstone.study.files.published_lines import Form, PublishedLine, published_lines
from loadstone.study.files.published_notes import RawNote, notes_of
from loadstone.study.values.manifest import System
from loadstone.study.values.published import PublishedRow

_RATE = "rate_per_second"
_LOAD = ("users", _RATE, PAUSE, "message_bytes", "delay_ms")
FIGURES = (
    "failures_percent",
    "throughput_per_second",
    "mean_ms",
    "standard_deviation_ms",
    "min_ms",
    "median_ms",
    "p90_ms",
    "p95_ms",
    "p99_ms",
    "max_ms",
    "gc_throughput_percent",
    "memory_after_full_gc_mib",
)
"""A cell of these may be empty, and the column left out: not every table has them."""

_MOST_PERCENT = 100


def load_forms(system: System, *, several: bool) -> tuple[Form, ...]:
    """The headings of such a file."""
    return forms_of(system, _LOAD, FIGURES, (_RATE, PAUSE), several=several)


def read_loads(
    path: Path, system: System, notes: Mapping[str, RawNote], *, several: bool
) -> Iterator[PublishedRow]:
    """Read the rows; `several` of several stacks. Raises InputError."""
    seen: dict[object, int] = {}
    for line in published_lines(path, load_forms(system, several=several)):
        row = _row(line, system, notes)
        whose = row.whose, row.key
        if whose in seen:
            raise line.error(
                None,
                f"this load of {row.scenario.name} is there twice, first in line {seen[whose]}",
                "keep one of the two",
            )
        seen[whose] = line.number
        yield row


def _row(line: PublishedLine, system: System, notes: Mapping[str, RawNote]) -> PublishedRow:
    """Raises InputError with the column of the first wrong cell."""
    scenario = scenario_in(line, system)
    has_rate = bool(line.cells.get(_RATE))
    for column in ("users", PAUSE):
        if has_rate and line.cells.get(column):
            raise line.error(_RATE, f"stands beside {column}", "keep one of the two")
    load = (
        {"rate_per_second": line.whole(_RATE, least=1)}
        if has_rate
        else {"users": line.whole("users", least=1), "pause_ms": line.whole(PAUSE)}
    )
    figures = {name: _figure(line, name) for name in FIGURES}
    if not any(each is not None for each in figures.values()):
        raise line.error(None, "has no figure", "write one, or take the line out")
    return PublishedRow.model_validate(
        {
            **stacks_in(line, system),
            "scenario": scenario,
            **load,
            "message_bytes": line.whole("message_bytes"),
            "delay_ms": line.whole("delay_ms"),
            **figures,
            "notes": notes_of(line, notes),
        }
    )


def _figure(line: PublishedLine, column: str) -> float | None:
    number = line.number_in(column)
    if number is not None and column.endswith("_percent") and number > _MOST_PERCENT:
        raise line.error(
            column, f"must be 100 or less, not {line.cells[column]}", "write a share in %"
        )
    return number
