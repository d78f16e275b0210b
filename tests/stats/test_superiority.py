"""The probability of superiority: by hand, scipy and statsmodels, properties, and its coverage."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference_values import arms
from scipy import stats
from statsmodels.stats.nonparametric import rank_compare_2indep

from loadstone.stats.comparison.superiority import superiority

RUNS = st.lists(st.integers(1, 30).map(float), min_size=2, max_size=10)


def test_two_runs_an_arm_by_hand() -> None:
    # 1 < 2, 1 < 4, 3 < 4, and one of the four pairs the other way round.
    assert superiority([2, 4], [1, 3]).probability == 3 / 4
    assert superiority([2, 4], [2, 9]).probability == (1 + 1 / 2) / 4


def test_arms_that_do_not_overlap_have_an_interval_of_some_width() -> None:
    for count, least in ((3, 0.3), (10, 0.6)):
        found = superiority(list(range(10, 10 + count)), list(range(count)))
        assert found.probability == found.high == 1
        assert least < found.low < 0.9


@pytest.mark.parametrize("name", arms())
def test_the_probability_is_that_of_scipy_and_statsmodels(name: str) -> None:
    baseline, other = arms()[name]
    found = superiority(baseline, other)
    pairs = len(baseline) * len(other)
    expected = stats.mannwhitneyu(baseline, other).statistic / pairs
    assert found.probability == pytest.approx(expected)
    if 0 < found.probability < 1:
        theirs = rank_compare_2indep(baseline, other)
        assert found.probability == pytest.approx(theirs.prob1)


@pytest.mark.parametrize("name", arms())
def test_the_interval_ends_where_a_score_test_rejects(name: str) -> None:
    baseline, other = arms()[name]
    found = superiority(baseline, other)
    count = len(baseline), len(other)
    critical = stats.t.ppf(0.975, sum(count) - 2)

    def statistic(p: float) -> float:
        first, second = p / (2 - p) - p * p, 2 * p * p / (1 + p) - p * p  # Hanley & McNeil 1982
        mean = sum(count) / 2 - 1
        # Newcombe replaces the two arms' sizes by their mean, so that neither is the first.
        return (found.probability - p) / math.sqrt(
            (p * (1 - p) + mean * first + mean * second) / (count[0] * count[1])
        )

    if found.low > 0:
        assert statistic(found.low) == pytest.approx(critical, rel=1e-6)
    if found.high < 1:
        assert statistic(found.high) == pytest.approx(-critical, rel=1e-6)


@given(RUNS, RUNS, st.sampled_from([0.8, 0.95, 0.999]))
def test_exchanging_the_arms_turns_the_interval(
    first: list[float], second: list[float], level: float
) -> None:
    forth, back = superiority(first, second, level), superiority(second, first, level)
    assert 0 <= forth.low <= forth.probability <= forth.high <= 1
    assert forth.probability == pytest.approx(1 - back.probability)
    assert (forth.low, forth.high) == pytest.approx((1 - back.high, 1 - back.low))


@given(RUNS, RUNS)
def test_only_the_order_of_the_runs_matters(first: list[float], second: list[float]) -> None:
    found = superiority(first, second)
    assert superiority([v**3 for v in first], [v**3 for v in second]) == found
    wider = superiority(first, second, level=0.99)
    assert wider.low <= found.low <= found.high <= wider.high


@pytest.mark.parametrize("runs", [3, 5, 6, 10])
@pytest.mark.parametrize("shift", [0.0, 1.0, 2.0])
def test_it_covers_the_truth_in_95_percent(runs: int, shift: float) -> None:
    rng = np.random.default_rng(runs)
    studies, covered = 1000, 0
    true = stats.norm.cdf(shift / math.sqrt(2))
    for _ in range(studies):
        found = superiority(rng.normal(shift, 1, runs).tolist(), rng.normal(0, 1, runs).tolist())
        covered += found.low <= true <= found.high
    assert covered >= stats.binom.ppf(0.001, studies, 0.95)


@pytest.mark.parametrize(
    ("baseline", "other", "level"),
    [([1.0], [1.0, 2.0], 0.95), ([1.0, math.nan], [1.0, 2.0], 0.95), ([1.0, 2], [1.0, 2], 1.0)],
)
def test_what_cannot_be_compared_is_refused(
    baseline: list[float], other: list[float], level: float
) -> None:
    with pytest.raises(ValueError):
        superiority(baseline, other, level)
