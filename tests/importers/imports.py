"""Imports a file of k6 into a folder beside it."""

from pathlib import Path

from loadstone.importers.import_file import import_file
from loadstone.importers.interface import Arrivals
from loadstone.results.window import WindowedRun, read_windowed_run


def imported(path: Path, arrivals: Arrivals | None = None, warm_up_ns: int = 0) -> WindowedRun:
    directory = path.parent / f"run-of-{path.name}"
    record = import_file(
        "k6",
        path,
        directory,
        arrivals=arrivals,
        warm_up_ns=warm_up_ns,
        on_progress=lambda _read, _total: None,
    )
    return read_windowed_run(record, directory)
