"""A whole study: prepare, then every block of the plan, up to each look and behind it.

Nothing here reads figures: an adaptive study is told by its caller whether it ends at a look. A study
that ends early leaves complete run folders and can be resumed.
"""

import shutil
from collections.abc import Callable, Collection
from pathlib import Path

from loadstone.errors import LoadstoneError
from loadstone.measure.progress import Progress
from loadstone.measure.resume import refuse_another_study, unfinished_runs
from loadstone.measure.site import Block, Site
from loadstone.measure.told import Step
from loadstone.results import folder
from loadstone.results.environment import Environment
from loadstone.results.looks import Look, Looks, kept, needed_until, runs_needed, stopped_after
from loadstone.results.read import read_looks
from loadstone.results.write import write_text
from loadstone.study.design.order import runs_by_block
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
    with site.prepare(arms, results, progress.told) as run_blocks:
        run_blocks(_blocks(plan, remaining))
        while len(looks) < len(plan.looks) and stopped_after(looks) is None:
            block = plan.looks[len(looks)]
            progress.told(Step(text=f"looking at the first {block} blocks"))
            looks = (*looks, take_look(results, block))
            write_text(results / folder.LOOKS, Looks(looks=looks).model_dump_json(indent=1))
            remaining = _remaining(plan, looks, unfinished_runs(results, plan))
            progress.look_taken(looks[-1], remaining, needed_until(plan, looks))
            run_blocks(_blocks(plan, remaining))


def _blocks(plan: Plan, remaining: Collection[PlannedRun]) -> list[Block]:
    """Return the blocks that have a run among those that remain."""
    left = {run.id for run in remaining}
    blocks = [
        Block(number, runs, tuple(run for run in runs if run.id in left))
        for number, runs in enumerate(runs_by_block(plan), start=1)
    ]
    return [block for block in blocks if block.left]


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
