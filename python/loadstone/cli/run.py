"""`loadstone run`: measure a study."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from loadstone.cli.app import messages, output, say_line, sweep_leftovers
from loadstone.cli.completion import complete_studies
from loadstone.cli.root import ResultsParent, RootOption, opened_catalogue, results_parent
from loadstone.cli.where import THIS_MACHINE, Where
from loadstone.errors import InputError, Interrupted, RecordsUnwritable, Unavailable

if TYPE_CHECKING:
    from loadstone.study.design.resolve import ResolvedPlan
    from loadstone.study.systems.catalogue import Catalogue
    from loadstone.study.values.manifest import System


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("run", short_help="Measure a study")(run)


def run(
    study: Annotated[
        str,
        typer.Argument(
            metavar="STUDY",
            help="A study's file, or the name of one in studies/",
            autocompletion=complete_studies,
        ),
    ],
    profile: Annotated[
        str | None, typer.Option(metavar="NAME", help="Shorten the study by one of its profiles")
    ] = None,
    dry_run: Annotated[
        bool,
        typer.Option(
            "--dry-run", help="Print arms, order, hours, disk and sessions; start nothing"
        ),
    ] = False,
    resume: Annotated[
        bool,
        typer.Option("--resume", help="Go on with the newest unfinished results of this study"),
    ] = False,
    out: ResultsParent = None,
    root: RootOption = None,
    machines: Annotated[
        Path | None,
        typer.Option(
            "--machines",
            metavar="FILE",
            help="Measure on the machines of a cluster that this file names, side by side",
        ),
    ] = None,
    here: Annotated[
        bool,
        typer.Option("--here", hidden=True, help="Let labs of this machine stand for --machines"),
    ] = False,
    simulation: Annotated[
        Path | None,
        typer.Option(
            "--simulate",
            metavar="FILE",
            hidden=True,  # for tests of what comes after a measurement; nobody is to take it for one
            help="Make every run up from a file of behaviours by arm; start and load nothing",
        ),
    ] = None,
) -> None:
    """Measure a study: every arm under every workload, in randomised blocks.

    Keeps every finished run on Ctrl-C; --resume goes on from there.

    Exit code: 0 every figure that is asked for stands, 1 a run failed or a figure that is asked
    for is withheld, 2 it could not run.

    Example: loadstone run studies/quickstart.yaml --profile smoke
    """
    from loadstone.report.terminal.checkouts import checkout_lines
    from loadstone.study.design.resolve import resolve_plan

    catalogue = opened_catalogue(root, study)
    resolved = resolve_plan(study_path(study, catalogue), catalogue, profile)
    where = Where(root, machines, simulation, here)
    for line in checkout_lines(resolved.stacks):
        say_line(line)
    if dry_run:
        from loadstone.report.terminal.dry_run import print_plan

        print_plan(output(), resolved.plan, resolved.system.workloads, where.sites())
        _say_what_is_missing(resolved.system)
        return
    sweep_leftovers()
    parent = results_parent(out, catalogue)
    raise typer.Exit(run_and_report(resolved, parent, resume=resume, where=where))


def _say_what_is_missing(system: "System") -> None:
    """Say that a study cannot be run here, for want of a server: its plan can be read all the same."""
    from loadstone.deploy.dependencies.registry import require_servers

    try:
        require_servers(system)
    except Unavailable as missing:
        messages().print(
            f"it cannot be run here: {missing.message}. {missing.remedy}",
            markup=False,
            soft_wrap=True,
        )


def study_path(text: str, catalogue: "Catalogue") -> Path:
    """Return the file of a study given by path or by name. Raises InputError."""
    if Path(text).is_file():
        return Path(text)
    if text in catalogue.studies():
        return catalogue.study(text)
    known = ", ".join(catalogue.studies())
    raise InputError(
        f"there is no such study; by name it was looked for in {catalogue.places}",
        path=Path(text),
        remedy=f"give a file, or one of: {known}",
    )


def run_and_report(
    resolved: "ResolvedPlan", out: Path, *, resume: bool, where: Where = THIS_MACHINE
) -> int:
    """Run a plan, analyse it, write its report, print its result; return the exit code."""
    from loadstone.analysis.compare.look import take_look
    from loadstone.cli.conclude import conclude
    from loadstone.cli.live import LiveProgress
    from loadstone.measure.execute import execute
    from loadstone.measure.resume import new_results_folder, unfinished_results
    from loadstone.results import folder
    from loadstone.results.write import writing

    plan = resolved.plan
    results = unfinished_results(out, plan) if resume else new_results_folder(out, plan.study)
    console = messages()
    try:
        with (
            LiveProgress(console, len(where.sites()) or 1) as progress,
            writing(results),
            where.site(resolved, results) as site,
        ):
            execute(resolved, site, results, progress, take_look, resume=resume)
    except (Interrupted, RecordsUnwritable) as stop:
        if not (results / folder.PLAN).is_file():
            raise
        options = f" --profile {plan.profile}" if plan.profile else ""
        options += where.options
        first = f"{stop.remedy}; then " if stop.remedy else ""
        raise type(stop)(
            f"{stop.message}; finished runs are kept",
            f"{first}go on with: loadstone run {resolved.path}{options} --out {out} --resume",
        ) from stop
    finally:
        if results.is_dir():
            console.print(f"records: {results}", markup=False, soft_wrap=True)
    try:
        return conclude(results)
    except RecordsUnwritable as full:
        raise RecordsUnwritable(
            f"{full.message}; every run is kept",
            f"{full.remedy}; then: loadstone report {results}",
        ) from full
