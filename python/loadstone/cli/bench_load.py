"""The load of a `bench`, and what follows it: each step adds to the record what it came to."""

import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from loadstone.analysis.cells.run_alone import RunAlone, examine_alone
from loadstone.cli import bench_words
from loadstone.cli.app import messages, output
from loadstone.cli.background import share_before, with_background
from loadstone.cli.second_step import with_second_step
from loadstone.cli.single_requests import with_single_requests
from loadstone.errors import ExitCode, Interrupted
from loadstone.findings.model import Severity
from loadstone.machine import ownership
from loadstone.measure.loading.engine_plan import EngineOptions
from loadstone.measure.loading.url_load import load_url
from loadstone.metrics.outcomes import Outcome
from loadstone.report.terminal.load_progress import progress_line
from loadstone.report.terminal.study_result import print_run_result
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
    folder: Path = Path()
    """Where what the workload is fed with lies."""


def load_and_tell(
    asked: Asked, max_failures: int, *, as_json: bool, hlog: Path | None, requests: Path | None
) -> ExitCode:
    """Load, print what came of it, and return whether it stands.

    Raises LoadstoneError where the load cannot be done, Interrupted where a signal ended it, once what
    there is has been printed.
    """
    record, alone, interrupted = loaded(asked, hlog=hlog, requests=requests)
    if as_json:
        sys.stdout.write(record.model_dump_json(indent=1) + "\n")
    else:
        print_run_result(output(), record, alone)
    if interrupted is not None:
        raise interrupted
    failures = sum(record.outcomes.values()) - record.outcomes[Outcome.OK]
    withheld = any(finding.severity is Severity.WITHHOLD for finding in alone.findings)
    return ExitCode.DOES_NOT_HOLD if withheld or failures > max_failures else ExitCode.OK


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
                    folder_of_feeds=asked.folder,
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
