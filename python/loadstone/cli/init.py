"""`loadstone init`: describe the API of a project."""

import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from loadstone.cli.app import output
from loadstone.errors import InputError


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("init", short_help="Describe an API of your own, in any folder")(init)


def init(
    openapi: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="An OpenAPI document, 3.0 or 3.1, in JSON or YAML; or the http:// URL of one",
        ),
    ] = None,
    har: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A recording of a browser or a proxy: one session"),
    ] = None,
    url: Annotated[
        str | None,
        typer.Option(metavar="URL", help="One request: the URL is got once, so that it is known"),
    ] = None,
    command: Annotated[
        str | None,
        typer.Option(
            metavar="COMMAND",
            help="How the service starts; it listens on 127.0.0.1:$PORT",
            show_default="as the project's files say",
        ),
    ] = None,
    process: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="Which of several: of a Procfile, of cmd/, of a manifest"
        ),
    ] = None,
    writes: Annotated[
        bool,
        typer.Option("--writes", help="With --openapi: also requests that change data"),
    ] = False,
    dependency: Annotated[
        Literal["postgres", "mariadb"] | None,
        typer.Option(help="A database that the lab starts for each run", show_default="none"),
    ] = None,
    allow_target: Annotated[
        list[str] | None,
        typer.Option("--allow-target", metavar="HOST", help="With a URL: a host that is yours"),
    ] = None,
) -> None:
    """Describe an API of your own: write the folder loadstone/ with a system, a stack, sessions, checks
    and a study.

    Nothing is overwritten, and nothing is started. Secrets of a recording are never written: a variable
    of the environment stands in the place of each.

    Exit code: 0 it is written, 2 it is not.

    Example: loadstone init --openapi openapi.yaml
    """
    from loadstone.describe.fetched_document import is_url
    from loadstone.describe.init import Asked, init_project
    from loadstone.report.terminal.made_files import print_made

    asked = Asked(
        openapi=None if openapi is None or is_url(openapi) else Path(openapi),
        openapi_url=openapi if openapi is not None and is_url(openapi) else None,
        har=har,
        url=url,
        command=command,
        process=process,
        with_writes=writes,
        database=dependency,
        allowed=allow_target or (),
    )
    print_made(output(), init_project(_here(), asked, ask))


def _here() -> Path:
    try:
        return Path.cwd()
    except FileNotFoundError:
        raise InputError(
            "the folder that this was called in is gone", remedy="go to your project: cd PROJECT"
        ) from None


def ask(question: str, default: str | None) -> str | None:
    """Ask on the terminal; none where there is none."""
    if not sys.stdin.isatty():
        return None
    return str(typer.prompt(question, default=default, err=True))
