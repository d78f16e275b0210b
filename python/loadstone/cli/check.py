"""`loadstone check`: hold stacks against the contract of their system."""

from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from loadstone.cli.app import messages, output, sweep_leftovers
from loadstone.cli.heartbeat import heartbeat
from loadstone.errors import ExitCode, StepFailed, Unavailable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from loadstone.contract.model import CheckResult, Contract
    from loadstone.measure.prepared import Prepared
    from loadstone.measure.stack_sources import StackSource
    from loadstone.study.systems.catalogue import Catalogue
    from loadstone.study.values.manifest import Deviation, System
    from loadstone.study.values.model import Protocol


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("check", short_help="Hold stacks against their contract")(check)


def check(
    system: Annotated[str, typer.Argument(metavar="SYSTEM", help="A system's name")],
    stack: Annotated[
        list[str] | None,
        typer.Option(
            "--stack",
            metavar="STACK",
            help="Only this stack, or SERVICE/STACK; may be repeated",
            show_default="all",
        ),
    ] = None,
) -> None:
    """Build and start each stack, and hold it against every clause of the system's contract, over the
    legs of every scenario that it has.

    Where a system has several services, the first stack that can run here stands for each other one.

    Exit code: 0 all hold, 1 one does not, 2 it could not run, as when no runtime of a stack that was
    named is here.

    Example: loadstone check mediation --stack go
    """
    from loadstone.measure.chosen_stacks import chosen_stacks, with_partners
    from loadstone.measure.stack_sources import found_source
    from loadstone.study.systems.catalogue import open_catalogue

    catalogue = open_catalogue()
    found = catalogue.system(system)
    chosen = chosen_stacks(catalogue, found, stack or [])
    sweep_leftovers()
    console, code = output(), ExitCode.OK
    for service, each in chosen:
        is_here = False
        for runtime_name in each.runtimes:
            title = f"{each.stack}@{runtime_name}"
            if len(found.services) > 1:
                title = f"{service}/{title}"
            try:
                source = found_source(catalogue, each, runtime_name)
                sources = with_partners(catalogue, found, service, source)
            except Unavailable as error:
                console.print(f"skipped  {title}: {error.message}", markup=False)
                continue
            is_here = True
            if not _holds(console, title, found, sources, catalogue):
                code = max(code, ExitCode.DOES_NOT_HOLD)
        if stack and not is_here:
            code = ExitCode.COULD_NOT_RUN
    raise typer.Exit(code)


def _holds(
    console: Console,
    title: str,
    system: "System",
    sources: "Mapping[str, StackSource]",
    catalogue: "Catalogue",
) -> bool:
    """Whether the contract holds over all legs of the scenarios that these stacks have.

    After one over which they do not stand the others are left out: a start that fails takes a minute.
    """
    from loadstone.contract.load import load_contract
    from loadstone.machine import ownership
    from loadstone.measure.chosen_stacks import legs_to_hold
    from loadstone.measure.preparation import build_stack

    contract = load_contract(system.directory / "contract")
    with ownership.scratch_directory() as logs:
        try:
            legs = legs_to_hold(system, [source.stack for source in sources.values()])
            parts = {}
            for service, source in sources.items():
                with _step(f"build {source.stack.stack} for {title}"):
                    log_path = logs / f"build-{service}.log"
                    parts[service] = build_stack(source, catalogue.builds, log_path)
        except StepFailed as failure:
            return _print_failure(console, title, failure)
        held: list[bool] = []
        for number, each in enumerate(legs, start=1):
            named = f"{title} {' -> '.join(each.values())}"
            try:
                held.append(_holds_over(console, named, system, parts, contract, each, logs))
            except StepFailed as failure:
                left = len(legs) - number
                if left:
                    console.print(f"skipped  {title}: {left} further pairs of legs", markup=False)
                return _print_failure(console, named, failure)
    return all(held)


def _holds_over(
    console: Console,
    title: str,
    system: "System",
    parts: "Mapping[str, Prepared]",
    contract: "Contract",
    legs: "Mapping[str, Protocol]",
    logs: "Path",
) -> bool:
    from loadstone.deploy.confinement.choose import choose, own_groups_here
    from loadstone.deploy.deployment import Conditions
    from loadstone.deploy.placement import available_cores, place
    from loadstone.measure.prepared import deviations_of
    from loadstone.measure.train import is_untrained, train
    from loadstone.measure.whole_contract import hold

    conditions = Conditions(
        legs=legs,
        limits={},
        placement=place(available_cores()),
        confine=choose(own_groups_here()).confine,
        logs=logs / "-".join(legs.values()),
    )
    if any(is_untrained(each) for each in parts.values()):
        with _step(f"train {title}"):
            parts = train(system, parts, contract, conditions.with_logs("train"))
    with _step(f"check {title}"):
        results = hold(system, parts, contract, conditions)
    return _print_results(console, title, results, deviations_of(parts, legs))


def _print_failure(console: Console, title: str, failure: StepFailed) -> bool:
    console.print(f"failed   {title}: {failure.message}", markup=False)
    for line in failure.log_tail.splitlines():
        console.print(f"    | {line}", markup=False)
    return False


def _step(text: str) -> AbstractContextManager[None]:
    """Say what begins, and again and again how long it has lasted."""

    def say(line: str) -> None:
        messages().print(line, markup=False)

    say(text)
    return heartbeat(text, say)


def _print_results(
    console: Console,
    title: str,
    results: "tuple[CheckResult, ...]",
    deviations: "Sequence[Deviation]",
) -> bool:
    """Print what holds; a declared deviation that no check meets is one that must be taken out."""
    failed = [result for result in results if result.state == "failed"]
    deviating = [result for result in results if result.state == "deviates"]
    met = {result.clause for result in deviating}
    needless = [each for each in deviations if each.clause not in met]
    clauses = {result.clause for result in results}
    holding = len(results) - len(failed) - len(deviating)
    console.print(
        f"{'failed' if failed or needless else 'holds':<8} {title}: "
        f"{holding} of {len(results)} checks of {len(clauses)} clauses",
        markup=False,
    )
    for result in failed:
        console.print(f"    {result.clause}  {result.title}: {result.message}", markup=False)
    for each in deviations:
        if each in needless:
            console.print(
                f"    {each.clause}  is declared a deviation, and holds: take it out of the manifest",
                markup=False,
            )
        else:
            console.print(f"    {each.clause}  deviates as declared: {each.reason}", markup=False)
    return not failed and not needless
