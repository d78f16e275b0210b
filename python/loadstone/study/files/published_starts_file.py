"""Published rows of starts, `published/<source>-starts.csv`: start-up, memory near rest, build."""

from collections.abc import Iterator
from pathlib import Path

from loadstone.study.files.published_columns import WHOSE, one_of
from loadstone.study.files.published_lines import Form, published_lines
from loadstone.study.values.manifest import System
from loadstone.study.values.published import PublishedStart

STARTS = "-starts"
"""What the name of such a file ends with, behind that of its source."""

_SERVICE = "service"
_FIGURES = (
    "startup_ms",
    "rss_after_five_mib",
    "executable_mb",
    "build_seconds",
    "cpu_percent",
)
"""A cell of these may be empty: not every table has them."""

START_FORM = Form((_SERVICE, *WHOSE, *_FIGURES), frozenset((_SERVICE, *_FIGURES)))


def read_starts(path: Path, system: System) -> Iterator[PublishedStart]:
    """Read the rows. Raises InputError."""
    seen: dict[str, int] = {}
    for line in published_lines(path, [START_FORM]):
        has_service = _SERVICE in line.cells
        figures = {name: line.number_in(name) for name in _FIGURES}
        start = PublishedStart(
            service=one_of(line, _SERVICE, system.names) if has_service else None,
            stack=line.word("stack"),
            runtime=line.word("runtime"),
            **figures,
        )
        if start.whose in seen:
            raise line.error(
                "stack",
                f"{start.whose} is there twice, first in line {seen[start.whose]}",
                "keep one of the two",
            )
        seen[start.whose] = line.number
        if not any(each is not None for each in figures.values()):
            raise line.error(None, "has no figure", "write one, or take the line out")
        yield start
