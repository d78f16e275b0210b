"""Compares the arms of one results folder with those of another: the first folder is the baseline.

Runs of two studies share no block, so they are never paired: the test is Welch's, on logarithms.
Whatever differs between the two studies is part of the difference; `must_match.py` refuses the worst of
it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from loadstone.analysis.cells.cell import ExaminedCell
from loadstone.analysis.cells.examine import Examined, examine
from loadstone.analysis.cells.parallel_cells import OnRead, unseen
from loadstone.analysis.compare.compare_output import Compared
from loadstone.analysis.compare.comparisons import compare
from loadstone.analysis.compare.must_match import may_differ, must_match
from loadstone.analysis.compare.one_folder import (
    design_of,
    not_run_in,
    questions_of,
    refuse_simulated,
    unclaimed_in,
    withheld_in,
)
from loadstone.analysis.compare.question_results import cells_asked_about
from loadstone.analysis.figures.run_figures import USUAL_APDEX
from loadstone.analysis.model import ApdexThresholds
from loadstone.errors import InputError
from loadstone.findings.model import Finding
from loadstone.metrics.catalogue import compared_metric
from loadstone.results import folder
from loadstone.results.read import read_results
from loadstone.stats.comparison.adaptive import alpha_of
from loadstone.study.design.order import run_id
from loadstone.study.values.model import Arm, Question

NO_BLOCKS = (
    "different days are not blocks: what changed between the two studies, the machine's state too, "
    "stands in every difference; a study of both in shared blocks tells more"
)


@dataclass(frozen=True)
class _Side:
    """One folder."""

    path: Path
    name: str
    examined: Examined

    def arm(self, arm: str) -> str:
        """What an arm is called where two folders are compared."""
        return arm_of(arm, self.name)


def arm_of(arm: str, name: str) -> str:
    """What an arm of a folder is called where two folders are compared."""
    return f"{arm} of {name}"


def names_of(first: Path, second: Path) -> tuple[str, str]:
    """What two folders, or files, are called: by their paths where their names are the same."""
    names = first.resolve().name, second.resolve().name
    return names if names[0] != names[1] else (str(first), str(second))


def compare_folders(
    first: Path,
    second: Path,
    *,
    metric: str | None = None,
    apdex: ApdexThresholds = USUAL_APDEX,
    on_read: OnRead = unseen,
) -> Compared:
    """Compare each arm of the second folder with the same of the first, by the first one's questions.

    Where each folder has a single arm, the two are compared whatever they are called. `InputError` for
    an unknown metric, a fact that must match and does not, folders with nothing to compare, and those
    that cannot be read.
    """
    if metric is not None:
        compared_metric(metric)
    if first.resolve() == second.resolve():
        raise InputError(
            "both folders are the same", path=second, remedy="give two results folders"
        )
    names = names_of(first, second)
    results = read_results(first), read_results(second)
    plans = [each.plan for each in results]
    arms = shared_arms(plans[0].arms, plans[1].arms, first, second)
    workloads = [
        each.workload
        for each in plans[0].workloads
        if each.workload in {other.workload for other in plans[1].workloads}
    ]
    questions = _narrowed(questions_of(plans[0], metric), workloads)
    if not questions:
        raise InputError(
            f"no workload that {first} asks a question of is in both",
            path=second / folder.PLAN,
            remedy="compare results of the same study, or name a metric with --metric",
        )
    compared_workloads = list(dict.fromkeys(name for each in questions for name in each.workloads))
    differing = must_match(*results, compared_workloads, arms)
    if differing:
        listed = "".join(f"\n  {fact}" for fact in differing)
        raise InputError(
            f"cannot be compared with {first}, because these facts must match and do not:{listed}",
            path=second,
            remedy="measure one of them again under the conditions of the other",
        )
    sides = [
        _Side(path, name, examine(path, apdex, on_read))
        for path, name in zip((first, second), names, strict=True)
    ]
    for side in sides:
        refuse_simulated(side.examined, side.path)
    pairs = tuple((sides[0].arm(own.id), sides[1].arm(other.id)) for own, other in arms)
    columns = tuple(zip(sides, zip(*arms, strict=True), strict=True))
    cells = dict(
        cell for side, column in columns for cell in _cells(side, column, compared_workloads)
    )
    # The stricter of the two levels: an adaptive study ended where its own numbers let it.
    alpha = min(alpha_of(plan.looks) for plan in plans)
    found = [
        compare(question, pairs, cells_asked_about(question, cells), alpha, blocks=False)
        for question in questions
    ]
    comparisons = tuple(each for compared, _ in found for each in compared)
    return Compared(
        designs=tuple(design_of(side.examined, str(side.path)) for side in sides),
        comparisons=comparisons,
        rankings=(),
        findings=(
            *(
                each
                for side, column in columns
                for each in _findings(side, column, compared_workloads)
            ),
            *(each for _, raised in found for each in raised),
        ),
        withheld=withheld_in(comparisons, cells),
        unclaimed=unclaimed_in(comparisons, cells),
        not_run=not_run_in(comparisons, cells),
        warnings=(
            NO_BLOCKS,
            *(f"differs: {fact}" for fact in may_differ(*results)),
            *_left_out(plans[0].arms, arms, first, 0),
            *_left_out(plans[1].arms, arms, second, 1),
        ),
    )


def shared_arms(
    own: tuple[Arm, ...], others: tuple[Arm, ...], first: Path, second: Path
) -> list[tuple[Arm, Arm]]:
    """The arms that both have, or the only one of each. `InputError` where nothing can be compared."""
    by_id = {arm.id: arm for arm in others}
    shared = [(arm, by_id[arm.id]) for arm in own if arm.id in by_id]
    if shared:
        return shared
    if len(own) == len(others) == 1:
        return [(own[0], others[0])]
    raise InputError(
        f"has no arm of {first}: {', '.join(by_id)} there, {', '.join(arm.id for arm in own)} here",
        path=second / folder.PLAN,
        remedy="give the same label to what is compared, or one arm to each folder",
    )


def _narrowed(questions: tuple[Question, ...], workloads: list[str]) -> tuple[Question, ...]:
    """Each question of the workloads that both folders have; without any it is left out."""
    narrowed = (
        each.model_copy(
            update={"workloads": tuple(name for name in each.workloads if name in workloads)}
        )
        for each in questions
    )
    return tuple(each for each in narrowed if each.workloads)


def _cells(
    side: _Side, arms: tuple[Arm, ...], workloads: list[str]
) -> Iterator[tuple[tuple[str, str], ExaminedCell]]:
    """The cells that are compared, with each arm's name of two folders."""
    for arm in arms:
        name = side.arm(arm.id)
        for workload in workloads:
            cell = side.examined.cells.get((arm.id, workload))
            if cell is not None:
                renamed = cell.cell.model_copy(update={"arm": name})
                yield (name, workload), replace(cell, cell=renamed)


def _findings(side: _Side, arms: tuple[Arm, ...], workloads: list[str]) -> Iterator[Finding]:
    """The findings on the whole study and on compared arms, with each arm's name of two folders."""
    compared = {(arm.id, workload) for arm in arms for workload in workloads}
    run_ids = {
        run.id: run_id(run.index, side.arm(run.arm), run.workload)
        for run in side.examined.plan.runs
    }
    for finding in side.examined.findings:
        subject = finding.subject
        here = {"results": side.name}
        if subject.arm is not None:
            if (subject.arm, subject.workload) not in compared:
                continue
            here["arm"] = side.arm(subject.arm)
        if subject.run is not None:
            here["run"] = run_ids[subject.run]
        yield finding.model_copy(update={"subject": subject.model_copy(update=here)})


def _left_out(
    arms: tuple[Arm, ...], compared: list[tuple[Arm, Arm]], path: Path, side: int
) -> Iterator[str]:
    used = {pair[side].id for pair in compared}
    missing = [arm.id for arm in arms if arm.id not in used]
    if missing:
        yield f"not compared, for they are in {path} alone: {', '.join(missing)}"
