"""`loadstone audit`: the findings of stored or foreign results."""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from loadstone.cli.app import messages, output
from loadstone.cli.completion import complete_results_and_runs
from loadstone.cli.reading import reading_study
from loadstone.errors import ExitCode


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("audit", short_help="Tell the reasons to doubt stored results")(audit)


def audit(
    paths: Annotated[
        list[Path],
        typer.Argument(
            metavar="PATH...",
            help="Results folders, folders of runs, or what `import` wrote",
            autocompletion=complete_results_and_runs,
        ),
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print the findings as JSON")] = False,
) -> None:
    """Tell the reasons to doubt stored results: of a study, of a run, or imported from another tool.

    A figure that cannot stand is withheld, with the reason in its place. Reads records only.

    Exit code: 0 no figure is withheld, 1 one is, 2 the results cannot be read.

    Example: loadstone audit results/quickstart-20260101T120000Z imported
    """
    from loadstone.analysis.audited_results import read_and_audit
    from loadstone.report.terminal.audit import print_audited

    found = []
    for path in paths:
        with reading_study(messages()) as progress:
            read = [*read_and_audit(path, progress.on_read)]
        for each in read:
            found.append(each)
            if not as_json:
                if len(found) > 1:
                    output().print()
                print_audited(output(), each)
    if as_json:
        listed = [
            {
                "path": str(each.directory),
                "name": each.name,
                "withheld": each.withheld,
                "findings": [finding.model_dump(mode="json") for finding in each.findings],
            }
            for each in found
        ]
        sys.stdout.write(json.dumps(listed, indent=1, ensure_ascii=False) + "\n")
    withheld = any(each.withheld for each in found)
    raise typer.Exit(ExitCode.DOES_NOT_HOLD if withheld else ExitCode.OK)
