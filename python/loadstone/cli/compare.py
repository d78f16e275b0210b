"""`loadstone compare`: verdicts from stored records, and a gate for continuous integration."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from loadstone.cli.apdex import ApdexOption, thresholds
from loadstone.cli.app import messages, output, say_line
from loadstone.cli.compare_as_published import compare_as_published
from loadstone.cli.completion import complete_arms, complete_results
from loadstone.cli.reading import reading_study
from loadstone.errors import ExitCode, InputError

if TYPE_CHECKING:
    from loadstone.analysis.compare.compare_output import Compared

NAMED_AT_MOST = 3
"""Of what an exit code is for; the lines above it have them all."""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("compare", short_help="Compare the arms of one or two stored studies")(compare)


def compare(
    results: Annotated[
        Path,
        typer.Argument(
            metavar="RESULTS",
            help="A results folder, the baseline of two",
            autocompletion=complete_results,
        ),
    ],
    other: Annotated[
        Path | None,
        typer.Argument(
            metavar="OTHER",
            help="Another one, whose arms are held against the first",
            autocompletion=complete_results,
        ),
    ] = None,
    metric: Annotated[
        str | None,
        typer.Option(
            metavar="METRIC",
            help="Compare all arms by this metric",
            show_default="the study's questions",
        ),
    ] = None,
    baseline: Annotated[
        str | None,
        typer.Option(
            metavar="ARM",
            help="Compare with this arm, and fail if another is worse",
            autocompletion=complete_arms,
        ),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print comparisons, ranks and findings as JSON")
    ] = False,
    markdown: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the comparisons as a comment on a change, too"),
    ] = None,
    as_published: Annotated[
        bool,
        typer.Option(
            "--as-published",
            help="Compare as publications often do, by single requests of one run a side, and say "
            "beside it what the runs say; RESULTS and OTHER may be runs, or files of k6",
        ),
    ] = False,
    apdex: ApdexOption = None,
) -> None:
    """Compare the arms of a study: ratio, interval and verdict. Of two results folders each arm of
    OTHER is compared with the same arm of RESULTS.

    Reads stored records only. "cannot tell" is an answer, and exit code 0. Two folders are refused
    where a fact that must match does not: the remedy says which. --as-published is no gate: no arm
    is worse by it.

    Exit code: 0 no arm is worse than --baseline, or than the same arm of RESULTS, 1 one is, or has
    no completed run, or was still warming up, or a figure that is compared is withheld, 2 the
    results cannot be read or not be compared.

    Examples:

      loadstone compare results/quickstart-20260101T120000Z

      loadstone compare results/quickstart-20260101T120000Z --metric response_time.p99 --baseline go

      loadstone compare results/quickstart-20260101T120000Z results/quickstart-20260201T120000Z

      loadstone compare results/gate-20260101T120000Z --baseline main --markdown comment.md

      loadstone compare --as-published one.csv.gz other.csv.gz
    """
    if as_published:
        _refuse_beside_as_published(
            metric=metric, baseline=baseline, apdex=apdex, markdown=markdown
        )
        raise typer.Exit(compare_as_published(results, other, as_json=as_json))
    from loadstone.analysis.compare.one_folder import compare_results
    from loadstone.analysis.compare.two_folders import compare_folders
    from loadstone.report.page.markdown_comparisons import render_comparisons
    from loadstone.report.terminal.study_result import print_comparisons
    from loadstone.results.write import write_text
    from loadstone.text.plain import plain

    if other is not None and baseline is not None:
        raise InputError(
            "--baseline is of one results folder: of two the first is the baseline",
            remedy="leave out --baseline, or the second folder",
        )
    if markdown is not None and not markdown.parent.is_dir():
        raise InputError(
            f"--markdown {markdown}: {markdown.parent} is not a folder", remedy="make it first"
        )
    with reading_study(messages()) as progress:
        compared = (
            compare_results(
                results,
                metric=metric,
                baseline=baseline,
                apdex=thresholds(apdex),
                on_read=progress.on_read,
            )
            if other is None
            else compare_folders(
                results, other, metric=metric, apdex=thresholds(apdex), on_read=progress.on_read
            )
        )
    if as_json:
        sys.stdout.write(compared.model_dump_json(indent=1) + "\n")
    else:
        print_comparisons(output(), compared)
    for warning in compared.warnings:
        say_line(f"warning: {plain(warning)}")
    code, meaning = _meaning(compared, is_gate=baseline is not None or other is not None)
    if markdown is not None:
        write_text(markdown, render_comparisons(compared, code, meaning))
    say_line(f"exit code {code.value}: {plain(meaning)}")
    raise typer.Exit(code)


def _refuse_beside_as_published(**typed: str | Path | None) -> None:
    """The published procedure has no choices."""
    for option, value in typed.items():
        if value is not None:
            raise InputError(
                f"--{option} has no meaning beside --as-published",
                remedy="leave out one of the two",
            )


def _meaning(compared: "Compared", *, is_gate: bool) -> tuple[ExitCode, str]:
    """The exit code, and why."""
    from loadstone.analysis.model import Verdict
    from loadstone.text.words import counted

    worse = (each for each in compared.comparisons if is_gate and each.verdict is Verdict.WORSE)
    untold = sum(each.verdict is Verdict.CANNOT_TELL for each in compared.comparisons)
    unsure = f"; of {counted(untold, 'comparison')} it cannot be told" if untold else ""
    arms = list(dict.fromkeys(f"{each.other} ({each.metric})" for each in worse))
    failed = [
        f"{what}: {_first(names)}"
        for what, names in (
            ("worse than the baseline", arms),
            ("withheld", compared.withheld),
            ("nothing can be claimed", compared.unclaimed if is_gate else ()),
            ("no run was completed", compared.not_run if is_gate else ()),
        )
        if names
    ]
    if failed:
        return ExitCode.DOES_NOT_HOLD, "; ".join(failed)
    if not is_gate:
        return ExitCode.OK, f"no compared figure is withheld{unsure}"
    return ExitCode.OK, f"no arm is told to be worse than the baseline{unsure}"


def _first(names: Sequence[str]) -> str:
    more = f" and {len(names) - NAMED_AT_MOST} more" if len(names) > NAMED_AT_MOST else ""
    return f"{', '.join(names[:NAMED_AT_MOST])}{more}"
