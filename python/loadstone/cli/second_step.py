"""The second step of a `bench` whose users waited for an idle service."""

from collections.abc import Callable, Sequence
from pathlib import Path

from rich.text import Text

from loadstone.audit.service.waits_not_on_cpu import CODE
from loadstone.cli.app import messages
from loadstone.errors import LoadstoneError
from loadstone.findings.model import Finding
from loadstone.measure.loading.second_step import second_step_facts, second_step_workload
from loadstone.results.record import RunRecord
from loadstone.results.window import read_windowed_run
from loadstone.study.values.model import Workload
from loadstone.text.words import counted_users

FOLDER = "second-step"

Load = Callable[[Workload, Path], RunRecord]
"""Loads the same URL in the same way, with its files in a folder."""


def with_second_step(
    record: RunRecord,
    findings: Sequence[Finding],
    workload: Workload,
    directory: Path,
    load: Load,
) -> RunRecord:
    """The record with what a second step came to, where a finding asks for one; else as it is."""
    if not any(each.code == CODE for each in findings):
        return record
    fewer = second_step_workload(workload, read_windowed_run(record, directory))
    if fewer is None:
        return record
    told = (
        f"a second step of {fewer.duration_ns / 1e9:g} s with "
        f"{counted_users(fewer.connections, fewer.streams)}: the service is idle while its "
        "users wait, and this tells a lock from a pause"
    )
    target = directory / FOLDER
    target.mkdir()
    try:
        messages().print(Text(told), soft_wrap=True)
        step = load(fewer, target)
    except LoadstoneError as error:
        messages().print(Text(f"the second step could not be done: {error}"), soft_wrap=True)
        return record
    facts = second_step_facts(read_windowed_run(step, target))
    return record.model_copy(update={"second_step": facts})
