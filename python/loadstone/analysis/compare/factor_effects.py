"""What a factor does over everything else that varies: one mean where its verdicts are many.

The pairs of arms that differ in the factor alone are averaged block by block (of ratios their
logarithms), and the blocks make the interval, by paired t: the pairs of one block share its
disturbances and their arms. It is the mean over the pairs of this study. A factor may do the opposite
in one of them, which the verdicts and the interaction say (`factorials.py`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from loadstone.analysis.cells.cell import ExaminedCell
from loadstone.analysis.compare.comparisons import Cells, middle_of
from loadstone.analysis.compare.pair_test import NoPairTest, PairTest, compare_pair
from loadstone.analysis.compare.pairs import Pair
from loadstone.analysis.multi_arm_model import FactorEffect
from loadstone.metrics.catalogue import metric as catalogue_metric
from loadstone.metrics.model import MetricInfo
from loadstone.stats.comparison.estimate import Estimate
from loadstone.stats.comparison.holm import holm_alphas
from loadstone.stats.comparison.log_ratio import RatioEstimate
from loadstone.stats.comparison.paired_t import paired_t
from loadstone.study.values.model import Arm, Question

LEAST_PAIRS = 2
"""Of one pair the verdict says it all."""


@dataclass(frozen=True)
class _Found:
    workload: str
    baseline: str
    other: str
    pairs: int
    blocks: int
    estimate: RatioEstimate | Estimate


def factor_effects(
    question: Question,
    arms: Sequence[Arm],
    pairs: Sequence[Pair],
    cells: Cells,
    alpha: float,
) -> tuple[FactorEffect, ...]:
    """Of each two levels of a question's factor, by each of its metrics.

    Two levels of which a pair cannot be compared block by block have none: the mean would be of other
    arms than it says.
    """
    levels = {arm.id: arm.factors.get(question.compare, "") for arm in arms}
    found = []
    for name in question.metrics:
        info = catalogue_metric(name)
        effects = [
            effect
            for workload in question.workloads
            for between, members in _by_levels(pairs, levels).items()
            if (effect := _effect(info, workload, between, members, cells)) is not None
        ]
        alphas = holm_alphas([effect.estimate.p_value() for effect in effects], alpha)
        for effect, own in zip(effects, alphas, strict=True):
            found.append(_build(question, info, effect, own))
    return tuple(found)


def _by_levels(pairs: Sequence[Pair], levels: Mapping[str, str]) -> dict[Pair, list[Pair]]:
    grouped: dict[Pair, list[Pair]] = {}
    for first, second in pairs:
        grouped.setdefault((levels[first], levels[second]), []).append((first, second))
    return {between: members for between, members in grouped.items() if len(members) >= LEAST_PAIRS}


def _effect(
    info: MetricInfo, workload: str, between: Pair, members: Sequence[Pair], cells: Cells
) -> _Found | None:
    trials = []
    blocks: set[frozenset[int]] = set()
    for pair in members:
        both = [cells.get((arm, workload)) for arm in pair]
        trial = _paired(info, [cell for cell in both if cell is not None])
        if trial is None:
            return None
        trials.append(trial)
        blocks.add(frozenset(both[0].by_block(info.name)) if both[0] else frozenset())
    if len(blocks) != 1:
        return None
    is_ratio = info.scale == "ratio"
    first, second = (
        np.mean(np.log(values) if is_ratio else np.asarray(values), axis=0).tolist()
        for values in (
            [trial.baseline for trial in trials],
            [trial.other for trial in trials],
        )
    )
    estimate = paired_t(first, second)
    return _Found(
        workload,
        *between,
        pairs=len(members),
        blocks=len(first),
        estimate=RatioEstimate(estimate) if is_ratio else estimate,
    )


def _paired(info: MetricInfo, both: Sequence[ExaminedCell]) -> PairTest | None:
    if len(both) < 2:
        return None
    trial = compare_pair(info, both[0], both[1])
    return None if isinstance(trial, NoPairTest) or not trial.is_paired else trial


def _build(question: Question, info: MetricInfo, effect: _Found, alpha: float) -> FactorEffect:
    low, high = effect.estimate.interval(1 - alpha)
    is_ratio = isinstance(effect.estimate, RatioEstimate)
    return FactorEffect(
        question=question.question,
        workload=effect.workload,
        metric=info.name,
        factor=question.compare,
        baseline=effect.baseline,
        other=effect.other,
        pairs=effect.pairs,
        scale="ratio" if is_ratio else "difference",
        estimate=middle_of(effect.estimate),
        low=low,
        high=high,
        level=1 - alpha,
        blocks=effect.blocks,
    )
