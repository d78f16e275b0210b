"""Log-rank: whether runs of one arm last longer than those of another, some of them only watched.

Peto & Peto, "Asymptotically Efficient Rank Invariant Test Procedures", Journal of the Royal
Statistical Society A 135(2), 1972. Its usual p value is that of a normal distribution, which is wrong
for few runs: for three an arm, whose times do not overlap, it is 0.025, where 2 of the 20 ways to deal
six runs to two arms are as extreme, so that at 5 % one in ten studies of equal arms had a difference.

So the p value is exact as long as the ways can be counted: the share of them in which the sum of the
arm's scores, failed or not less the failures expected by then, is as far from 0. That asks for equal
watching in both arms, which one workload grants, and takes the runs of a block for independent: a
disturbance that they share makes it find less.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from loadstone.stats.comparison.kaplan_meier import require_runs

MOST_EXACT_RUNS = 32
"""Of both arms together, with two halves of 2^16 sums; beyond it the normal distribution is near."""

_TIE = 1e-12
"""Relative: sums that differ by less are the same sum, added in another order."""


@dataclass(frozen=True)
class LogRank:
    """Statistic and two-sided p value of no difference."""

    statistic: float
    """Failures of the first arm less those expected of it, in standard deviations: above 0 where it
    fails earlier. 0 where nothing can be told."""
    p_value: float
    """Exact for `MOST_EXACT_RUNS` and fewer, else by the normal distribution."""


NOTHING_TOLD = LogRank(0.0, 1.0)


def logrank(
    first_times: Sequence[float],
    first_failed: Sequence[bool],
    second_times: Sequence[float],
    second_failed: Sequence[bool],
) -> LogRank:
    """Compare two arms; `ValueError` as for `survival`.

    `NOTHING_TOLD` where no run failed, where all did at the same time, and where each failure came when
    only one arm was watched.
    """
    require_runs(first_times, first_failed)
    require_runs(second_times, second_failed)
    times = np.array([*first_times, *second_times], dtype=float)
    failed = np.array([*first_failed, *second_failed], dtype=bool)
    first = np.arange(len(times)) < len(first_times)
    ends, failures = np.unique(times[failed], return_counts=True)
    watched = (times[:, None] >= ends).sum(axis=0)
    of_first = (times[first, None] >= ends).sum(axis=0)
    variance = _variance(watched, of_first, failures)
    if variance == 0:
        return NOTHING_TOLD
    # Of each run 1 if it failed, less the failures expected of it by its time, which is Nelson and
    # Aalen's cumulative hazard of both arms: an arm's sum is its failures less those expected of it.
    hazard = np.concatenate(([0.0], np.cumsum(failures / watched)))
    scores = failed - hazard[np.searchsorted(ends, times, side="right")]
    statistic = float(scores[first].sum()) / math.sqrt(variance)
    if len(times) > MOST_EXACT_RUNS:
        return LogRank(statistic, float(2 * ndtr(-abs(statistic))))
    return LogRank(statistic, _exact(scores, len(first_times)))


def _variance(
    watched: NDArray[np.int64], of_first: NDArray[np.int64], failures: NDArray[np.int64]
) -> float:
    """Hypergeometric, of the failures of the first arm, summed over their times."""
    several = watched > 1
    all_of, first, failed = watched[several], of_first[several], failures[several]
    share = first / all_of
    return float((failed * share * (1 - share) * (all_of - failed) / (all_of - 1)).sum())


def _exact(scores: NDArray[np.float64], count: int) -> float:
    """Share of the ways to choose `count` runs whose sum is as far from 0 as that of the first ones."""
    observed = abs(float(scores[:count].sum())) - _TIE * float(np.abs(scores).sum())
    if observed <= 0:
        return 1.0
    half = len(scores) // 2
    # Sorting one half's sums and counting in them by bisection spares the product of both halves.
    first, first_taken = _sums(scores[:half])
    second, second_taken = _sums(scores[half:])
    extreme = 0
    for taken in range(max(0, count - (len(scores) - half)), min(half, count) + 1):
        sums = first[first_taken == taken]
        rest = np.sort(second[second_taken == count - taken])
        extreme += int((rest.size - np.searchsorted(rest, observed - sums, side="left")).sum())
        extreme += int(np.searchsorted(rest, -observed - sums, side="right").sum())
    return extreme / math.comb(len(scores), count)


def _sums(scores: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """The sums of all choices of some of the scores, and how many each has."""
    sums, taken = np.zeros(1), np.zeros(1, dtype=np.int64)
    for score in scores:
        sums = np.concatenate((sums, sums + score))
        taken = np.concatenate((taken, taken + 1))
    return sums, taken
