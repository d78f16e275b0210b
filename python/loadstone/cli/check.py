"""`loadstone check`: hold stacks against the contract of their system."""

from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from loadstone.cli.app import messages, output, sweep_leftovers
from loadstone.errors import ExitCode, StepFailed

if TYPE_CHECKING:
    from loadstone.contract.model import CheckResult
    from loadstone.study.catalogue import Catalogue
    from loadstone.study.manifest import Stack, System


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("check", short_help="Hold stacks against their contract")(check)


def check(
    system: Annotated[str, typer.Argument(metavar="SYSTEM", help="A system's name")],
    stack: Annotated[
        list[str] | None,
        typer.Option(
            "--stack", metavar="STACK", help="Only this stack; may be repeated", show_default="all"
        ),
    ] = None,
) -> None:
    """Build and start each stack, and hold it against every clause of the system's contract.

    Exit code: 0 all hold, 1 one does not, 2 it could not run, as when a stack that was named is
    unavailable.

    Example: loadstone check mediation --stack go
    """
    from loadstone.study.availability import availability
    from loadstone.study.catalogue import open_catalogue

    catalogue = open_catalogue()
    found = catalogue.system(system)
    service = found.service.service
    chosen = (
        tuple(catalogue.stack(system, service, name) for name in stack)
        if stack
        else catalogue.stacks(system, service)
    )
    sweep_leftovers()
    console, code = output(), ExitCode.OK
    for each in chosen:
        for runtime_name in each.runtimes:
            title = f"{each.stack}@{runtime_name}"
            state = availability(catalogue.runtime(runtime_name))
            if state.version is None:
                console.print(f"skipped  {title}: {state.reason}", markup=False)
                code = ExitCode.COULD_NOT_RUN if stack else code
            elif not _holds(console, title, found, each, state.version, catalogue):
                code = max(code, ExitCode.DOES_NOT_HOLD)
    raise typer.Exit(code)


def _holds(
    console: Console,
    title: str,
    system: "System",
    stack: "Stack",
    runtime_version: str,
    catalogue: "Catalogue",
) -> bool:
    from loadstone.contract.load import load_contract
    from loadstone.deploy import ownership
    from loadstone.deploy.build import build
    from loadstone.deploy.placement import available_cpus, place
    from loadstone.measure.prepare import hold

    contract = load_contract(system.directory / "contract")
    legs = {leg: protocols[0] for leg, protocols in stack.protocols.items()}
    with ownership.scratch_directory() as logs:
        try:
            messages().print(f"build {stack.stack}", markup=False)
            built = build(stack, runtime_version, catalogue.builds, logs / "build.log")
            messages().print(f"check {title}", markup=False)
            results = hold(system, stack, built, contract, legs, place(available_cpus()), logs)
        except StepFailed as failure:
            console.print(f"failed   {title}: {failure.message}", markup=False)
            for line in failure.log_tail.splitlines():
                console.print(f"    | {line}", markup=False)
            return False
    return _print_results(console, title, results)


def _print_results(console: Console, title: str, results: "tuple[CheckResult, ...]") -> bool:
    failed = [result for result in results if result.state == "failed"]
    clauses = {result.clause for result in results}
    console.print(
        f"{'failed' if failed else 'holds':<8} {title}: "
        f"{len(results) - len(failed)} of {len(results)} checks of {len(clauses)} clauses",
        markup=False,
    )
    for result in failed:
        console.print(f"    {result.clause}  {result.title}: {result.message}", markup=False)
    return not failed
