"""The application object that every command file adds itself to, and what all commands share."""

from typing import Annotated

import typer
from rich.console import Console

from loadstone import __version__
from loadstone.deploy import leftovers

app = typer.Typer(
    name="loadstone",
    help="Tell which stack an API should run on, with evidence.\n\nExample: loadstone quickstart",
    no_args_is_help=True,
    add_completion=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _print_version(asked: bool) -> None:
    if asked:
        typer.echo(f"loadstone {__version__}")
        raise typer.Exit


@app.callback()
def main_options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version"),
    ] = False,
) -> None:
    """Tell which stack an API should run on, with evidence.

    Example: loadstone quickstart
    """


def output() -> Console:
    """Return the console for data: standard output."""
    return Console(highlight=False, soft_wrap=False)


def messages() -> Console:
    """Return the console for progress and logs: standard error."""
    return Console(stderr=True, highlight=False)


def say_line(text: str) -> None:
    """Print a line on standard error as it is, however long."""
    messages().print(text, markup=False, soft_wrap=True)


def sweep_leftovers() -> None:
    """Remove what killed labs left, and say so in one line. Every command that starts processes
    calls it first.
    """
    removed = leftovers.sweep()
    if removed is not None:
        say_line(f"removed what a killed lab left: {removed}")
