"""Comparisons for `loadstone compare`: the study's own questions, or one metric, or one baseline."""

from pathlib import Path

from loadstone.analysis.catalogue import compared_metric
from loadstone.analysis.catalogue import metric as catalogue_metric
from loadstone.analysis.comparison import compare
from loadstone.analysis.examine import examine
from loadstone.analysis.figures import USUAL_APDEX
from loadstone.analysis.model import ApdexThresholds, Comparison, Finding
from loadstone.analysis.pairs import Pair, all_pairs, pairs_by_factor, pairs_with
from loadstone.errors import InputError
from loadstone.results import folder
from loadstone.stats.adaptive import alpha_of
from loadstone.stats.verdict import USUAL_MARGIN
from loadstone.study.model import Plan, Question


def compare_results(
    results: Path,
    *,
    metric: str | None = None,
    baseline: str | None = None,
    apdex: ApdexThresholds = USUAL_APDEX,
) -> tuple[tuple[Comparison, ...], tuple[Finding, ...]]:
    """Compare stored arms.

    With `metric` all arms by that metric, under all workloads that measure it, with the margin of the
    question that names it (or of the first); with `baseline` every other arm against that one.
    `InputError` for an unknown metric or arm, for a
    metric that is neither better nor worse, and for results that cannot be read.
    """
    if metric is not None:
        compared_metric(metric)
    examined = examine(results, apdex)
    plan = examined.plan
    if baseline is not None and baseline not in {arm.id for arm in plan.arms}:
        raise InputError(
            f"there is no arm {baseline!r}",
            path=results / folder.PLAN,
            remedy=f"one of: {', '.join(arm.id for arm in plan.arms)}",
        )
    compared = [
        compare(
            question,
            _pairs(plan, question, metric, baseline),
            examined.cells,
            alpha_of(plan.looks),
        )
        for question in _questions(plan, metric)
    ]
    return (
        tuple(each for found, _ in compared for each in found),
        (*examined.findings, *(each for _, found in compared for each in found)),
    )


def _questions(plan: Plan, metric: str | None) -> tuple[Question, ...]:
    if metric is None:
        return plan.questions
    asked = [question for question in plan.questions if metric in question.metrics]
    margin = next((question.margin for question in (*asked, *plan.questions)), USUAL_MARGIN)
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


def _pairs(
    plan: Plan, question: Question, metric: str | None, baseline: str | None
) -> tuple[Pair, ...]:
    if baseline is not None:
        return pairs_with(plan.arms, baseline)
    if metric is not None:
        return all_pairs(plan.arms)
    return pairs_by_factor(plan.arms, question.compare)
