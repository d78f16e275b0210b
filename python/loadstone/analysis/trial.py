"""Two arms under one workload by one metric: the test that fits them, or why there is none."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from loadstone.analysis.cells import ExaminedCell
from loadstone.analysis.model import ArmFigure, MetricInfo
from loadstone.stats.brunner_munzel import brunner_munzel
from loadstone.stats.estimate import Estimate
from loadstone.stats.log_ratio import RatioEstimate, log_ratio
from loadstone.stats.paired_t import paired_t
from loadstone.stats.sign_flip import MAXIMUM_PAIRS, sign_flip, smallest_p_value
from loadstone.stats.verdict import MINIMUM_RUNS
from loadstone.stats.welch import welch

Method = Literal["paired t on logarithms", "Welch on logarithms", "paired t", "Welch"]


@dataclass(frozen=True)
class SecondTest:
    """A cross-check, free of distribution."""

    method: str
    p_value: float
    smallest_p_value: float
    """What it can reach at best: it cannot contradict at a level below that."""


@dataclass(frozen=True)
class Trial:
    """A test that was made."""

    estimate: RatioEstimate | Estimate
    method: Method
    second: SecondTest | None


@dataclass(frozen=True)
class NoTrial:
    """No test, and why; the two arms' values may still be set against each other."""

    reason: str
    estimate: float | None


def attempt(info: MetricInfo, baseline: ExaminedCell, other: ExaminedCell) -> Trial | NoTrial:
    """Compare by blocks where each has both arms (or neither), else as independent runs."""
    for cell in (baseline, other):
        lacking = _lacking(cell, cell.figure(info.name))
        if lacking:
            return NoTrial(lacking, estimate=None)
    if info.of_build:
        reason = "all runs share one build: nothing tells how it varies"
        return NoTrial(reason, _plain_estimate(info, baseline, other))
    first, second = baseline.by_block(info.name), other.by_block(info.name)
    if info.scale == "ratio" and 0 in (*first.values(), *second.values()):
        return NoTrial("a run's value is 0, so there is no ratio", estimate=None)
    if min(len(first), len(second)) < MINIMUM_RUNS:
        reason = f"fewer than {MINIMUM_RUNS} runs an arm"
        return NoTrial(reason, _plain_estimate(info, baseline, other))
    if first.keys() == second.keys():
        blocks = sorted(first)
        return _paired(
            info, [first[block] for block in blocks], [second[block] for block in blocks]
        )
    return _unpaired(info, list(first.values()), list(second.values()))


def _lacking(cell: ExaminedCell, figure: ArmFigure) -> str:
    """Why the figure cannot be compared; empty if it can."""
    where = f"{figure.metric} of {cell.cell.arm}"
    if figure.pooled:
        return f"{where} is pooled over blocks: beyond the reach of one run"
    if figure.state != "value":
        return f"{where} is {_STATES[figure.state]}: {figure.reason}"
    return ""


_STATES = {
    "failed": "a failed request",
    "too few samples": "beyond the reach of the samples",
    "not measured": "not measured",
    "not reached": "not reached",
    "withheld": "withheld",
}


def _plain_estimate(info: MetricInfo, baseline: ExaminedCell, other: ExaminedCell) -> float | None:
    first, second = baseline.figure(info.name).value, other.figure(info.name).value
    if first is None or second is None:
        return None
    return second / first if info.scale == "ratio" else second - first


def _paired(info: MetricInfo, first: Sequence[float], second: Sequence[float]) -> Trial:
    ratio = info.scale == "ratio"
    scale = np.log if ratio else np.asarray
    return Trial(
        log_ratio(paired_t, first, second) if ratio else paired_t(first, second),
        "paired t on logarithms" if ratio else "paired t",
        None
        if len(first) > MAXIMUM_PAIRS
        else SecondTest(
            "sign-flip permutation",
            sign_flip((scale(second) - scale(first)).tolist()),
            smallest_p_value(len(first)),
        ),
    )


def _unpaired(info: MetricInfo, first: Sequence[float], second: Sequence[float]) -> Trial:
    ratio = info.scale == "ratio"
    return Trial(
        log_ratio(welch, first, second) if ratio else welch(first, second),
        "Welch on logarithms" if ratio else "Welch",
        SecondTest("Brunner-Munzel", brunner_munzel(first, second), smallest_p_value=0.0),
    )
