"""Comparisons for `loadstone compare` of one results folder: the study's own questions, or one metric,
or one baseline.
"""

from collections.abc import Iterator
from pathlib import Path

from loadstone.analysis.cells.examine import Examined, examine
from loadstone.analysis.cells.parallel_cells import OnRead, unseen
from loadstone.analysis.compare.adaptive import adaptive_of
from loadstone.analysis.compare.compare_output import Compared, Design
from loadstone.analysis.compare.comparisons import Cells, compare
from loadstone.analysis.compare.pairs import Pair, all_pairs, pairs_of, pairs_with
from loadstone.analysis.compare.question_results import arms_asked_about, cells_asked_about
from loadstone.analysis.compare.rankings import rankings
from loadstone.analysis.figures.run_figures import USUAL_APDEX
from loadstone.analysis.model import ApdexThresholds, ArmFigure, Comparison
from loadstone.analysis.sentences.no_claim import state_of
from loadstone.errors import InputError
from loadstone.metrics.catalogue import compared_metric
from loadstone.metrics.catalogue import metric as catalogue_metric
from loadstone.results import folder
from loadstone.stats.comparison.adaptive import alpha_of
from loadstone.stats.comparison.verdict import USUAL_MARGIN
from loadstone.study.values.model import Plan, Question


def compare_results(
    results: Path,
    *,
    metric: str | None = None,
    baseline: str | None = None,
    apdex: ApdexThresholds = USUAL_APDEX,
    on_read: OnRead = unseen,
) -> Compared:
    """Compare stored arms.

    With `metric` all arms by that metric, under all workloads that measure it, with the margin of the
    question that names it (or of the first); with `baseline` every other arm against that one.
    `InputError` for an unknown metric or arm, for a metric that is neither better nor worse, for
    simulated results, and for those that cannot be read.
    """
    if metric is not None:
        compared_metric(metric)
    examined = examine(results, apdex, on_read)
    refuse_simulated(examined, results)
    plan = examined.plan
    if baseline is not None and baseline not in {arm.id for arm in plan.arms}:
        raise InputError(
            f"there is no arm {baseline!r}",
            path=results / folder.PLAN,
            remedy=f"one of: {', '.join(arm.id for arm in plan.arms)}",
        )
    alpha = alpha_of(plan.looks)
    questions = questions_of(plan, metric)
    compared = [
        compare(
            question,
            _pairs(plan, question, metric, baseline),
            cells_asked_about(question, examined.cells),
            alpha,
        )
        for question in questions
    ]
    comparisons = tuple(each for found, _ in compared for each in found)
    return Compared(
        designs=(design_of(examined, str(results)),),
        comparisons=comparisons,
        rankings=()
        if baseline is not None
        else tuple(
            ranking
            for question in questions
            for ranking in rankings(
                question, arms_asked_about(question, plan.arms, examined.cells)[1], alpha
            )
        ),
        findings=(*examined.findings, *(each for _, found in compared for each in found)),
        withheld=withheld_in(comparisons, examined.cells),
        unclaimed=unclaimed_in(comparisons, examined.cells),
        not_run=not_run_in(comparisons, examined.cells),
    )


def questions_of(plan: Plan, metric: str | None) -> tuple[Question, ...]:
    """The study's own, or one by a metric."""
    if metric is None:
        return plan.questions
    naming_it = [question for question in plan.questions if metric in question.metrics]
    margin = next((question.margin for question in (*naming_it, *plan.questions)), USUAL_MARGIN)
    return (
        Question(
            question=f"how do the arms compare by {metric}?",
            compare="",
            metrics=(metric,),
            margin=margin,
            workloads=tuple(
                each.workload
                for each in plan.workloads
                if each.kind in catalogue_metric(metric).kinds
            ),
        ),
    )


def withheld_in(comparisons: tuple[Comparison, ...], cells: Cells) -> tuple[str, ...]:
    """Each compared figure that is withheld, with the reason."""
    return tuple(
        f"{figure.metric} of {arm} under {workload}: {figure.reason}"
        for arm, workload, figure in _compared_figures(comparisons, cells)
        if figure.state == "withheld"
    )


def unclaimed_in(comparisons: tuple[Comparison, ...], cells: Cells) -> tuple[str, ...]:
    """Each compared figure of which nothing is claimed, with the reason: it must not pass a gate."""
    return tuple(
        f"{figure.metric} of {arm} under {workload}: {state_of(figure.no_claim)}"
        for arm, workload, figure in _compared_figures(comparisons, cells)
        if figure.no_claim
    )


def _compared_figures(
    comparisons: tuple[Comparison, ...], cells: Cells
) -> Iterator[tuple[str, str, ArmFigure]]:
    compared = dict.fromkeys(
        (arm, each.workload, each.group, each.operation, each.metric)
        for each in comparisons
        for arm in (each.baseline, each.other)
    )
    for arm, workload, group, operation, metric in compared:
        yield arm, workload, cells[arm, workload].about(group, operation).figure(metric)


def not_run_in(comparisons: tuple[Comparison, ...], cells: Cells) -> tuple[str, ...]:
    """Each compared arm without a completed run: an arm that does not start must not pass a gate."""
    compared = dict.fromkeys(
        (arm, each.workload) for each in comparisons for arm in (each.baseline, each.other)
    )
    return tuple(
        f"{arm} under {workload}"
        for arm, workload in compared
        if cells[arm, workload].cell.runs_completed == 0
    )


def design_of(examined: Examined, results: str) -> Design:
    """How the runs of a folder were repeated and ordered."""
    plan = examined.plan
    return Design(
        results=results,
        entry=plan.entry,
        adaptive=adaptive_of(plan, examined.looks),
        order=plan.order,
    )


def refuse_simulated(examined: Examined, results: Path) -> None:
    """Raise `InputError` for records that come from a fake."""
    if examined.simulated:
        raise InputError(
            "these records are simulated, and nothing of them is compared",
            path=results,
            remedy="measure the study with the engine's real transport",
        )


def _pairs(
    plan: Plan, question: Question, metric: str | None, baseline: str | None
) -> tuple[Pair, ...]:
    if baseline is not None:
        return pairs_with(plan.arms, baseline)
    if metric is not None:
        return all_pairs(plan.arms)
    return pairs_of(question, plan.arms)
