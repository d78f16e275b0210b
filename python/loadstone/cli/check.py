"""`loadstone check`: hold stacks against the contract of their system."""

from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from loadstone.cli.app import messages, output, sweep_leftovers
from loadstone.errors import ExitCode, StepFailed, Unavailable

if TYPE_CHECKING:
    from loadstone.contract.model import CheckResult
    from loadstone.study.catalogue import Catalogue
    from loadstone.study.launch import FoundRuntime
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

    Exit code: 0 all hold, 1 one does not, 2 it could not run, as when no runtime of a stack that was
    named is here.

    Example: loadstone check mediation --stack go
    """
    from loadstone.study.availability import require_runtime
    from loadstone.study.build_tool import require_build_tool
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
        is_here = False
        for runtime_name in each.runtimes:
            title = f"{each.stack}@{runtime_name}"
            try:
                runtime = require_runtime(catalogue.runtime(runtime_name))
                require_build_tool(each, runtime)
            except Unavailable as error:
                console.print(f"skipped  {title}: {error.message}", markup=False)
                continue
            is_here = True
            if not _holds(console, title, found, each, runtime, catalogue):
                code = max(code, ExitCode.DOES_NOT_HOLD)
        if stack and not is_here:
            code = ExitCode.COULD_NOT_RUN
    raise typer.Exit(code)


def _holds(
    console: Console,
    title: str,
    system: "System",
    stack: "Stack",
    runtime: "FoundRuntime",
    catalogue: "Catalogue",
) -> bool:
    from loadstone.contract.load import load_contract
    from loadstone.deploy import ownership
    from loadstone.deploy.confinement.choose import choose, own_groups_here
    from loadstone.deploy.deployment import Launch
    from loadstone.deploy.placement import available_cores, place
    from loadstone.measure.prepare import hold
    from loadstone.measure.train import build_and_train
    from loadstone.study.model import Limits

    contract = load_contract(system.directory / "contract")
    legs = {leg: protocols[0] for leg, protocols in stack.protocols.items()}
    cpus, confine = place(available_cores()).service, choose(own_groups_here()).confine
    with ownership.scratch_directory() as logs:
        try:
            built = build_and_train(
                system,
                stack,
                runtime,
                contract,
                legs,
                cpus=cpus,
                limits=Limits(),
                confine=confine,
                cache=catalogue.builds,
                logs=logs,
                say=lambda step: messages().print(f"{step} {title}", markup=False),
            )
            messages().print(f"check {title}", markup=False)
            results = hold(
                system,
                Launch(runtime.run_command(stack), built.directory, runtime),
                contract,
                legs,
                cpus=cpus,
                limits=Limits(),
                confine=confine,
                logs=logs,
            )
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
