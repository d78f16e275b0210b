"""One run that is given by itself: its folder, or the file of another tool that becomes one."""

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from loadstone.analysis.cells.run_alone import RunAlone, examine_alone
from loadstone.analysis.per_request.by_runs import METRIC
from loadstone.errors import InputError
from loadstone.findings.model import Finding
from loadstone.importers.import_file import import_file, stem
from loadstone.importers.interface import Progress
from loadstone.importers.kept_times import KeptTimes
from loadstone.importers.registry import FORMATS
from loadstone.results import folder
from loadstone.results.read import read_record
from loadstone.results.request_times import RequestTimes, request_times


@dataclass(frozen=True, eq=False)
class OneRun:
    """What is compared of a run, and what is to be doubted of it."""

    path: Path
    """As it was given."""
    times: RequestTimes
    """Of its ok requests."""
    findings: tuple[Finding, ...]
    """On the run."""
    withheld: str
    """Why the figure by which runs are compared does not stand; empty where it does."""


def read_one_run(path: Path, on_progress: Progress) -> OneRun:
    """Read a run's folder, or a file of another tool: nothing of that is kept.

    `InputError` for a run that is not completed, has no load or is simulated, for a file that no
    importer reads, and for what is neither.
    """
    if (path / folder.RECORD).is_file():
        record = read_record(path / folder.RECORD)
        if record.simulated or (record.load is not None and record.load.simulated):
            raise InputError(
                "this run is simulated, and nothing of it is compared",
                path=path,
                remedy="give a run that was measured",
            )
        times = request_times(record, path)
        return _one_run(path, times, examine_alone(record, path))
    if path.is_file():
        return _imported(path, on_progress)
    raise InputError(
        f"is neither a folder with {folder.PLAN} or {folder.RECORD}, nor a file",
        path=path,
        remedy=f"give a results folder, the folder of a run, or a file of {' or '.join(FORMATS)}",
    )


def _imported(path: Path, on_progress: Progress) -> OneRun:
    """By the first format that reads the file; where none does, with the error of the last."""
    refused: InputError | None = None
    for tool in FORMATS:
        kept = KeptTimes()
        with TemporaryDirectory(prefix="loadstone-compared-") as temporary:
            directory = Path(temporary) / stem(path)
            try:
                record = import_file(
                    tool,
                    path,
                    directory,
                    arrivals=None,
                    warm_up_ns=0,
                    on_progress=on_progress,
                    on_request=kept.add,
                )
            except InputError as error:
                refused = error
                continue
            return _one_run(path, kept.request_times(), examine_alone(record, directory))
    raise refused or InputError("no importer reads files", path=path)


def _one_run(path: Path, times: RequestTimes, alone: RunAlone) -> OneRun:
    figure = alone.figures[METRIC]
    withheld = figure.reason if figure.state == "withheld" else ""
    return OneRun(path, times, alone.findings, withheld)
