"""`loadstone compare --as-published`: what a published procedure says, beside the lab's answer."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from loadstone.cli.app import messages, output, say_line
from loadstone.cli.reading import reading, reading_study
from loadstone.errors import ExitCode, InputError

if TYPE_CHECKING:
    from loadstone.analysis.per_request.output import AsPublished


def compare_as_published(first: Path, second: Path | None, *, as_json: bool) -> ExitCode:
    """Compare the arms of a results folder, or of two; two runs, or files of another tool.

    `DOES_NOT_HOLD` where a figure by which runs are compared is withheld, or an arm has no run. Raises
    InputError for what cannot be read or compared.
    """
    from loadstone.report.terminal.per_request import print_as_published
    from loadstone.text.plain import plain

    compared = _compared(first, second)
    if as_json:
        sys.stdout.write(compared.model_dump_json(indent=1) + "\n")
    else:
        print_as_published(output(), compared)
    for warning in compared.warnings:
        say_line(f"warning: {plain(warning)}")
    failed = [
        f"{what}: {', '.join(names)}"
        for what, names in (
            ("withheld", compared.withheld),
            ("no run was completed", compared.not_run),
        )
        if names
    ]
    code = ExitCode.DOES_NOT_HOLD if failed else ExitCode.OK
    meaning = "; ".join(failed) or "no compared figure is withheld"
    say_line(f"exit code {code.value}: {plain(meaning)}")
    return code


def _compared(first: Path, second: Path | None) -> "AsPublished":
    from loadstone.analysis.per_request.of_folders import as_published_folders
    from loadstone.analysis.per_request.of_runs import as_published_runs
    from loadstone.analysis.per_request.of_study import as_published_study

    if _is_results(first) and (second is None or _is_results(second)):
        with reading_study(messages()) as progress:
            if second is None:
                return as_published_study(first, progress.on_read)
            return as_published_folders(first, second, progress.on_read)
    if second is None:
        raise InputError(
            "is no results folder, and there is nothing to compare it with",
            path=first,
            remedy="give a second run, or file of another tool",
        )
    if _is_results(first) or _is_results(second):
        raise InputError(
            "a results folder has many runs, and the other is one",
            path=second,
            remedy="give two results folders, or two runs: those of a results folder are in its runs/",
        )
    with reading(messages(), f"{first.name} and {second.name}") as on_progress:
        return as_published_runs(first, second, on_progress)


def _is_results(path: Path) -> bool:
    from loadstone.results import folder

    return (path / folder.PLAN).is_file()
