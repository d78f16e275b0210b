"""Ranks of arms: every pair compared, so that each place has an interval.

An arm that is withheld, failed, unmeasured or was still warming up has no place, only the reason: see
`lacking_of`. Without an interval there is no rank, and with fewer than three arms none is needed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from loadstone.analysis.cells.cell import ExaminedCell
from loadstone.analysis.compare.comparisons import Cells, relation_of
from loadstone.analysis.compare.no_place import too_few
from loadstone.analysis.compare.pair_test import (
    NoPairTest,
    PairTest,
    compare_pair,
    lacking_of,
)
from loadstone.analysis.model import Verdict
from loadstone.analysis.multi_arm_model import RankedArm, Ranking, UnrankedArm
from loadstone.analysis.sentences.no_claim import state_of
from loadstone.analysis.sentences.words import verdict_of
from loadstone.metrics.catalogue import metric as catalogue_metric
from loadstone.metrics.model import MetricInfo
from loadstone.stats.comparison.holm import holm_alphas
from loadstone.stats.comparison.ranks import best, rank_intervals
from loadstone.study.values.model import Question

LEAST_ARMS = 3
"""Of two arms the verdict says it all."""


def rankings(question: Question, cells: Cells, alpha: float) -> tuple[Ranking, ...]:
    """Rank the arms by each metric of a question, under each of its workloads.

    As with verdicts the pairs of all workloads are one family. `alpha` is the chance that a difference
    is claimed of one of them where there is none.
    """
    return tuple(
        ranking for name in question.metrics for ranking in _by_metric(question, name, cells, alpha)
    )


@dataclass(frozen=True)
class _ComparedArms:
    """The arms of one workload, and the tests of all their pairs."""

    workload: str
    ranked: tuple[ExaminedCell, ...]
    values: tuple[float, ...]
    unranked: tuple[UnrankedArm, ...]
    pairs: tuple[tuple[int, int, PairTest], ...]


def _by_metric(question: Question, name: str, cells: Cells, alpha: float) -> list[Ranking]:
    info = catalogue_metric(name)
    by_workload = [
        _compared_arms(info, workload, [cell for (_, of), cell in cells.items() if of == workload])
        for workload in question.workloads
    ]
    tested = [trial.estimate.p_value() for arms in by_workload for _, _, trial in arms.pairs]
    alphas = iter(holm_alphas(tested, alpha))
    return [
        _ranking(question, info, arms, [next(alphas) for _ in arms.pairs], 1 - alpha)
        for arms in by_workload
        if len(arms.ranked) >= LEAST_ARMS
    ]


def _compared_arms(info: MetricInfo, workload: str, cells: Sequence[ExaminedCell]) -> _ComparedArms:
    ranked: list[ExaminedCell] = []
    values: list[float] = []
    unranked: list[UnrankedArm] = []
    for cell in cells:
        value = cell.figure(info.name).value
        lacking = lacking_of(cell, info.name) or too_few(cell, info)
        if lacking or value is None:
            no_claim = cell.figure(info.name).no_claim
            reason = state_of(no_claim) if no_claim else lacking
            unranked.append(UnrankedArm(arm=cell.cell.arm, reason=reason))
        else:
            ranked.append(cell)
            values.append(value)
    pairs: list[tuple[int, int, PairTest]] = []
    if len(ranked) >= LEAST_ARMS:
        for first, second in combinations(range(len(ranked)), 2):
            trial = compare_pair(info, ranked[first], ranked[second])
            if isinstance(trial, NoPairTest):  # no mistake of a type, but of this file
                raise AssertionError(f"an arm with a place: {trial.reason}")  # noqa: TRY004
            pairs.append((first, second, trial))
    return _ComparedArms(workload, tuple(ranked), tuple(values), tuple(unranked), tuple(pairs))


def _ranking(
    question: Question, info: MetricInfo, arms: _ComparedArms, alphas: Sequence[float], level: float
) -> Ranking:
    better: set[tuple[int, int]] = set()
    for (first, second, trial), alpha in zip(arms.pairs, alphas, strict=True):
        relation = relation_of(info, trial, alpha, question.margin, arms.ranked[first])
        verdict = verdict_of(info, relation)
        if verdict is Verdict.BETTER:
            better.add((second, first))
        elif verdict is Verdict.WORSE:
            better.add((first, second))
    sign = 1 if info.direction == "lower" else -1
    intervals = rank_intervals([sign * value for value in arms.values], better)
    order = sorted(range(len(intervals)), key=lambda index: (intervals[index].rank, index))
    winners = set(best(intervals))
    return Ranking(
        question=question.question,
        workload=arms.workload,
        metric=info.name,
        level=level,
        arms=tuple(
            RankedArm(
                arm=arms.ranked[index].cell.arm,
                rank=intervals[index].rank,
                low=intervals[index].low,
                high=intervals[index].high,
                value=arms.values[index],
                not_held=arms.ranked[index].cell.not_held,
            )
            for index in order
        ),
        best=tuple(arms.ranked[index].cell.arm for index in order if index in winners),
        pairs=len(arms.pairs),
        told=len(better),
        unranked=arms.unranked,
    )
