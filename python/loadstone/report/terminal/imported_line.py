"""What is said of a file that was imported, in one line."""

from pathlib import Path

from loadstone.results.record import RunRecord
from loadstone.text import units
from loadstone.text.words import counted


def imported_line(directory: Path, record: RunRecord) -> str:
    """For example `imported/a: 1,860 requests of 1 operation in 30.0 s, by 100 users`."""
    load = record.load
    length = "" if load is None else f" in {units.duration(load.load_ns)}"
    users = "" if load is None or load.users is None else f", by {counted(load.users, 'user')}"
    return (
        f"{directory}: {sum(record.outcomes.values()):,} requests of "
        f"{counted(len(record.operations), 'operation')}{length}{users}"
    )
