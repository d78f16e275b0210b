"""One file of another tool becomes one run folder, whole or not at all."""

import shutil
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from loadstone.errors import InputError
from loadstone.importers.interface import Arrivals, FileFacts, OnRequest, Progress
from loadstone.importers.recorder import Recorded, Recorder
from loadstone.importers.registry import format_of
from loadstone.importers.source_file import SourceFile
from loadstone.results import folder
from loadstone.results.imported_from import ImportedFrom
from loadstone.results.load_facts import LoadFacts
from loadstone.results.record import RunIdentity, RunRecord, Window
from loadstone.results.write import unwritable, write_text

STUDY = "imported"
_ENDINGS = (".gz", ".csv")


def stem(path: Path) -> str:
    """The name of a file without its endings: of its run, and of its folder."""
    name = path.name
    for ending in _ENDINGS:
        name = name.removesuffix(ending)
    if not name.strip("."):
        raise InputError("has no name but endings", path=path, remedy="give the file another name")
    return name


def run_folders(paths: Sequence[Path], out: Path) -> dict[Path, Path]:
    """The folder of each file. `InputError` where two would have the same, or one is there already."""
    found: dict[Path, Path] = {}
    for path in paths:
        directory = out / stem(path)
        if directory in found.values():
            raise InputError(
                f"would become {directory}, as another of the files does",
                path=path,
                remedy="import them into different folders",
            )
        if directory.exists():
            raise InputError(
                f"its run is there already: {directory}",
                path=path,
                remedy="remove that folder, or give another --out",
            )
        found[path] = directory
    return found


def import_file(
    tool: str,
    path: Path,
    directory: Path,
    *,
    arrivals: Arrivals | None,
    warm_up_ns: int,
    on_progress: Progress,
    on_request: OnRequest | None = None,
) -> RunRecord:
    """Write the run of a file to `directory`, which must not exist; `on_request` sees each request.

    Raises InputError for what is not of the tool's format, RecordsUnwritable where the disk does not
    take it; nothing is left then.
    """
    read = format_of(tool)
    source = SourceFile(path, on_progress)
    partial = directory.with_name(f".{directory.name}.partial")
    recorders: list[Recorder] = []

    def begin(resolution_ns: int) -> Recorder:
        recorders.append(Recorder(partial, resolution_ns, on_request))
        return recorders[-1]

    try:
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(parents=True)
        try:
            recorded, file_facts, resolution_ns = read(path, source, begin, arrivals)
        finally:
            for recorder in recorders:
                recorder.close()
        record = _record(
            recorded,
            file_facts,
            ImportedFrom(
                tool=tool,
                version=None,
                file=path.name,
                digest=source.digest,
                time_resolution_ns=resolution_ns,
                contradicting_times=file_facts.contradicting_times,
                checks=file_facts.checks,
                absent=file_facts.absent,
            ),
            stem(path),
            _window(recorded, warm_up_ns, path),
        )
        write_text(partial / folder.RECORD, record.model_dump_json(indent=1) + "\n")
        partial.rename(directory)
    except OSError as error:
        raise unwritable(directory, error.strerror) from error
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return record


def _window(recorded: Recorded, warm_up_ns: int, path: Path) -> Window:
    if warm_up_ns >= recorded.load_ns:
        raise InputError(
            f"the load of {recorded.load_ns / 1e9:g} s is over before the warm-up of "
            f"{warm_up_ns / 1e9:g} s is",
            path=path,
            remedy="give a shorter --warm-up",
        )
    return Window(
        start_ns=warm_up_ns, end_ns=recorded.load_ns, warm_up="fixed" if warm_up_ns else "none"
    )


def _record(
    recorded: Recorded, file_facts: FileFacts, source: ImportedFrom, name: str, window: Window
) -> RunRecord:
    started_ns = recorded.started_unix_ns
    ended_ns = started_ns + recorded.load_ns + recorded.grace_ns
    return RunRecord(
        run=RunIdentity(
            index=1,
            id=name,
            study=STUDY,
            arm=name,
            factors={},
            workload=source.tool,
            block=1,
            seed=None,
        ),
        status="completed",
        started_at=_utc(started_ns),
        finished_at=_utc(ended_ns),
        outcomes=recorded.outcomes,
        operations=recorded.operations,
        source=source,
        iterations=file_facts.iterations,
        load=LoadFacts(
            protocol=None,
            spoken=file_facts.spoken,
            streams=None,
            started_unix_ns=started_ns,
            load_ns=recorded.load_ns,
            grace_ns=recorded.grace_ns,
            stop=None,
            arrivals=file_facts.arrivals,
            users=recorded.users if file_facts.arrivals == "users" else None,
            rate_per_second=None,
            process=None,
            outcomes=recorded.outcomes,
            operations=recorded.operations,
            connections=None,
            redirects=None,
            error_samples=recorded.error_samples,
            engine=None,
        ),
        window=window,
    )


def _utc(unix_ns: int) -> str:
    return datetime.fromtimestamp(unix_ns / 1e9, UTC).isoformat(timespec="milliseconds")
