"""One look at an adaptive study: what its comparisons by primary metrics can tell by now.

The decision is a function of the records so far: the same records give the same decision. Only the time
of the look comes from the clock.
"""

from pathlib import Path

from loadstone.analysis.cells.examine import Examined, examine
from loadstone.analysis.compare.comparisons import compare, margin_of_difference
from loadstone.analysis.compare.pairs import pairs_of
from loadstone.analysis.compare.question_results import cells_asked_about
from loadstone.analysis.model import Comparison
from loadstone.results.looks import Look, LookedAt
from loadstone.results.record import now_utc
from loadstone.stats.comparison.adaptive import (
    Decidedness,
    alpha_of,
    decidedness_of_difference,
    decidedness_of_ratio,
    stops,
)
from loadstone.stats.comparison.verdict import MINIMUM_RUNS
from loadstone.study.design.order import runs_until


def take_look(results: Path, after_block: int) -> Look:
    """Look at a study whose runs up to a block are done. `InputError` for what cannot be read."""
    examined = examine(results)
    plan = examined.plan
    alpha = alpha_of(plan.looks)
    looked_at = tuple(
        _looked_at(comparison, examined)
        for question in plan.questions
        for comparison in compare(
            # Of a question's families only that of its primary metric decides.
            question.model_copy(update={"metrics": question.metrics[:1]}),
            pairs_of(question, plan.arms),
            cells_asked_about(question, examined.cells),
            alpha,
        )[0]
    )
    return Look(
        after_block=after_block,
        runs=runs_until(plan, after_block),
        taken_at=now_utc(),
        level=1 - alpha,
        comparisons=looked_at,
        stop=stops(plan.looks, after_block, [each.decided for each in looked_at]),
    )


def _looked_at(comparison: Comparison, examined: Examined) -> LookedAt:
    standing = _standing(comparison, examined)
    kept = comparison.model_dump(include=set(LookedAt.model_fields))
    return LookedAt(standing="out of reach" if standing is None else standing, **kept)


def _standing(comparison: Comparison, examined: Examined) -> Decidedness | None:
    """How decided a comparison is; none where no further block can make its arms comparable.

    A figure that is withheld or failed in one run is so for the arm, however many blocks are added (see
    `arm_figure`), and an arm that was still warming up will be: waiting for more would answer nothing.
    """
    low, high = comparison.low, comparison.high
    baseline, other = (
        examined.cells[arm, comparison.workload].about(comparison.group, comparison.operation)
        for arm in (comparison.baseline, comparison.other)
    )
    if low is None or high is None:
        figures = [cell.figure(comparison.metric) for cell in (baseline, other)]
        comparable = all(
            figure.state == "value" and not figure.pooled and not figure.no_claim
            for figure in figures
        )
        return Decidedness.OPEN if comparable and min(comparison.runs) < MINIMUM_RUNS else None
    if comparison.scale == "ratio":
        return decidedness_of_ratio(low, high, comparison.margin)
    margin = margin_of_difference(baseline, comparison.metric, comparison.margin)
    return decidedness_of_difference(low, high, margin)
