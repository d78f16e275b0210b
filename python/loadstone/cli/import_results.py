"""`loadstone import`: results of other tools as runs that `audit` reads."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from loadstone.cli.app import messages, output
from loadstone.errors import ExitCode


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("import", short_help="Import results of another tool")(import_results)


def import_results(
    tool: Annotated[str, typer.Argument(metavar="FORMAT", help="What wrote the files: k6")],
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="Its files, plain or gzip")
    ],
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="Write a folder for each file into this one")
    ],
    arrivals: Annotated[
        Literal["users", "rate"] | None,
        typer.Option(
            help="Whether users were closed, or came at a rate (k6's arrival-rate executors)",
            show_default="users, where the file does not show a rate",
        ),
    ] = None,
    warm_up: Annotated[
        str | None,
        typer.Option(
            metavar="TIME",
            help="Leave the first part of the load out of the window, such as 30s",
            show_default="none",
        ),
    ] = None,
) -> None:
    """Import results of another tool as runs: one file, one run.

    FORMAT k6 is the CSV of `k6 run --out csv=FILE`. What a file cannot tell is absent from the run
    with the reason, and never made up.

    Exit code: 0 all files are imported, 2 one cannot be.

    Example: loadstone import k6 results.csv.gz --out imported
    """
    from loadstone.cli import bench_words
    from loadstone.cli.reading import reading
    from loadstone.importers.import_file import import_file, run_folders
    from loadstone.importers.registry import format_of
    from loadstone.report.terminal.imported_line import imported_line

    format_of(tool)
    warm_up_ns = 0 if warm_up is None else bench_words.duration_ns("--warm-up", warm_up)
    for path, directory in run_folders(files, out).items():
        with reading(messages(), path.name) as on_progress:
            record = import_file(
                tool,
                path,
                directory,
                arrivals=arrivals,
                warm_up_ns=warm_up_ns,
                on_progress=on_progress,
            )
        output().print(imported_line(directory, record), markup=False, soft_wrap=True)
    raise typer.Exit(ExitCode.OK)
