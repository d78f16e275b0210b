"""`loadstone systems`: what there is, and what of it can run here."""

from typing import Annotated

import typer
from rich import box
from rich.table import Table

from loadstone.cli.app import output


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("systems", short_help="List systems, stacks and runtimes")(systems)


def systems(
    system: Annotated[
        str | None, typer.Argument(metavar="SYSTEM", help="Only this system", show_default="all")
    ] = None,
) -> None:
    """List systems, services, stacks and runtimes: available here, or why not.

    Example: loadstone systems mediation
    """
    from loadstone.study.availability import availability
    from loadstone.study.catalogue import open_catalogue

    catalogue = open_catalogue()
    for name in [system] if system else catalogue.systems():
        found = catalogue.system(name)
        output().print(f"{name}: {found.title}", markup=False)
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        for heading in ("service", "stack", "framework", "runtime"):
            table.add_column(heading, no_wrap=True)
        table.add_column("legs", overflow="fold")
        table.add_column("here", overflow="fold", ratio=1)
        stacks = [(each, stack) for each in found.names for stack in catalogue.stacks(name, each)]
        for service, stack in stacks:
            for runtime_name in stack.runtimes:
                runtime = catalogue.runtime(runtime_name)
                state = availability(runtime)
                here = state.version or f"no: {state.reason}. {runtime.install}"
                legs = ", ".join(
                    f"{leg} {'/'.join(stack.protocols[leg])}" for leg in stack.protocols
                )
                table.add_row(
                    service,
                    stack.stack,
                    f"{stack.framework} ({stack.language})",
                    runtime_name,
                    legs,
                    here,
                )
        output().print(table)
        output().print(
            "dependencies: "
            + ", ".join(f"{each} ({kind})" for each, kind in found.dependencies.items())
            + f"\nworkloads: {', '.join(catalogue.workloads(name))}"
        )
