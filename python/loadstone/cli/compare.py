"""`loadstone compare`: verdicts from stored records, and a gate for continuous integration."""

from pathlib import Path
from typing import Annotated

import typer

from loadstone.cli.apdex import ApdexOption, thresholds
from loadstone.cli.app import output
from loadstone.errors import ExitCode


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("compare", short_help="Compare the arms of a stored study")(compare)


def compare(
    results: Annotated[Path, typer.Argument(metavar="RESULTS", help="A results folder")],
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
        typer.Option(metavar="ARM", help="Compare with this arm, and fail if another is worse"),
    ] = None,
    apdex: ApdexOption = None,
) -> None:
    """Compare the arms of a study: ratio, interval and verdict.

    Reads stored records only. "cannot tell" is an answer, and exit code 0.

    Exit code: 0 no arm is worse than --baseline, 1 one is or a figure that is compared is
    withheld, 2 the results cannot be read.

    Examples:

      loadstone compare results/quickstart-20260101T120000Z

      loadstone compare results/quickstart-20260101T120000Z --metric response_time.p99 --baseline go
    """
    from loadstone.analysis.compare import compare_results
    from loadstone.analysis.model import Verdict
    from loadstone.analysis.withholding import withholds
    from loadstone.report.terminal import print_comparisons

    comparisons, findings = compare_results(
        results, metric=metric, baseline=baseline, apdex=thresholds(apdex)
    )
    print_comparisons(output(), comparisons, findings)
    worse = baseline is not None and any(each.verdict is Verdict.WORSE for each in comparisons)
    withheld = any(withholds(finding, each) for finding in findings for each in comparisons)
    raise typer.Exit(ExitCode.DOES_NOT_HOLD if worse or withheld else ExitCode.OK)
