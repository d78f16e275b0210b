"""Sign-flip permutation and Brunner-Munzel."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.nonparametric import rank_compare_2indep

from loadstone.stats.comparison.brunner_munzel import brunner_munzel
from loadstone.stats.comparison.sign_flip import sign_flip, smallest_p_value

WHOLE = st.lists(st.integers(-20, 20), min_size=2, max_size=10)
RUNS = st.lists(st.floats(1, 100), min_size=3, max_size=10)


def test_six_differences_of_one_sign_reach_the_smallest_p_value() -> None:
    assert sign_flip([1, 2, 3, 4, 5, 6]) == 2 / 64 == smallest_p_value(6)


def test_three_differences_by_hand() -> None:
    # Sums of +-1 +-2 +-4: -7 -5 -3 -1 1 3 5 7; four of the eight lie at 5 or farther.
    assert sign_flip([-1, 2, 4]) == 4 / 8


def test_no_difference_at_all_gives_1() -> None:
    assert sign_flip([0.0, 0.0, 0.0]) == 1


def test_24_pairs_are_still_exact() -> None:
    assert sign_flip([1.0] * 24) == 2 / 2**24


@given(WHOLE)
def test_it_agrees_with_scipys_exact_permutation_test(differences: list[int]) -> None:
    expected = stats.permutation_test(
        (np.array(differences),),
        lambda x, axis: np.sum(x, axis=axis),
        permutation_type="samples",
        n_resamples=np.inf,
        vectorized=True,
    )
    assert sign_flip(differences) == pytest.approx(expected.pvalue)


@given(WHOLE, st.floats(0.001, 1000))
def test_neither_unit_nor_direction_matters(differences: list[int], factor: float) -> None:
    scaled = [-factor * difference for difference in differences]
    assert sign_flip(scaled) == pytest.approx(sign_flip(differences))


@pytest.mark.parametrize("bad", [[], [1.0] * 41, [math.nan]])
def test_what_cannot_be_flipped_is_refused(bad: list[float]) -> None:
    with pytest.raises(ValueError):
        sign_flip(bad)


def test_brunner_munzel_on_the_published_pain_scores() -> None:
    # Brunner & Munzel 2000, table 1: statistic 3.1375, p = 0.0058.
    first = [1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 2, 4, 1, 1]
    second = [3, 3, 4, 3, 1, 2, 3, 1, 1, 5, 4]
    assert brunner_munzel(first, second) == pytest.approx(0.00579, abs=1e-5)


@pytest.mark.parametrize("seed", range(5))
def test_brunner_munzel_agrees_with_statsmodels(seed: int) -> None:
    rng = np.random.default_rng(seed)
    first, second = rng.normal(10, 1, 6), rng.normal(10.5, 2, 8)
    expected = rank_compare_2indep(first, second).test_prob_superior(0.5).pvalue
    assert brunner_munzel(first.tolist(), second.tolist()) == pytest.approx(expected)


def test_arms_that_do_not_overlap_are_certainly_different() -> None:
    assert brunner_munzel([1, 2, 3], [4, 5, 6]) == 0
    assert brunner_munzel([4, 5, 6], [1, 2, 3]) == 0


def test_arms_of_one_common_value_are_not_different() -> None:
    assert brunner_munzel([2, 2, 2], [2, 2, 2]) == 1


@given(RUNS, RUNS)
def test_exchanging_the_arms_changes_nothing(first: list[float], second: list[float]) -> None:
    p_value = brunner_munzel(first, second)
    assert 0 <= p_value <= 1
    assert p_value == pytest.approx(brunner_munzel(second, first), abs=1e-9)


@pytest.mark.parametrize(("first", "second"), [([1], [2, 3]), ([1, math.nan], [2, 3])])
def test_too_few_or_unfinite_runs_are_refused(first: list[float], second: list[float]) -> None:
    with pytest.raises(ValueError):
        brunner_munzel(first, second)
