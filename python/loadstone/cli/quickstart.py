"""`loadstone quickstart`: a first verdict in minutes."""

import typer

from loadstone.cli.app import messages, sweep_leftovers
from loadstone.cli.root import ResultsParent, RootOption, opened_catalogue, results_parent
from loadstone.cli.run import run_and_report
from loadstone.cli.where import Where


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("quickstart", short_help="Measure two real gateways: a first verdict")(quickstart)


def quickstart(out: ResultsParent = None, root: RootOption = None) -> None:
    """Measure two real gateways and say which is better, by how much, and how sure that is.

    Needs Go and Python, no database and no root. Runs from any folder, and takes about six minutes.

    Example: loadstone quickstart
    """
    from loadstone.study.design.resolve import resolve_plan

    sweep_leftovers()
    catalogue = opened_catalogue(root)
    parent = results_parent(out, catalogue)
    messages().print(
        "Two gateways, Go and Python, are built, checked against one contract, and loaded in turn, "
        f"in random order. Results go to {parent.absolute()}.",
        markup=False,
        soft_wrap=True,
    )
    resolved = resolve_plan(catalogue.study("quickstart"), catalogue)
    raise typer.Exit(run_and_report(resolved, parent, resume=False, where=Where(root)))
