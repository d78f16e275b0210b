"""`loadstone quickstart`: a first verdict in minutes."""

from pathlib import Path

import typer

from loadstone.cli.app import messages, sweep_leftovers
from loadstone.cli.run import ResultsParent, run_and_report


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("quickstart", short_help="Measure two real gateways: a first verdict")(quickstart)


def quickstart(out: ResultsParent = Path("results")) -> None:
    """Measure two real gateways and say which is better, by how much, and how sure that is.

    Needs Go and Node.js, no database and no root. Takes about five minutes once it is set up.

    Example: loadstone quickstart
    """
    from loadstone.study.design.resolve import resolve_plan
    from loadstone.study.systems.catalogue import open_catalogue

    sweep_leftovers()
    messages().print(
        "Two gateways, Go and Node.js, are built, checked against one contract, "
        "and loaded in turn, in random order."
    )
    catalogue = open_catalogue()
    path = catalogue.root / "studies" / "quickstart.yaml"
    raise typer.Exit(run_and_report(resolve_plan(path, catalogue), out, resume=False))
