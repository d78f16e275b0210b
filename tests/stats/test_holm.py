from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from loadstone.stats.comparison.holm import holm_alphas

P_VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=20)


def test_three_comparisons_by_hand() -> None:
    # 0.01 <= 0.05/3, then 0.02 <= 0.05/2, then 0.04 <= 0.05: all rejected, each at its own alpha.
    assert holm_alphas([0.02, 0.04, 0.01]) == pytest.approx([0.05 / 2, 0.05, 0.05 / 3])


def test_after_the_first_that_is_not_rejected_the_rest_use_its_alpha() -> None:
    # 0.01 <= 0.05/3; 0.03 > 0.05/2 stops; 0.04 would pass 0.05 but is held against 0.05/2.
    assert holm_alphas([0.04, 0.01, 0.03]) == pytest.approx([0.05 / 2, 0.05 / 3, 0.05 / 2])


def test_a_single_comparison_is_not_corrected() -> None:
    assert holm_alphas([0.5]) == [0.05]


def test_no_comparison_needs_no_alpha() -> None:
    assert holm_alphas([]) == []


def test_what_is_no_p_value_is_refused() -> None:
    with pytest.raises(ValueError, match="p values"):
        holm_alphas([0.1, float("nan")])


@given(P_VALUES)
def test_it_rejects_what_statsmodels_rejects(p_values: list[float]) -> None:
    rejected = [p <= alpha for p, alpha in zip(p_values, holm_alphas(p_values), strict=True)]
    with patch("gc.collect"):  # which it calls each time, and which takes long after many tests
        assert rejected == multipletests(p_values, alpha=0.05, method="holm")[0].tolist()


@given(P_VALUES)
def test_no_alpha_is_stricter_than_bonferronis_or_laxer_than_none(p_values: list[float]) -> None:
    for alpha in holm_alphas(p_values):
        assert 0.05 / len(p_values) <= alpha <= 0.05


@given(P_VALUES, st.randoms(use_true_random=False))
def test_the_order_of_different_comparisons_does_not_matter(p_values, random) -> None:  # noqa: ANN001
    distinct = list(dict.fromkeys(p_values))
    shuffled = distinct.copy()
    random.shuffle(shuffled)
    before = dict(zip(distinct, holm_alphas(distinct), strict=True))
    assert dict(zip(shuffled, holm_alphas(shuffled), strict=True)) == before
