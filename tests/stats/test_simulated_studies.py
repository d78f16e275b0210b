"""What the comparison of two arms promises, on studies of which the truth is known. Fixed seeds.

The functions are those that studies use. In the slow suite each cell has 20,000 studies and is held
to the promise itself; in the fast one it has 400 and is held to what chance leaves of it.
"""

import itertools

import numpy as np
import pytest
from scipy import stats
from simulated_studies import FAST, RUNS, SLOW, VARIATIONS, Size, blocks, report, variation

from loadstone.stats.comparison.estimate import Estimate
from loadstone.stats.comparison.factorial import factorial
from loadstone.stats.comparison.log_ratio import Compare, log_ratio
from loadstone.stats.comparison.logrank import logrank
from loadstone.stats.comparison.paired_t import paired_t
from loadstone.stats.comparison.sign_flip import sign_flip
from loadstone.stats.comparison.smallest_effect import (
    smallest_difference,
    smallest_effect,
    smallest_ratio,
)
from loadstone.stats.comparison.welch import welch

SIZES = [
    pytest.param(FAST, id="fast"),
    pytest.param(SLOW, id="slow", marks=[pytest.mark.slow, pytest.mark.timeout(1200)]),
]
RATIOS = (1.0, 1.05, 2.0)


def arms(kind: str, runs: int, studies: int, shared: bool) -> tuple[np.ndarray, np.ndarray]:
    """Logarithms of two equal arms' runs."""
    rng = np.random.default_rng([runs, VARIATIONS.index(kind), shared])
    both = variation(kind, rng, (studies, 2, runs))
    if shared:
        both += blocks(rng, studies, runs)
    return both[:, 0], both[:, 1]


