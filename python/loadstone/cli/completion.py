"""What a shell offers behind a TAB: studies, systems, stacks, arms, folders of results, codes.

Typer asks these functions once `loadstone --install-completion` has told the shell. They read names and
start nothing. Where nothing is found the shell offers files.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from loadstone.study.systems.catalogue import Catalogue


def complete_studies(ctx: typer.Context, incomplete: str) -> list[str]:
    """Names of the studies of the roots."""
    return _beginning(incomplete, lambda: _catalogue(ctx).studies())


def complete_systems(ctx: typer.Context, incomplete: str) -> list[str]:
    """Names of the systems of the roots."""
    return _beginning(incomplete, lambda: _catalogue(ctx).systems())


def complete_stacks(ctx: typer.Context, incomplete: str) -> list[str]:
    """Names of the stacks of the system that was typed, behind their service where it has several."""

    def known() -> Iterator[str]:
        catalogue = _catalogue(ctx)
        system = catalogue.system(_typed_before(ctx, "system"))
        for service in system.names:
            for stack in catalogue.stack_names(system.system, service):
                yield stack if len(system.names) == 1 else f"{service}/{stack}"

    return _beginning(incomplete, known)


def complete_arms(ctx: typer.Context, incomplete: str) -> list[str]:
    """Ids of the arms of the results folder that was typed."""

    def known() -> Iterator[str]:
        from loadstone.results import folder

        plan = Path(_typed_before(ctx, "results")) / folder.PLAN
        return (arm["id"] for arm in json.loads(plan.read_text(encoding="utf-8"))["arms"])

    return _beginning(incomplete, known)


def complete_results(incomplete: str) -> list[str]:
    """Results folders: in the folder that was typed; else here, and in `results/`."""

    def known() -> Iterator[str]:
        from loadstone.results import folder

        return _folders_with(incomplete, folder.PLAN)

    return _beginning(incomplete, known)


def complete_results_and_runs(incomplete: str) -> list[str]:
    """The same, and folders of single runs."""

    def known() -> Iterator[str]:
        from loadstone.results import folder

        yield from _folders_with(incomplete, folder.PLAN)
        yield from _folders_with(incomplete, folder.RECORD)

    return _beginning(incomplete, known)


def complete_explained(incomplete: str) -> list[str]:
    """Codes of findings, and outcomes."""

    def known() -> Iterable[str]:
        from loadstone.explained.catalogue import names

        return names()

    return _beginning(incomplete, known)


def _beginning(incomplete: str, known: Callable[[], Iterable[str]]) -> list[str]:
    """Those that begin as was typed. A shell has no place for what is wrong with a file."""
    try:
        return [each for each in known() if each.startswith(incomplete)]
    except Exception:
        return []


def _catalogue(ctx: typer.Context) -> "Catalogue":
    """The roots as the command will find them."""
    from loadstone.study.systems.catalogue import open_catalogue

    return open_catalogue(named=ctx.params.get("root"))


def _typed_before(ctx: typer.Context, argument: str) -> str:
    """The first word of the command. Behind an option without its value it is not yet an argument."""
    found = ctx.params.get(argument)
    return str(found) if found else ctx.args[0]


def _folders_with(incomplete: str, file: str) -> Iterator[str]:
    place = incomplete[: incomplete.rfind("/") + 1]
    for parent in (place,) if place else ("", "results/"):
        for path in sorted(Path(parent or ".").glob(f"*/{file}")):
            yield f"{parent}{path.parent.name}"
