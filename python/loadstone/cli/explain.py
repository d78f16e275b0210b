"""`loadstone explain`: what a finding or an outcome means, why it matters, and what to do."""

from typing import Annotated

import typer

from loadstone.cli.app import output
from loadstone.cli.completion import complete_explained
from loadstone.errors import InputError


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("explain", short_help="Explain a finding or an outcome")(explain)


def explain(
    code: Annotated[
        str | None,
        typer.Argument(
            metavar="CODE",
            help="Code of a finding, or an outcome of a request, a run or a question",
            show_default="list all",
            autocompletion=complete_explained,
        ),
    ] = None,
) -> None:
    """Explain a code or an outcome: what it means, why it matters, from where on it is told, and what
    to do. Without one all are listed.

    Exit code: 0 it is explained, 2 it is not known.

    Examples:

      loadstone explain littles-law

      loadstone explain cannot-tell
    """
    from loadstone.explained.catalogue import SECTIONS, explained, names, typed
    from loadstone.report.terminal.explained import print_explained, print_names
    from loadstone.text.quoted import nearest, shortened

    if code is None:
        print_names(output(), SECTIONS)
        return
    found = explained(code)
    if not found:
        near = nearest(typed(code), names())
        meant = f"did you mean {' or '.join(near)}? " if near else ""
        raise InputError(
            f"unknown code {shortened(code)!r}",
            remedy=f"{meant}`loadstone explain` lists all",
        )
    print_explained(output(), found)
