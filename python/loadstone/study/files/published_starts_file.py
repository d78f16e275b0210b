"""Published rows of starts, `published/<source>-starts.csv`: start-up, memory near rest, build."""

from collections.abc import Iterator
from pathlib import Path

from loadstone.study.files.published_lines import published_lines
from loadstone.study.values.published import PublishedStart

STARTS = "-starts"
"""What the name of such a file ends with, behind that of its source."""

_FIGURES = (
    "startup_ms",
    "rss_after_five_mib",
    "executable_mb",
    "build_seconds",
    "cpu_percent",
)
"""A cell of these may be empty: not every table has them."""

START_COLUMNS = ("stack", "runtime", *_FIGURES)


def read_starts(path: Path) -> Iterator[PublishedStart]:
    """Read the rows. Raises InputError."""
    seen: dict[tuple[str, str], int] = {}
    for line in published_lines(path, [START_COLUMNS]):
        whose = line.word("stack"), line.word("runtime")
        if whose in seen:
            raise line.error(
                "stack",
                f"{whose[0]} on {whose[1]} is there twice, first in line {seen[whose]}",
                "keep one of the two",
            )
        seen[whose] = line.number
        figures = {name: line.number_in(name) for name in _FIGURES}
        if not any(each is not None for each in figures.values()):
            raise line.error(None, "has no figure", "write one, or take the line out")
        yield PublishedStart(stack=whose[0], runtime=whose[1], **figures)
