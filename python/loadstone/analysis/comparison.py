"""Compares arms for one question: tests, Holm's correction over each metric's family, verdicts.

A family is one question and one metric, over all its pairs of arms and workloads. Comparisons that
could not be tested (withheld, failed, too few runs) claim nothing and take no part in it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from loadstone.analysis.catalogue import metric as catalogue_metric
from loadstone.analysis.cells import ExaminedCell
from loadstone.analysis.model import Comparison, Finding, MetricInfo
from loadstone.analysis.pairs import Pair
from loadstone.analysis.trial import NoTrial, Trial, attempt
from loadstone.analysis.words import verdict_of, words_of
from loadstone.audit.cross_check import cross_check
from loadstone.stats.holm import holm_alphas
from loadstone.stats.log_ratio import RatioEstimate
from loadstone.stats.verdict import (
    Relation,
    relation_of_difference,
    relation_of_ratio,
)
from loadstone.study.model import Question

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
    trial: Trial | NoTrial


def compare(
    question: Question, pairs: Iterable[Pair], cells: Cells, alpha: float
) -> tuple[tuple[Comparison, ...], tuple[Finding, ...]]:
    """Every comparison of a question, metric by metric, and what the cross-checks found.

    `alpha` is the chance of a false difference that each family may have.
    """
    comparisons: list[Comparison] = []
    findings: list[Finding] = []
    pairs = tuple(pairs)
    for name in question.metrics:
        info = catalogue_metric(name)
        entries = [
            _Entry(question, info, workload, baseline, other, attempt(info, baseline, other))
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
    return ((cells[first, workload], cells[second, workload]) for first, second in pairs)


def _alphas(entries: Sequence[_Entry], alpha: float) -> list[float]:
    """Holm's, for those that were tested; the uncorrected one stands in for the others."""
    tested = [entry.trial.estimate.p_value() for entry in entries if isinstance(entry.trial, Trial)]
    corrected = iter(holm_alphas(tested, alpha))
    return [next(corrected) if isinstance(entry.trial, Trial) else alpha for entry in entries]


def _comparison(entry: _Entry, alpha: float) -> Comparison:
    trial = entry.trial
    if isinstance(trial, NoTrial):
        return _build(entry, alpha, trial.estimate, None, Relation.CANNOT_TELL, trial.reason)
    low, high = trial.estimate.interval(1 - alpha)
    margin = entry.question.margin
    if isinstance(trial.estimate, RatioEstimate):
        estimate = trial.estimate.ratio
        relation = relation_of_ratio(low, high, margin)
        nothing = "1"
    else:
        estimate = trial.estimate.mean
        absolute = margin_of_difference(entry.baseline, entry.info.name, margin)
        relation = relation_of_difference(low, high, absolute)
        nothing = "0"
    reason = (
        f"the interval holds {nothing} and reaches beyond the margin"
        if relation is Relation.CANNOT_TELL
        else ""
    )
    return _build(entry, alpha, estimate, (low, high), relation, reason)


def margin_of_difference(baseline: ExaminedCell, metric: str, margin: float) -> float:
    """In the metric's unit: a share that can be 0 has no ratio, so it is a share of the baseline."""
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
        p_value=trial.estimate.p_value() if isinstance(trial, Trial) else None,
        method=trial.method if isinstance(trial, Trial) else "none",
        runs=(len(entry.baseline.by_block(name)), len(entry.other.by_block(name))),
        verdict=verdict_of(entry.info, relation),
        words=words_of(entry.info, relation),
        reason=reason,
    )


def _cross_check(entry: _Entry, alpha: float) -> Iterable[Finding]:
    trial = entry.trial
    if isinstance(trial, NoTrial) or trial.second is None or trial.second.smallest_p_value > alpha:
        return ()
    arms = f"{entry.other.cell.arm} and {entry.baseline.cell.arm} under {entry.workload}"
    return cross_check(
        entry.question.question,
        arms,
        entry.info.name,
        method=trial.method,
        p_value=trial.estimate.p_value(),
        second_method=trial.second.method,
        second_p_value=trial.second.p_value,
        alpha=alpha,
    )
