"""What the comparison of all pairs of twenty arms promises: Holm, rank intervals, the set of the best.

Fixed seeds. Whole arrays of studies are analysed by a twin of the functions that studies use; the two
are held against each other first.
"""

from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import stdtr
from simulated_studies import (
    BY_TURNS,
    FAST,
    RUNS,
    SLOW,
    VARIATIONS,
    Floats,
    Size,
    blocks,
    report,
    variation,
)

from loadstone.stats.comparison.holm import ALPHA, holm_alphas
from loadstone.stats.comparison.log_ratio import Compare, log_ratio
from loadstone.stats.comparison.paired_t import paired_t
from loadstone.stats.comparison.ranks import best, rank_intervals
from loadstone.stats.comparison.welch import welch

ARMS = 20
PAIRS = np.array(list(combinations(range(ARMS), 2)))
SIZES = [
    pytest.param(FAST, id="fast"),
    pytest.param(SLOW, id="slow", marks=[pytest.mark.slow, pytest.mark.timeout(1200)]),
]
EQUAL = np.zeros(ARMS)
STEPS = np.log(np.repeat([1.0, 1.05, 1.2, 2.0], [3, 7, 5, 5]))
"""Three arms are the best, seven 5 % worse, and so on."""
CASES = [
    *((compare, kind) for kind in VARIATIONS for compare in (paired_t, welch)),
    (welch, BY_TURNS),
]


@dataclass(frozen=True)
class Told:
    """Of each study and arm."""

    better: NDArray[np.bool_]
    """Studies x arms x arms: whether the first was told better (smaller) than the second."""
    low: NDArray[np.int64]
    high: NDArray[np.int64]


def values_of(kind: str, compare: Compare, truth: Floats, studies: int, runs: int) -> Floats:
    """Logarithms, of shape studies x arms x runs."""
    kinds = (*VARIATIONS, BY_TURNS)
    rng = np.random.default_rng([runs, kinds.index(kind), compare is welch, bool(truth.any())])
    values = variation(kind, rng, (studies, ARMS, runs)) + truth[:, None]
    return values + blocks(rng, studies, runs) if compare is paired_t else values


def told_by_twin(compare: Compare, values: Floats) -> Told:
    studies, _, runs = values.shape
    first, second = values[:, PAIRS[:, 0]], values[:, PAIRS[:, 1]]
    if compare is paired_t:
        errors = (second - first).std(axis=2, ddof=1) / np.sqrt(runs)
    else:
        errors = np.sqrt((first.var(axis=2, ddof=1) + second.var(axis=2, ddof=1)) / runs)
    differences = (second - first).mean(axis=2)
    p_values = 2 * stdtr(runs - 1, -np.abs(differences) / errors)
    order = np.argsort(p_values, axis=1)
    ordered = np.take_along_axis(p_values, order, axis=1)
    passed = np.logical_and.accumulate(ordered <= ALPHA / np.arange(len(PAIRS), 0, -1), axis=1)
    rejected = np.zeros_like(passed)
    np.put_along_axis(rejected, order, passed, axis=1)
    better = np.zeros((studies, ARMS, ARMS), dtype=bool)
    better[:, PAIRS[:, 0], PAIRS[:, 1]] = rejected & (differences > 0)
    better[:, PAIRS[:, 1], PAIRS[:, 0]] = rejected & (differences < 0)
    return Told(better, 1 + better.sum(axis=1), ARMS - better.sum(axis=2))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("compare", [paired_t, welch])
@pytest.mark.parametrize("runs", RUNS)
def test_the_twin_tells_what_studies_tell(compare: Compare, runs: int, size: Size) -> None:
    values = values_of("1 %", compare, STEPS, size.pairs_checked, runs)
    twin = told_by_twin(compare, values)
    for study, logarithms in enumerate(values):
        arms = np.exp(logarithms).tolist()
        estimates = [log_ratio(compare, arms[one], arms[other]) for one, other in PAIRS]
        alphas = holm_alphas([each.p_value() for each in estimates])
        better = set()
        for (one, other), estimate, alpha in zip(PAIRS.tolist(), estimates, alphas, strict=True):
            low, high = estimate.interval(1 - alpha)
            if low > 1:
                better.add((one, other))
            elif high < 1:
                better.add((other, one))
        assert better == {tuple(pair) for pair in np.argwhere(twin.better[study]).tolist()}
        ranks = rank_intervals(logarithms.mean(axis=1).tolist(), better)
        assert [each.low for each in ranks] == twin.low[study].tolist()
        assert [each.high for each in ranks] == twin.high[study].tolist()
        assert best(ranks) == tuple(np.flatnonzero(twin.low[study] == 1).tolist())


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("compare", "kind"), CASES)
@pytest.mark.parametrize("runs", RUNS)
def test_twenty_equal_arms_have_no_winner_and_are_all_among_the_best(
    compare: Compare, kind: str, runs: int, size: Size
) -> None:
    told = told_by_twin(compare, values_of(kind, compare, EQUAL, size.family_studies, runs))
    winner = told.better.any(axis=(1, 2))
    excluded = (told.low > 1).any(axis=1)
    assert (
        winner == excluded
    ).all()  # a claim is a false winner, and takes its loser from the best
    report("20 equal arms", compare.__name__, runs, kind, float(winner.mean()))
    assert winner.mean() <= size.most_false(size.family_studies)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("compare", "kind"), CASES)
@pytest.mark.parametrize("runs", RUNS)
def test_rank_intervals_hold_all_true_ranks_and_the_best_are_among_the_best(
    compare: Compare, kind: str, runs: int, size: Size
) -> None:
    told = told_by_twin(compare, values_of(kind, compare, STEPS, size.family_studies, runs))
    first = 1 + (STEPS[:, None] > STEPS).sum(
        axis=1
    )  # an arm that ties has all ranks that are shared
    last = ARMS - (STEPS[:, None] < STEPS).sum(axis=1)
    covered = ((told.low <= first) & (last <= told.high)).all(axis=1)
    kept = (told.low[:, STEPS == 0] == 1).all(axis=1)
    width = float(np.mean(told.high - told.low + 1))
    report(
        "ranks",
        compare.__name__,
        runs,
        kind,
        float(covered.mean()),
        float(kept.mean()),
        f"{width:.1f}",
    )
    least = size.least_covered(size.family_studies)
    assert covered.mean() >= least
    assert kept.mean() >= least


def test_twenty_equal_arms_would_have_a_winner_in_most_studies_without_the_correction() -> None:
    values = values_of("5 %", paired_t, EQUAL, 1000, 6)
    differences = values[:, PAIRS[:, 1]] - values[:, PAIRS[:, 0]]
    t_values = differences.mean(axis=2) / (differences.std(axis=2, ddof=1) / np.sqrt(6))
    assert np.mean((2 * stdtr(5, -np.abs(t_values)) <= ALPHA).any(axis=1)) > 0.8
