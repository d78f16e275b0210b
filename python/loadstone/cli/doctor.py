"""`loadstone doctor`: what can run here, how steady this machine is, what is missing and how to get
it.
"""

import sys
from typing import Annotated

import typer

from loadstone.cli.app import messages, output, sweep_leftovers
from loadstone.cli.root import RootOption
from loadstone.errors import ExitCode


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("doctor", short_help="Say what can run here, and how steadily")(doctor)


def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="Print facts and words as JSON")] = False,
    root: RootOption = None,
) -> None:
    """Say what can run here, how steady this machine is, and how to get what is missing.

    Takes some five seconds. Each line begins with a mark: ok; note, where figures suffer; missing,
    where whatever does without it works; needed, where quickstart cannot do without it.

    Exit code: 0 quickstart can run here, 2 it cannot.

    Examples:

      loadstone doctor

      loadstone doctor --json
    """
    from loadstone.doctor.diagnosis import diagnose
    from loadstone.doctor.examination import examine
    from loadstone.report.terminal.diagnosis import print_diagnosis
    from loadstone.study.systems.catalogue import open_catalogue

    catalogue = open_catalogue(named=root)
    sweep_leftovers()
    # Plain lines: an animation would take its time from the CPUs that are probed.
    found = diagnose(examine(catalogue, lambda step: messages().print(f"{step} ...", style="dim")))
    if as_json:
        sys.stdout.write(found.model_dump_json(indent=1) + "\n")
    else:
        print_diagnosis(output(), found)
    raise typer.Exit(ExitCode.OK if found.can_run else ExitCode.COULD_NOT_RUN)
