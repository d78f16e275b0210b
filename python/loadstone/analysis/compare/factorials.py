"""Which factor varies a metric how much: one analysis of variance for each question and workload.

Where some combinations of levels are no arms, or some runs have no figure, factors explain variance
together that belongs to none of them. Each share is then what a factor explains beyond the others, and
the model says so.
"""

from collections.abc import Mapping, Sequence
from math import log, prod

from loadstone.analysis.cells.cell import ExaminedCell
from loadstone.analysis.compare.analysed_factors import Factors, analysed_factors
from loadstone.analysis.compare.comparisons import Cells
from loadstone.analysis.compare.pair_test import SHARED_BUILD, lacking_of
from loadstone.analysis.multi_arm_model import FactorialModel, FactorialTerm
from loadstone.metrics.catalogue import metric as catalogue_metric
from loadstone.metrics.model import MetricInfo
from loadstone.stats.comparison.factorial import Factorial, factorial
from loadstone.study.design.arms import varying
from loadstone.study.values.model import Arm, Question

LEAST_FACTORS = 2
"""What one factor does, the comparisons say."""
ORDER = 2
"""Of interactions: three factors at once are rarely read right, and take most degrees of freedom."""


def factorials(question: Question, arms: Sequence[Arm], cells: Cells) -> tuple[FactorialModel, ...]:
    """By the question's primary metric, under each of its workloads; empty for a single factor."""
    by_arm = analysed_factors(arms)
    factors = varying([*by_arm.values()])
    if len(factors) < LEAST_FACTORS:
        return ()
    info = catalogue_metric(question.metrics[0])
    return tuple(
        _model(question, workload, info, factors, by_arm, cells) for workload in question.workloads
    )


def _model(
    question: Question,
    workload: str,
    info: MetricInfo,
    factors: Sequence[str],
    by_arm: Mapping[str, Factors],
    cells: Cells,
) -> FactorialModel:
    used = [
        (levels, cells[arm, workload]) for arm, levels in by_arm.items() if (arm, workload) in cells
    ]
    reason = _unfitting(info, factors, used)
    if reason:
        return _build(question, workload, info, reason=reason)
    values, blocks = [], []
    levels: dict[str, list[str]] = {factor: [] for factor in factors}
    for own, cell in used:
        for block, value in cell.by_block(info.name).items():
            values.append(log(value) if info.scale == "ratio" else value)
            blocks.append(block)
            for factor in factors:
                levels[factor].append(own[factor])
    if len(set(values)) == 1:
        return _build(question, workload, info, reason="every run has the same value")
    found = factorial(values, levels, blocks, ORDER)
    return _build(
        question,
        workload,
        info,
        terms=tuple(
            FactorialTerm(
                factors=term.factors,
                degrees=term.degrees,
                share=term.share,
                f_value=term.f_value,
                p_value=term.p_value,
            )
            for term in found.terms
        ),
        block_share=found.block_share,
        residual_share=found.residual_share,
        residual_degrees=found.residual_degrees,
        caveat=_caveat(info, factors, used, found),
    )


def _caveat(
    info: MetricInfo,
    factors: Sequence[str],
    used: Sequence[tuple[Factors, ExaminedCell]],
    found: Factorial,
) -> str:
    """What is missing, and what that does to the shares; empty where all is there."""
    missing = []
    combinations = prod(len({own[factor] for own, _ in used}) for factor in factors)
    if len(used) != combinations:
        missing.append(f"{len(used)} of {combinations} combinations are arms")
    if len({frozenset(cell.by_block(info.name)) for _, cell in used}) > 1:
        missing.append("some arms lack runs that others have")
    if not missing:
        return ""
    left_out = [
        f"{' with '.join(each.factors)} is left out: {each.reason}" for each in found.left_out
    ]
    return "; ".join((*missing, "a share is what its source explains beyond the others", *left_out))


def _unfitting(
    info: MetricInfo, factors: Sequence[str], used: Sequence[tuple[Factors, ExaminedCell]]
) -> str:
    """Why there is no model; empty if there is one."""
    if info.of_build:
        return SHARED_BUILD
    if sum(len({own[factor] for own, _ in used}) > 1 for factor in factors) < LEAST_FACTORS:
        return "fewer than two factors vary between the arms that were run"
    for _, cell in used:
        lacking = lacking_of(cell, info.name)
        if lacking:
            return lacking
        if info.scale == "ratio" and 0 in cell.by_block(info.name).values():
            return f"a run of {cell.cell.arm} has the value 0, which has no logarithm"
    blocks = {frozenset(cell.by_block(info.name)) for _, cell in used}
    if max(map(len, blocks)) < 2:
        return "one block tells nothing of how much runs vary"
    return ""


def _build(
    question: Question,
    workload: str,
    info: MetricInfo,
    *,
    terms: tuple[FactorialTerm, ...] = (),
    block_share: float | None = None,
    residual_share: float | None = None,
    residual_degrees: int | None = None,
    caveat: str = "",
    reason: str = "",
) -> FactorialModel:
    return FactorialModel(
        question=question.question,
        workload=workload,
        metric=info.name,
        scale=info.scale,
        terms=terms,
        block_share=block_share,
        residual_share=residual_share,
        residual_degrees=residual_degrees,
        caveat=caveat,
        reason=reason,
    )