def intervals(compare: Compare, first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Of the ratios, one row a study."""
    pairs = zip((100 * np.exp(first)).tolist(), (100 * np.exp(second)).tolist(), strict=True)
    return np.array([log_ratio(compare, one, other).interval(0.95) for one, other in pairs])


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("kind", VARIATIONS)
@pytest.mark.parametrize("runs", RUNS)
@pytest.mark.parametrize("compare", [paired_t, welch])
def test_the_interval_covers_the_true_ratio_and_equal_arms_are_not_called_different(
    compare: Compare, runs: int, kind: str, size: Size
) -> None:
    first, second = arms(kind, runs, size.studies, shared=compare is paired_t)
    covered = {}
    for ratio in RATIOS:
        low, high = intervals(compare, first, second + np.log(ratio)).T
        covered[ratio] = float(np.mean((low <= ratio) & (ratio <= high)))
    false = 1 - covered[1.0]
    report(compare.__name__, runs, kind, false, *covered.values())
    assert false <= size.most_false(size.studies)
    assert min(covered.values()) >= size.least_covered(size.studies)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("runs", [(3, 3), (3, 6), (3, 10), (5, 10), (6, 5)])
@pytest.mark.parametrize("spreads", [(0.01, 0.05), (0.05, 0.01), (0.05, 0.05), (0.03, 0.01)])
def test_unpaired_arms_that_vary_differently_are_not_called_different(
    runs: tuple[int, int], spreads: tuple[float, float], size: Size
) -> None:
    rng = np.random.default_rng([*runs, *(int(1000 * spread) for spread in spreads)])
    first, second = (
        spread * rng.standard_normal((size.studies, count))
        for spread, count in zip(spreads, runs, strict=True)
    )
    low, high = intervals(welch, first, second).T
    false = float(np.mean((low > 1) | (high < 1)))
    report("welch", f"{runs[0]} and {runs[1]}", f"{spreads[0]:.0%} and {spreads[1]:.0%}", false)
    assert false <= size.most_false(size.studies)


def test_satterthwaites_degrees_would_call_them_different_too_often() -> None:
    # Why Welch's statistic has the smaller arm's degrees of freedom here.
    rng = np.random.default_rng(7)
    first, second = 3 * rng.standard_normal((50_000, 3)), rng.standard_normal((50_000, 6))
    p_values = stats.ttest_ind(first, second, axis=1, equal_var=False).pvalue
    assert np.mean(p_values <= 0.05) > 0.06
    assert np.mean(p_values <= 0.005) > 3 * 0.005


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("runs", RUNS)
def test_nine_of_ten_studies_find_5_percent_where_that_is_the_smallest_difference(
    runs: int, size: Size
) -> None:
    unit = smallest_effect(runs, 0.05, 0.9) * np.sqrt(2)
    rng = np.random.default_rng(runs)
    noise = rng.standard_normal((size.studies, 2, runs))
    disturbance = blocks(rng, size.studies, runs)
    found = {}
    for smallest in (0.025, 0.05, 0.1):
        deviation = np.log1p(smallest) / unit
        assert smallest_ratio(deviation, runs, 0.05, 0.9) == pytest.approx(1 + smallest)
        first, second = np.moveaxis(deviation * noise + disturbance, 1, 0)
        low, _ = intervals(paired_t, first, second + np.log(1.05)).T
        found[smallest] = float(np.mean(low > 1))
    report("power", runs, *found.values())
    low_share, high_share = stats.binom.interval(0.999, size.studies, 0.9)
    assert low_share <= found[0.05] * size.studies <= high_share
    assert found[0.1] < 0.9 < found[0.025]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("runs", RUNS)
def test_a_smallest_difference_by_the_spread_that_was_seen_is_found_less_often(
    runs: int, size: Size
) -> None:
    # What a study prints is by its own spread, which may be too small or too large: a second study
    # finds a difference of the printed size with a power that is the mean over all spreads seen.
    degrees, critical = runs - 1, stats.t.ppf(0.975, runs - 1)
    unit = smallest_effect(runs, 0.05, 0.9) * np.sqrt(runs / degrees)
    power = stats.chi(degrees).expect(lambda spread: stats.nct.sf(critical, degrees, unit * spread))
    rng = np.random.default_rng(runs)
    first, second = rng.standard_normal((2, size.studies, runs))
    printed = [
        smallest_difference(paired_t(*pair), 0.05, 0.9)
        for pair in zip(first[:200].tolist(), second[:200].tolist(), strict=True)
    ]
    deviations = (second - first).std(axis=1, ddof=1)
    everything = smallest_effect(runs, 0.05, 0.9) * deviations
    assert everything[:200] == pytest.approx(np.array(printed))
    again = np.sqrt(2) * rng.standard_normal((size.studies, runs)) + everything[:, None]
    found = [
        Estimate(mean, error, runs - 1).interval(0.95)[0] > 0
        for mean, error in zip(
            again.mean(axis=1).tolist(),
            (again.std(axis=1, ddof=1) / np.sqrt(runs)).tolist(),
            strict=True,
        )
    ]
    report("power by the spread seen", runs, float(np.mean(found)))
    low_share, high_share = stats.binom.interval(0.9999, size.studies, power)
    assert low_share <= sum(found) <= high_share


@pytest.mark.parametrize("kind", ["heavy tails", "one run in ten takes twice as long"])
def test_the_permutation_test_never_exceeds_its_level(kind: str) -> None:
    first, second = arms(kind, 6, 2000, shared=True)
    false = sum(sign_flip(row) <= 0.05 for row in (second - first).tolist())
    assert false <= stats.binom.ppf(0.999, 2000, 0.05)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("runs", RUNS)
def test_arms_that_fail_alike_are_not_called_different(runs: int, size: Size) -> None:
    studies = size.studies
    rng = np.random.default_rng(runs)
    times = np.round(rng.exponential(100, (studies, 2, runs)), 1)
    watched_until = 150.0
    false = sum(
        logrank(
            *_watched(first.tolist(), watched_until), *_watched(second.tolist(), watched_until)
        ).p_value
        <= 0.05
        for first, second in times
    )
    report("log-rank", runs, false / studies)
    assert false / studies <= size.most_false(studies)


def _watched(times: list[float], until: float) -> tuple[list[float], list[bool]]:
    return [min(time, until) for time in times], [time <= until for time in times]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("kind", ["5 %", "one run in ten is bad"])
@pytest.mark.parametrize("runs", RUNS)
def test_factors_without_effect_are_not_told_to_have_one(runs: int, kind: str, size: Size) -> None:
    studies = size.studies
    rng = np.random.default_rng([runs, VARIATIONS.index(kind)])
    arms_of_study = list(itertools.product("abc", "xy"))
    values = variation(kind, rng, (studies, 6, runs)) + blocks(rng, studies, runs)
    factors = {
        name: [arm[at] for arm in arms_of_study for _ in range(runs)]
        for at, name in enumerate(("gateway", "client"))
    }
    of_blocks = [*range(runs)] * 6
    false = np.zeros(3)
    for study in values:
        terms = factorial(study.ravel().tolist(), factors, of_blocks).terms
        false += [(term.p_value or 0) <= 0.05 for term in terms]
    report("factorial", runs, kind, *(false / studies).tolist())
    assert max(false / studies) <= size.most_false(studies)
