"""`loadstone report`: rebuild everything that is shown from stored records."""

from pathlib import Path
from typing import Annotated

import typer

from loadstone.cli.apdex import ApdexOption, thresholds
from loadstone.cli.completion import complete_results


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("report", short_help="Rebuild the report from stored records")(report)


def report(
    results: Annotated[
        Path,
        typer.Argument(metavar="RESULTS", help="A results folder", autocompletion=complete_results),
    ],
    as_json: Annotated[
        bool, typer.Option("--json", help="Print analysis.json instead of the result in words")
    ] = False,
    with_images: Annotated[
        bool, typer.Option("--images", help="Write every chart as SVG and PNG into charts/ too")
    ] = False,
    apdex: ApdexOption = None,
) -> None:
    """Write one HTML file, and Markdown and CSV tables, from stored records.

    Reads records only, so it can be repeated at any time; needs no network, nor does its HTML file.

    Exit code: 0 every figure that is asked for stands, 1 a run failed or a figure that is asked
    for is withheld, 2 the results cannot be read.

    Example: loadstone report results/quickstart-20260101T120000Z
    """
    from loadstone.cli.conclude import conclude

    raise typer.Exit(conclude(results, thresholds(apdex), as_json=as_json, with_images=with_images))
