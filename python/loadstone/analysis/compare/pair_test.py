"""Two arms under one workload by one metric: the test that fits them, or why there is none."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from loadstone.analysis.cells.cell import ExaminedCell
from loadstone.analysis.sentences.no_claim import why_nothing_is_told
from loadstone.metrics.model import MetricInfo
from loadstone.stats.comparison.brunner_munzel import brunner_munzel
from loadstone.stats.comparison.estimate import Estimate
from loadstone.stats.comparison.log_ratio import RatioEstimate, log_ratio
from loadstone.stats.comparison.paired_t import paired_t
from loadstone.stats.comparison.sign_flip import MAXIMUM_PAIRS, sign_flip, smallest_p_value
from loadstone.stats.comparison.verdict import MINIMUM_RUNS
from loadstone.stats.comparison.welch import welch

SHARED_BUILD = "all runs share one build: nothing tells how it varies"
Method = Literal["paired t on logarithms", "Welch on logarithms", "paired t", "Welch"]


@dataclass(frozen=True)
class SecondTest:
    """A cross-check, free of distribution."""

    method: str
    p_value: float
    smallest_p_value: float
    """What it can reach at best: it cannot contradict at a level below that."""


@dataclass(frozen=True)
class PairTest:
    """A test that was made, and the runs' values that it was made of."""

    estimate: RatioEstimate | Estimate
    method: Method
    baseline: tuple[float, ...]
    other: tuple[float, ...]

    @property
    def is_paired(self) -> bool:
        """Whether the values stand in pairs, a block each."""
        return self.method.startswith("paired")

    def second(self) -> SecondTest | None:
        """The cross-check; none for more pairs than it takes."""
        if not self.is_paired:
            found = brunner_munzel(self.baseline, self.other)
            return SecondTest("Brunner-Munzel", found, smallest_p_value=0.0)
        if len(self.baseline) > MAXIMUM_PAIRS:
            return None
        scale = np.log if isinstance(self.estimate, RatioEstimate) else np.asarray
        return SecondTest(
            "sign-flip permutation",
            sign_flip((scale(self.other) - scale(self.baseline)).tolist()),
            smallest_p_value(len(self.baseline)),
        )


@dataclass(frozen=True)
class NoPairTest:
    """Why there is no test; without one the two arms may still have a ratio or a difference."""

    reason: str
    estimate: float | None


def compare_pair(
    info: MetricInfo, baseline: ExaminedCell, other: ExaminedCell, *, blocks: bool = True
) -> PairTest | NoPairTest:
    """Compare block by block where both arms have the same blocks, else as independent runs.

    Without `blocks` the runs are always independent: those of two studies share no block.
    """
    for cell in (baseline, other):
        lacking = lacking_of(cell, info.name)
        if lacking:
            return NoPairTest(lacking, estimate=None)
    if info.of_build:
        return NoPairTest(SHARED_BUILD, _plain_estimate(info, baseline, other))
    first, second = baseline.by_block(info.name), other.by_block(info.name)
    if info.scale == "ratio" and 0 in (*first.values(), *second.values()):
        return NoPairTest("a run's value is 0, so there is no ratio", estimate=None)
    if min(len(first), len(second)) < MINIMUM_RUNS:
        reason = f"fewer than {MINIMUM_RUNS} runs an arm"
        return NoPairTest(reason, _plain_estimate(info, baseline, other))
    if blocks and first.keys() == second.keys():
        shared = sorted(first)
        return _pair_test(
            info, "paired", [first[each] for each in shared], [second[each] for each in shared]
        )
    return _pair_test(info, "unpaired", list(first.values()), list(second.values()))


def lacking_of(cell: ExaminedCell, metric: str) -> str:
    """Why the arm's figure cannot be compared; empty if it can. All that compares or ranks asks."""
    figure = cell.figure(metric)
    where = f"{metric} of {cell.cell.arm}"
    if figure.pooled:
        return f"{where} is pooled over blocks: beyond the reach of one run"
    if figure.state != "value":
        return f"{where} is {_STATES[figure.state]}: {figure.reason}"
    return why_nothing_is_told(cell.cell.arm, figure.no_claim) if figure.no_claim else ""


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


def _pair_test(
    info: MetricInfo,
    pairing: Literal["paired", "unpaired"],
    first: Sequence[float],
    second: Sequence[float],
) -> PairTest:
    test = paired_t if pairing == "paired" else welch
    is_ratio = info.scale == "ratio"
    return PairTest(
        log_ratio(test, first, second) if is_ratio else test(first, second),
        _METHODS[pairing, info.scale],
        tuple(first),
        tuple(second),
    )


_METHODS: dict[tuple[str, str], Method] = {
    ("paired", "ratio"): "paired t on logarithms",
    ("paired", "difference"): "paired t",
    ("unpaired", "ratio"): "Welch on logarithms",
    ("unpaired", "difference"): "Welch",
}
