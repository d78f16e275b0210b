"""Holds the claims of a study against its figures: reproduced, not reproduced, or undecided.

The claims are one family: Holm's correction goes over all that could be tested, whatever their metric,
since a reader takes them as one list. A time to failure is compared by its log-rank test, which has a
family of its own (`survivals.py`).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from loadstone.analysis.cells.cell import ExaminedCell
from loadstone.analysis.claim_model import Reproduced, Reproduction, Size
from loadstone.analysis.compare.comparisons import Cells, middle_of, relation_of
from loadstone.analysis.compare.pair_test import NoPairTest, PairTest, compare_pair
from loadstone.analysis.figures.failure_figures import SLOW_MEAN
from loadstone.analysis.multi_arm_model import FailureRule, Survivals
from loadstone.analysis.sentences.not_held import not_held_of
from loadstone.analysis.sentences.reproductions import sentence_of
from loadstone.metrics.catalogue import metric as catalogue_metric
from loadstone.stats.comparison.holm import holm_alphas
from loadstone.stats.comparison.log_ratio import RatioEstimate
from loadstone.stats.comparison.verdict import Relation
from loadstone.study.values.claim import Claim, Says

TIME_TO_FAILURE = "time_to_failure"
NOT_MEASURED = "one of its arms has no completed run"
NOT_TOLD = "the interval holds no difference and reaches beyond the margin"

_RULES: dict[str, FailureRule] = {TIME_TO_FAILURE: "stop rule", SLOW_MEAN: "slow mean"}
_CLAIMED: dict[Says, Relation] = {
    "higher": Relation.ABOVE,
    "lower": Relation.BELOW,
    "alike": Relation.EQUIVALENT,
}


@dataclass(frozen=True)
class _Tried:
    claim: Claim
    of: ExaminedCell
    against: ExaminedCell
    trial: PairTest | NoPairTest


def reproductions(
    claims: Sequence[Claim], cells: Cells, failures: Sequence[Survivals], alpha: float
) -> tuple[Reproduction, ...]:
    """What became of each claim, in the study's order.

    `alpha` is the chance that a difference is told of one of them where there is none.
    """
    tried = {
        claim.claim: attempt for claim in claims if (attempt := _tried(claim, cells)) is not None
    }
    p_values = {
        name: attempt.trial.estimate.p_value()
        for name, attempt in tried.items()
        if isinstance(attempt.trial, PairTest) and attempt.claim.metric not in _RULES
    }
    alphas = dict(zip(p_values, holm_alphas([*p_values.values()], alpha), strict=True))
    found: list[Reproduction] = []
    for claim in claims:
        attempt = tried.get(claim.claim)
        if attempt is None:
            found.append(_undecided(claim, alpha, NOT_MEASURED))
        elif claim.metric in _RULES:
            found.append(_by_survival(attempt, failures, alpha))
        else:
            found.append(_by_pair(attempt, alphas.get(claim.claim, alpha)))
    return tuple(_told(each, tried.get(each.claim.claim)) for each in found)


def _told(found: Reproduction, attempt: _Tried | None) -> Reproduction:
    """The same with what of their contracts its arms are not held to, and with all of it in words."""
    cells = () if attempt is None else (attempt.of.cell, attempt.against.cell)
    told = found.model_copy(update={"not_held": not_held_of(cells)})
    return told.model_copy(update={"sentence": sentence_of(told)})


def _tried(claim: Claim, cells: Cells) -> _Tried | None:
    both = [cells.get((arm, claim.workload)) for arm in (claim.of, claim.against)]
    of, against = (
        None if cell is None else cell.about(claim.group, claim.operation) for cell in both
    )
    if of is None or against is None:
        return None
    info = catalogue_metric(claim.metric)
    return _Tried(claim, of, against, compare_pair(info, against, of))


def _by_pair(each: _Tried, alpha: float) -> Reproduction:
    claim, trial = each.claim, each.trial
    if isinstance(trial, NoPairTest):
        undecided = _undecided(claim, alpha, trial.reason)
        return undecided.model_copy(update={"estimate": trial.estimate, **_values(each)})
    info = catalogue_metric(claim.metric)
    low, high = trial.estimate.interval(1 - alpha)
    relation = relation_of(info, trial, alpha, claim.margin, each.against)
    outcome = _outcome(claim.says, relation)
    is_ratio = isinstance(trial.estimate, RatioEstimate)
    return Reproduction(
        claim=claim,
        outcome=outcome,
        size=_size(claim, low, high) if is_ratio and outcome == "reproduced" else "",
        scale=info.scale,
        estimate=middle_of(trial.estimate),
        low=low,
        high=high,
        level=1 - alpha,
        reason=NOT_TOLD if outcome == "undecided" else "",
        **_values(each),
    )


def _by_survival(each: _Tried, failures: Sequence[Survivals], alpha: float) -> Reproduction:
    claim = each.claim
    for survivals in failures:
        if survivals.workload != claim.workload or survivals.rule != _RULES[claim.metric]:
            continue
        for left in survivals.left_out:
            if left.arm in (claim.of, claim.against):
                return _undecided(claim, alpha, f"{left.arm} is left out: {left.reason}")
        for compared in survivals.comparisons:
            if {compared.baseline, compared.other} != {claim.of, claim.against}:
                continue
            if compared.words == "cannot tell":
                return _undecided(
                    claim, 1 - compared.level, "the log-rank test tells no difference"
                )
            is_later = (compared.words == "fails later") == (compared.other == claim.of)
            relation = Relation.ABOVE if is_later else Relation.BELOW
            return Reproduction(
                claim=claim,
                outcome=_outcome(claim.says, relation),
                scale=catalogue_metric(claim.metric).scale,
                level=compared.level,
                **_values(each),
            )
    return _undecided(claim, alpha, "no run failed, or none is left to compare")


def _outcome(says: Says, relation: Relation) -> Reproduced:
    if relation is Relation.CANNOT_TELL:
        return "undecided"
    return "reproduced" if relation is _CLAIMED[says] else "not reproduced"


def _size(claim: Claim, low: float, high: float) -> Size:
    """Whether a published ratio is within the interval; beyond it, on which side of it, seen from 1."""
    published = claim.published_ratio
    if published is None or claim.says == "alike":
        return ""
    if low <= published <= high:
        return "as published"
    is_less = published > high if claim.says == "higher" else published < low
    return "less than published" if is_less else "more than published"


def _undecided(claim: Claim, alpha: float, reason: str) -> Reproduction:
    scale = catalogue_metric(claim.metric).scale
    return Reproduction(
        claim=claim, outcome="undecided", scale=scale, level=1 - alpha, reason=reason
    )


def _values(each: _Tried) -> dict[str, float | None]:
    def value(cell: ExaminedCell) -> float | None:
        figure = cell.figure(each.claim.metric)
        return figure.value if figure.state == "value" else None

    return {"of_value": value(each.of), "against_value": value(each.against)}
