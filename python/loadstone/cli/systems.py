"""`loadstone systems`: what there is, and what of it can run here."""

from typing import TYPE_CHECKING, Annotated

import typer

from loadstone.cli.app import output
from loadstone.cli.completion import complete_systems
from loadstone.cli.root import RootOption
from loadstone.errors import Unavailable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from loadstone.study.systems.availability import Availability
    from loadstone.study.systems.catalogue import Catalogue
    from loadstone.study.values.manifest import Stack


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("systems", short_help="List systems, stacks and runtimes")(systems)


def systems(
    system: Annotated[
        str | None,
        typer.Argument(
            metavar="SYSTEM",
            help="Only this system",
            show_default="all",
            autocompletion=complete_systems,
        ),
    ] = None,
    root: RootOption = None,
) -> None:
    """List systems, services, stacks and runtimes: from where, and available here or why not.

    Example: loadstone systems mediation
    """
    from loadstone.cli.stack_matrix import (
        Missing,
        print_matrix,
        print_missing,
        print_scenarios,
        print_stacks,
        runtimes_of,
        version_of,
    )
    from loadstone.study.systems.availability import availabilities
    from loadstone.study.systems.catalogue import open_catalogue
    from loadstone.study.systems.origin_text import origin_text, roots_text
    from loadstone.study.systems.settings_text import settings_text

    catalogue, console = open_catalogue(named=root), output()
    found = [catalogue.system(name) for name in ([system] if system else catalogue.systems())]
    stacks = [{name: catalogue.stacks(each, name) for name in each.names} for each in found]
    used = runtimes_of(
        [stack for services in stacks for each in services.values() for stack in each]
    )
    others = [] if system else [name for name in catalogue.runtimes() if name not in used]
    states = availabilities(catalogue.runtime(name) for name in (*used, *others))
    missing = [
        Missing(name, state.reason, catalogue.runtime(name).install)
        for name, state in states.items()
        if state.reason is not None
    ]
    console.print(f"roots: {roots_text(catalogue)}\n", markup=False)
    for each, services in zip(found, stacks, strict=True):
        console.print(f"{each.system}: {each.title}", markup=False, style="bold")
        origin = origin_text(catalogue, "system", each.system)
        console.print(f"from: {origin}", markup=False)
        for service, its_stacks in services.items():
            beside = " (on the bench)" if service in each.bench_services else ""
            print_stacks(console, f"{service}{beside}", its_stacks)
            if each.scenarios and service == each.entry:
                print_scenarios(console, each.scenarios, its_stacks)
            unbuilt = _without_build_tool(its_stacks, states, catalogue)
            print_matrix(console, its_stacks, states, unbuilt)
            missing += {
                stack: Missing(stack, error.message, error.remedy or "")
                for (stack, _), error in unbuilt.items()
            }.values()
        dependencies = (f"{name} ({kind})" for name, kind in each.dependencies.items())
        console.print(f"dependencies: {', '.join(dependencies)}", markup=False)
        if each.settings:
            console.print(f"settings: {settings_text(each)}", markup=False)
        console.print(f"workloads: {', '.join(catalogue.workloads(each.system))}\n", markup=False)
    if here := [f"{name} {version_of(states[name])}" for name in others if states[name].version]:
        console.print(f"runtimes that no stack uses yet: {', '.join(here)}\n", markup=False)
    print_missing(console, missing)


def _without_build_tool(
    stacks: "tuple[Stack, ...]", states: "Mapping[str, Availability]", catalogue: "Catalogue"
) -> dict[tuple[str, str], Unavailable]:
    """Return, by stack and runtime, what cannot be built although its runtime is here."""
    from loadstone.study.systems.build_tool import require_build_tool

    found: dict[tuple[str, str], Unavailable] = {}
    for stack in stacks:
        for name in stack.runtimes:
            runtime = states[name].found(catalogue.runtime(name))
            if runtime is not None:
                try:
                    require_build_tool(stack, runtime)
                except Unavailable as error:
                    found[stack.stack, name] = error
    return found
