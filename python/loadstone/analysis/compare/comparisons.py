"""Compares arms for one question: tests, Holm's correction over each metric's family, verdicts.

A family is one question and one metric, over all its pairs of arms and workloads. Comparisons that
could not be tested (withheld, failed, too few runs) claim nothing and take no part in it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from loadstone.analysis.cells.cell import ExaminedCell
from loadstone.analysis.compare.pair_test import NoPairTest, PairTest, compare_pair
from loadstone.analysis.compare.pairs import Pair
from loadstone.analysis.model import Comparison, Superiority
from loadstone.analysis.sentences.not_held import not_held_of
from loadstone.analysis.sentences.words import verdict_of, words_of
from loadstone.audit.study.cross_check import cross_check
from loadstone.findings.model import Finding
from loadstone.metrics.catalogue import metric as catalogue_metric
from loadstone.metrics.model import MetricInfo
from loadstone.stats.comparison.estimate import Estimate
from loadstone.stats.comparison.holm import holm_alphas
from loadstone.stats.comparison.log_ratio import RatioEstimate, exponential
from loadstone.stats.comparison.smallest_effect import smallest_difference
from loadstone.stats.comparison.superiority import superiority
from loadstone.stats.comparison.verdict import Relation, relation_of_difference, relation_of_ratio
from loadstone.study.values.model import Question

Cells = Mapping[tuple[str, str], ExaminedCell]
"""By arm and workload."""


@dataclass(frozen=True)
class _Entry:
    """One member of a family, before the correction."""

    question: Question
    info: MetricInfo
    workload: str
    baseline: ExaminedCell
    other: ExaminedCell
    trial: PairTest | NoPairTest


def compare(
    question: Question, pairs: Iterable[Pair], cells: Cells, alpha: float, *, blocks: bool = True
) -> tuple[tuple[Comparison, ...], tuple[Finding, ...]]:
    """Every comparison of a question, metric by metric, and what the cross-checks found.

    `alpha` is the chance of a false difference that each family may have; without `blocks` no run is
    paired with another.
    """
    comparisons: list[Comparison] = []
    findings: list[Finding] = []
    pairs = tuple(pairs)
    for name in question.metrics:
        info = catalogue_metric(name)
        entries = [
            _Entry(
                question,
                info,
                workload,
                baseline,
                other,
                compare_pair(info, baseline, other, blocks=blocks),
            )
            for workload in question.workloads
            for baseline, other in _cells_of(pairs, workload, cells)
        ]
        for entry, own in zip(entries, _alphas(entries, alpha), strict=True):
            comparisons.append(_comparison(entry, own))
            findings += _cross_check(entry, own)
    return tuple(comparisons), tuple(findings)


def _cells_of(
    pairs: Sequence[Pair], workload: str, cells: Cells
) -> Iterable[tuple[ExaminedCell, ExaminedCell]]:
    """The cells of each pair under a workload; a pair that lacks one is left out."""
    return (
        (cells[first, workload], cells[second, workload])
        for first, second in pairs
        if (first, workload) in cells and (second, workload) in cells
    )


def _alphas(entries: Sequence[_Entry], alpha: float) -> list[float]:
    """Each entry's level: Holm's where it was tested, and `alpha` itself where it was not."""
    tested = [
        entry.trial.estimate.p_value() for entry in entries if isinstance(entry.trial, PairTest)
    ]
    corrected = iter(holm_alphas(tested, alpha))
    return [next(corrected) if isinstance(entry.trial, PairTest) else alpha for entry in entries]


def _comparison(entry: _Entry, alpha: float) -> Comparison:
    trial = entry.trial
    if isinstance(trial, NoPairTest):
        return _build(entry, alpha, trial.estimate, None, Relation.CANNOT_TELL, trial.reason)
    interval = trial.estimate.interval(1 - alpha)
    relation = relation_of(entry.info, trial, alpha, entry.question.margin, entry.baseline)
    nothing = "1" if isinstance(trial.estimate, RatioEstimate) else "0"
    reason = (
        f"the interval holds {nothing} and reaches beyond the margin"
        if relation is Relation.CANNOT_TELL
        else ""
    )
    return _build(entry, alpha, middle_of(trial.estimate), interval, relation, reason)


def middle_of(estimate: RatioEstimate | Estimate) -> float:
    """Return what an estimate comes to: a ratio, or a difference."""
    return estimate.ratio if isinstance(estimate, RatioEstimate) else estimate.mean


def relation_of(
    info: MetricInfo, trial: PairTest, alpha: float, margin: float, baseline: ExaminedCell
) -> Relation:
    """Say where the interval at level `1 - alpha` lies, compared with the margin."""
    low, high = trial.estimate.interval(1 - alpha)
    if isinstance(trial.estimate, RatioEstimate):
        return relation_of_ratio(low, high, margin)
    return relation_of_difference(low, high, margin_of_difference(baseline, info.name, margin))


def margin_of_difference(baseline: ExaminedCell, metric: str, margin: float) -> float:
    """Return the margin in the metric's unit. A share that can be 0 has no ratio to another, so the
    margin is taken of the baseline's figure.
    """
    return margin * abs(baseline.figure(metric).value or 0.0)


def _build(
    entry: _Entry,
    alpha: float,
    estimate: float | None,
    interval: tuple[float, float] | None,
    relation: Relation,
    reason: str,
) -> Comparison:
    trial, name = entry.trial, entry.info.name
    return Comparison(
        question=entry.question.question,
        workload=entry.workload,
        group=entry.question.group,
        operation=entry.question.operation,
        metric=name,
        primary=name == entry.question.metrics[0],
        baseline=entry.baseline.cell.arm,
        other=entry.other.cell.arm,
        scale=entry.info.scale,
        estimate=estimate,
        low=interval[0] if interval else None,
        high=interval[1] if interval else None,
        level=1 - alpha,
        margin=entry.question.margin,
        p_value=trial.estimate.p_value() if isinstance(trial, PairTest) else None,
        method=trial.method if isinstance(trial, PairTest) else "none",
        runs=(len(entry.baseline.by_block(name)), len(entry.other.by_block(name))),
        verdict=verdict_of(entry.info, relation),
        words=words_of(entry.info, relation),
        reason=reason,
        not_held=not_held_of((entry.baseline.cell, entry.other.cell)),
        smallest_effect=_smallest_effect(trial.estimate, alpha)
        if isinstance(trial, PairTest)
        else None,
        superiority=_superiority(entry.info, trial, 1 - alpha)
        if isinstance(trial, PairTest)
        else None,
    )


def _smallest_effect(estimate: RatioEstimate | Estimate, alpha: float) -> float:
    if isinstance(estimate, RatioEstimate):
        return exponential(smallest_difference(estimate.logarithm, alpha))
    return smallest_difference(estimate, alpha)


def _superiority(info: MetricInfo, trial: PairTest, level: float) -> Superiority:
    """How often the other arm's run is the better one. `stats` calls the smaller value better."""
    found = superiority(trial.baseline, trial.other, level)
    if info.direction == "lower":
        return Superiority(probability=found.probability, low=found.low, high=found.high)
    return Superiority(probability=1 - found.probability, low=1 - found.high, high=1 - found.low)


def _cross_check(entry: _Entry, alpha: float) -> Iterable[Finding]:
    trial = entry.trial
    second = None if isinstance(trial, NoPairTest) else trial.second()
    if isinstance(trial, NoPairTest) or second is None or second.smallest_p_value > alpha:
        return ()
    arms = f"{entry.other.cell.arm} and {entry.baseline.cell.arm} under {entry.workload}"
    return cross_check(
        entry.question.question,
        arms,
        entry.info.name,
        method=trial.method,
        p_value=trial.estimate.p_value(),
        second_method=second.method,
        second_p_value=second.p_value,
        alpha=alpha,
    )
