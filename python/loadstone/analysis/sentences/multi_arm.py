"""Sentences on what goes beyond pairs of arms: effects of factors, shares of variance, times to
failure.
"""

from collections.abc import Sequence
from math import log

from loadstone.analysis.multi_arm_model import (
    ArmSurvival,
    FactorEffect,
    FactorialModel,
    FactorialTerm,
    Survivals,
)
from loadstone.analysis.sentences.claims import interval_text, middle_text
from loadstone.metrics.labels import metric_label
from loadstone.text import units
from loadstone.text.words import counted

_EFFECTS_AT_MOST = 3
_SMALLEST_SHARE = 0.01
_ARMS_AT_MOST = 3


def effect_sentences(effects: Sequence[FactorEffect]) -> list[str]:
    """What a factor does on average; of many effects only the largest."""
    if len(effects) <= _EFFECTS_AT_MOST:
        return [f"On average {_effect(effect)}." for effect in effects]
    return [f"The largest effect of the factor, on average {_effect(max(effects, key=_size))}."]


def _size(effect: FactorEffect) -> float:
    return abs(log(effect.estimate) if effect.scale == "ratio" else effect.estimate)


def _effect(effect: FactorEffect) -> str:
    figures = f"{middle_text(effect)} {interval_text(effect)} ({units.percent(effect.level)})"
    start = (
        f"over {effect.pairs} pairs of arms under {effect.workload}, {metric_label(effect.metric)} of "
        f"{effect.other}"
    )
    if effect.scale == "ratio":
        return f"{start} is {figures} that of {effect.baseline}"
    return f"{start} differs from that of {effect.baseline} by {figures}"


def share_sentences(models: Sequence[FactorialModel]) -> list[str]:
    """How much of the variance each factor explains, under each workload."""
    return [_shares(model) for model in models]


def _shares(model: FactorialModel) -> str:
    of = f"of {metric_label(model.metric)} under {model.workload}"
    if model.reason:
        return f"How much each factor varies it is not told, {of}: {model.reason}."
    terms = sorted(model.terms, key=lambda term: -term.share)
    parts = [f"{_name(term, terms)} {share_text(term.share)}" for term in terms]
    parts[0] = (
        f"{_name(terms[0], terms)} explains {share_text(terms[0].share)} of the variance {of}"
    )
    rest = [("blocks", model.block_share), ("runs", model.residual_share)]
    parts += [f"{name} {share_text(share)}" for name, share in rest if share is not None]
    caveat = f" ({model.caveat})" if model.caveat else ""
    return f"{parts[0][0].upper()}{parts[0][1:]}, {', '.join(parts[1:])}{caveat}."


def _name(term: FactorialTerm, terms: Sequence[FactorialTerm]) -> str:
    if len(term.factors) == 1:
        return term.factors[0]
    alone = sum(len(each.factors) > 1 for each in terms) == 1
    return "their interaction" if alone else f"{' with '.join(term.factors)}"


def share_text(share: float) -> str:
    """`71 %`, `under 1 %`, `over 99 %`."""
    if 0 < share < _SMALLEST_SHARE:
        return "under 1 %"
    return "over 99 %" if 1 - _SMALLEST_SHARE < share < 1 else f"{share * 100:.0f} %"


def failure_sentences(survivals: Sequence[Survivals]) -> list[str]:
    """When services failed, under each workload that goes on until they do."""
    return [_failures(each) for each in survivals if each.rule == "stop rule"]


def _failures(found: Survivals) -> str:
    if not found.arms:
        return f"Under {found.workload} no time to failure stands: those of all arms are withheld."
    failed = sum(arm.failed for arm in found.arms)
    runs = sum(arm.runs for arm in found.arms)
    if not failed:
        return f"Under {found.workload} none of {counted(runs, 'run')} failed before its end."
    differing = sum(each.words != "cannot tell" for each in found.comparisons)
    if len(found.arms) > _ARMS_AT_MOST:
        pairs = counted(len(found.comparisons), "pair")
        return (
            f"Under {found.workload} {failed} of {runs} runs failed before the end; of {pairs} of arms "
            f"{differing} differ in their time to failure."
        )
    parts = [*map(median_text, found.arms)]
    parts += [
        f"{each.other} {each.words} than {each.baseline}"
        for each in found.comparisons
        if each.words != "cannot tell"
    ]
    if differing < len(found.comparisons):
        parts.append(
            "no difference in time to failure is told"
            if not differing
            else "no other difference in time to failure is told"
        )
    parts += [f"{each.arm} is left out, {each.reason}" for each in found.left_out]
    return f"Under {found.workload} {'; '.join(parts)}."


def median_text(arm: ArmSurvival) -> str:
    """`half of the runs of go failed by 61.0 s [50.2 s, 70.1 s]`, or that half did not."""
    if arm.median_ns is None:
        within = units.duration(arm.longest_ns)
        return f"half of the runs of {arm.arm} did not fail within {within}"
    low, high = (
        "no bound" if bound is None else units.duration(bound)
        for bound in (arm.median_low_ns, arm.median_high_ns)
    )
    return (
        f"half of the runs of {arm.arm} failed by {units.duration(arm.median_ns)} [{low}, {high}]"
    )
