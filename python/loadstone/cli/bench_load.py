"""The load of a `bench`, and what follows it: each step adds to the record what it came to."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from loadstone.analysis.cells.run_alone import RunAlone, examine_alone
from loadstone.cli import bench_words
from loadstone.cli.app import messages
from loadstone.cli.background import share_before, with_background
from loadstone.cli.second_step import with_second_step
from loadstone.cli.single_requests import with_single_requests
from loadstone.errors import Interrupted
from loadstone.machine import ownership
from loadstone.measure.loading.engine_plan import EngineOptions
from loadstone.measure.loading.url_load import load_url
from loadstone.report.terminal.load_progress import progress_line
from loadstone.results import folder
from loadstone.results.record import RunRecord
from loadstone.results.write import writing
from loadstone.study.values.model import Protocol, Workload

Step = Callable[[RunRecord], RunRecord]


@dataclass(frozen=True)
class Asked:
    """What a person asked for."""

    url: str
    workload: Workload
    protocol: Protocol
    allowed: Sequence[str]
    """Hosts that may be loaded beside loopback."""
    cpus: tuple[int, ...]
    """Of the engine."""
    options: EngineOptions


def loaded(
    asked: Asked, *, hlog: Path | None, requests: Path | None
) -> tuple[RunRecord, RunAlone, Interrupted | None]:
    """Load, keep the files that are asked for, and follow the load up; with what interrupted that.

    Raises LoadstoneError where the load cannot be done, Interrupted where a signal ends it.
    """
    workload, allowed = asked.workload, asked.allowed
    with ownership.scratch_directory() as directory, writing(directory):

        def load(workload: Workload, directory: Path) -> RunRecord:
            # Drawing costs the CPU that the engine runs on.
            with messages().status(f"loading {asked.url}", refresh_per_second=2) as status:
                return load_url(
                    workload,
                    asked.url,
                    directory,
                    protocol=asked.protocol,
                    allowed=allowed,
                    cpus=asked.cpus,
                    options=asked.options,
                    on_progress=lambda event: status.update(progress_line(event)),
                )

        before_share = share_before(asked.url, workload, allowed)
        record = load(workload, directory)
        findings = examine_alone(record, directory).findings
        if hlog is not None:
            bench_words.keep("--hlog", directory / folder.HISTOGRAMS, hlog)
        if requests is not None:
            bench_words.keep("--requests", directory / folder.REQUESTS, requests)
        record, interrupted = _followed(
            record,
            (
                lambda it: with_background(it, before_share, allowed),
                lambda it: with_second_step(it, findings, workload, directory, load),
                lambda it: with_single_requests(
                    it, workload, allowed, asked.protocol, asked.options
                ),
            ),
        )
        return record, examine_alone(record, directory), interrupted


def _followed(record: RunRecord, steps: Iterable[Step]) -> tuple[RunRecord, Interrupted | None]:
    """The record after all steps, or after those before the one that a signal interrupted.

    The load was whole, and is still to be shown.
    """
    for step in steps:
        try:
            record = step(record)
        except Interrupted as interrupted:
            return record, interrupted
    return record, None
