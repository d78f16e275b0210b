"""A whole study: prepare, then every run in the plan's order, each finished before the next begins.

Nothing here reads figures: an adaptive study is told by its caller whether it ends at a look. A study
that ends early leaves complete run folders and can be resumed.
"""

import shutil
from collections.abc import Callable, Iterable
from pathlib import Path

from loadstone.errors import LoadstoneError
from loadstone.measure.progress import Progress
from loadstone.measure.resume import refuse_another_study, unfinished_runs
from loadstone.measure.site import MeasureRun, Site
from loadstone.results import folder
from loadstone.results.environment import Environment
from loadstone.results.looks import Look, Looks, kept, needed_until, runs_needed, stopped_after
from loadstone.results.read import read_looks
from loadstone.results.write import write_text
from loadstone.study.design.resolve import ResolvedPlan
from loadstone.study.values.model import Plan, PlannedRun

TakeLook = Callable[[Path, int], Look]
"""Looks at a results folder whose runs up to a block are done."""


def execute(
    resolved: ResolvedPlan,
    site: Site,
    results: Path,
    progress: Progress,
    take_look: TakeLook,
    *,
    resume: bool,
) -> None:
    """Do every run of a plan at a site that is needed and has no finished record yet.

    Raises LoadstoneError when a resumed study changed, Interrupted on a signal.
    """
    plan, environment = resolved.plan, site.environment
    if resume:
        refuse_another_study(results, plan, environment)
    else:
        _begin(results, resolved, environment)
    unfinished = unfinished_runs(results, plan)
    looks = kept(plan, read_looks(results, plan), unfinished)
    remaining = _remaining(plan, looks, unfinished)
    progress.plan_began(plan, remaining, needed_until(plan, looks))
    # Whether a study goes on behind a look is not known yet, but each block has the same arms.
    needed = {run.arm for run in plan.runs if run.id in unfinished and stopped_after(looks) is None}
    arms = [arm for arm in plan.arms if arm.id in needed]
    with site.prepare(arms, results / folder.LOGS, progress.step) as measure_run:
        _measure(measure_run, results, progress, remaining)
        while len(looks) < len(plan.looks) and stopped_after(looks) is None:
            block = plan.looks[len(looks)]
            progress.step(f"looking at the first {block} blocks")
            looks = (*looks, take_look(results, block))
            write_text(results / folder.LOOKS, Looks(looks=looks).model_dump_json(indent=1))
            remaining = _remaining(plan, looks, unfinished_runs(results, plan))
            progress.look_taken(looks[-1], remaining, needed_until(plan, looks))
            _measure(measure_run, results, progress, remaining)


def _measure(
    measure_run: MeasureRun, results: Path, progress: Progress, remaining: Iterable[PlannedRun]
) -> None:
    for planned in remaining:
        progress.run_began(planned)
        directory = results / folder.RUNS / planned.id
        shutil.rmtree(directory, ignore_errors=True)  # an interrupted attempt at the same run
        record = measure_run(planned, directory, progress.load_progress)
        progress.run_ended(planned, record)


def _begin(results: Path, resolved: ResolvedPlan, environment: Environment) -> None:
    if results.exists():
        raise LoadstoneError(f"{results} exists already", "choose another folder, or use --resume")
    (results / folder.RUNS).mkdir(parents=True)
    shutil.copyfile(resolved.path, results / folder.STUDY)
    write_text(results / folder.PLAN, resolved.plan.model_dump_json(indent=1))
    write_text(results / folder.ENVIRONMENT, environment.model_dump_json(indent=1))
    if resolved.published is not None:
        write_text(results / folder.PUBLISHED, resolved.published.model_dump_json(indent=1))


def _remaining(plan: Plan, looks: tuple[Look, ...], unfinished: set[str]) -> list[PlannedRun]:
    """Return the runs to do before the next look, or before the end."""
    return [planned for planned in runs_needed(plan, looks) if planned.id in unfinished]
