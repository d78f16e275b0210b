"""Wilcoxon's rank-sum test: by hand, as R printed it, statsmodels, all orders, properties."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference_values import arms
from scipy import stats
from statsmodels.stats.nonparametric import rank_compare_2indep

from loadstone.stats.comparison.rank_sum import rank_sum

VALUES = st.lists(st.integers(-20, 20).map(float), min_size=1, max_size=12)


def of(first: list[float], second: list[float]) -> tuple[float, float, float]:
    found = rank_sum(np.array(first), np.array(second))
    return found.statistic, found.p_value, found.cliffs_delta


def test_two_samples_by_hand() -> None:
    # Of six pairs the first is larger in one, 3 > 2, and one is tied.
    found = rank_sum(np.array([1.0, 3]), np.array([2.0, 3, 9]))
    assert (found.statistic, found.pairs, found.is_exact) == (1.5, 6, False)
    assert found.cliffs_delta == pytest.approx((1.5 - 4.5) / 6)


def test_the_example_of_r() -> None:
    # help(wilcox.test), Hollander & Wolfe 1973: W = 35, one-sided p-value = 0.1272.
    first = [0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46]
    second = [1.15, 0.88, 0.90, 0.74, 1.21]
    statistic, p_value, _ = of(first, second)
    assert (statistic, p_value) == (35, pytest.approx(2 * 0.1272, abs=1e-4))


def test_exact_p_values_count_all_orders() -> None:
    first, second = [1.5, 3.5, 7.0], [2.0, 4.0, 5.0, 8.0]
    statistic, p_value, _ = of(first, second)
    both = sorted([*first, *second])
    chosen = [
        sum(a > b for a in each for b in set(both) - set(each)) for each in combinations(both, 3)
    ]
    far = sum(abs(each - 6) >= abs(statistic - 6) for each in chosen)
    assert p_value == pytest.approx(far / len(chosen))


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # its own interval, where nothing overlaps
@pytest.mark.parametrize("name", arms())
def test_cliffs_delta_is_that_of_statsmodels(name: str) -> None:
    baseline, other = arms()[name]
    _, _, delta = of(other, baseline)
    # prob1 is P(first > second) + half of the ties.
    assert delta == pytest.approx(2 * rank_compare_2indep(other, baseline).prob1 - 1)


@pytest.mark.parametrize("seed", range(5))
def test_many_values_are_by_the_normal_approximation_with_ties(seed: int) -> None:
    rng = np.random.default_rng(seed)
    first, second = rng.integers(0, 30, 80) * 1.0, rng.integers(2, 33, 120) * 1.0
    found = rank_sum(first, second)
    both = np.concatenate([first, second])
    ranks = stats.rankdata(both)
    statistic = ranks[:80].sum() - 80 * 81 / 2
    _, ties = np.unique(both, return_counts=True)
    count = len(both)
    variance = 80 * 120 / 12 * (count + 1 - (ties**3 - ties).sum() / (count * (count - 1)))
    distance = abs(statistic - 80 * 120 / 2) - 0.5
    assert found.statistic == statistic
    assert found.p_value == pytest.approx(2 * stats.norm.sf(distance / np.sqrt(variance)))


@pytest.mark.parametrize(
    ("statistic", "p_value", "delta"),
    [(50289, 0.013, 0.12), (2715, 3e-88, -0.94), (280, 2e-98, -0.99), (21215, 4e-29, -0.53)],
)
def test_the_published_tests_of_300_requests_a_side(
    statistic: int, p_value: float, delta: float
) -> None:
    # What a dissertation's files give, to the digits that are told. W decides both, without ties.
    larger = np.full(300, statistic // 300)
    larger[: statistic % 300] += 1
    first = larger + 0.5 + np.arange(300) * 1e-4
    found = rank_sum(first, np.arange(1.0, 301))
    assert found.statistic == statistic
    assert f"{found.p_value:.{1 if p_value > 0.001 else 0}e}" == (
        f"{p_value:.{1 if p_value > 0.001 else 0}e}"
    )
    assert round(found.cliffs_delta, 2) == delta


@given(VALUES, VALUES)
def test_exchanging_the_samples_mirrors_it(first: list[float], second: list[float]) -> None:
    statistic, p_value, delta = of(first, second)
    back_statistic, back_p_value, back_delta = of(second, first)
    assert statistic + back_statistic == len(first) * len(second)
    assert back_p_value == pytest.approx(p_value)
    assert back_delta == pytest.approx(-delta)
    assert 0 <= p_value <= 1
    assert -1 <= delta <= 1


def test_samples_of_one_common_value_do_not_differ() -> None:
    assert of([2.0, 2, 2], [2.0, 2]) == (3, 1.0, 0)


def test_below_the_bound_of_ones_own_nothing_is_exact() -> None:
    first, second = np.arange(20.0), np.arange(20.0) + 30.5
    assert rank_sum(first, second).is_exact
    assert not rank_sum(first, second, exact_below=9).is_exact


@pytest.mark.parametrize(("first", "second"), [([], [1.0]), ([1.0], []), ([1.0], [np.nan])])
def test_what_cannot_be_compared_is_refused(first: list[float], second: list[float]) -> None:
    with pytest.raises(ValueError):
        of(first, second)
