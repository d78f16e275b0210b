"""Published ramps, `published/<source>-ramps.csv`: users who grew until the first request failed."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, get_args

from loadstone.study.files.published_columns import (
    PAUSE,
    forms_of,
    one_of,
    scenario_in,
    stacks_in,
)
from loadstone.study.files.published_lines import Form, PublishedLine, published_lines
from loadstone.study.files.published_notes import RawNote, notes_of
from loadstone.study.values.manifest import System
from loadstone.study.values.published import FirstStop, PublishedRamp

RAMPS = "-ramps"
"""What the name of such a file ends with, behind that of its source."""

_LOAD = ("users_per_second", PAUSE, "stop", "message_bytes")
_COUNTS = ("users_before_failure", "completed", "failed")
FIGURES = (
    "users_before_failure",
    "run_seconds",
    "completed",
    "failed",
    "mean_ms",
    "max_ms",
)
"""A cell of these may be empty, and the column left out."""


def ramp_forms(system: System, *, several: bool) -> tuple[Form, ...]:
    """The headings of such a file."""
    return forms_of(system, _LOAD, FIGURES, (PAUSE,), several=several)


def read_ramps(
    path: Path, system: System, notes: Mapping[str, RawNote], *, several: bool
) -> Iterator[PublishedRamp]:
    """Read the rows; `several` of several stacks. Raises InputError."""
    seen: dict[object, int] = {}
    for line in published_lines(path, ramp_forms(system, several=several)):
        ramp = _ramp(line, system, notes)
        whose = ramp.whose, ramp.key
        if whose in seen:
            raise line.error(
                None,
                f"this ramp of {ramp.scenario.name} is there twice, first in line {seen[whose]}",
                "keep one of the two",
            )
        seen[whose] = line.number
        yield ramp


def _ramp(line: PublishedLine, system: System, notes: Mapping[str, RawNote]) -> PublishedRamp:
    figures: dict[str, Any] = {
        name: _count(line, name) if name in _COUNTS else line.number_in(name) for name in FIGURES
    }
    values = {
        **stacks_in(line, system),
        "scenario": scenario_in(line, system),
        "users_per_second": line.whole("users_per_second", least=1),
        "pause_ms": line.whole(PAUSE),
        "stop": one_of(line, "stop", get_args(FirstStop)),
        "message_bytes": line.whole("message_bytes"),
        **figures,
        "notes": notes_of(line, notes),
    }
    if not any(each is not None for each in figures.values()):
        raise line.error(None, "has no figure", "write one, or take the line out")
    return PublishedRamp.model_validate(values)


def _count(line: PublishedLine, column: str) -> int | None:
    return line.whole(column) if line.cells.get(column) else None
