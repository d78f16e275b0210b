"""The robust spread: by hand, its properties, and statsmodels."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.robust.scale import qn_scale as statsmodels_qn

from loadstone.stats.values.qn_scale import NORMAL, qn_scale

VALUES = st.lists(st.floats(-1000, 1000), min_size=10, max_size=31)


def test_ten_equidistant_values_by_hand() -> None:
    # h = 6, k = 15. Of 0..9 nine pairs are 1 apart, eight are 2 apart: the 15th distance is 2.
    assert qn_scale(range(10)) == pytest.approx(10 / 13.8 * NORMAL * 2)


def test_its_constant_is_that_of_the_normal_distribution() -> None:
    from scipy.stats import norm

    assert pytest.approx(1 / (math.sqrt(2) * norm.ppf(5 / 8))) == NORMAL


@given(VALUES)
def test_it_agrees_with_statsmodels_but_for_the_correction_for_few_values(
    values: list[float],
) -> None:
    count = len(values)
    correction = count / (count + (1.4 if count % 2 else 3.8))
    expected = correction * float(statsmodels_qn(np.array(values)))
    assert qn_scale(values) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("count", [10, 15, 16])
def test_few_normal_values_give_their_standard_deviation_on_average(count: int) -> None:
    draws = np.random.default_rng(5).normal(0, 2, (2000, count))
    mean = np.mean([qn_scale(list(row)) for row in draws])
    assert mean == pytest.approx(2, rel=0.03)


@given(VALUES, st.floats(-100, 100), st.floats(0.1, 10))
def test_it_scales_with_the_values_and_does_not_see_where_they_are(
    values: list[float], shift: float, factor: float
) -> None:
    moved = [shift + factor * value for value in values]
    assert qn_scale(moved) == pytest.approx(factor * qn_scale(values), rel=1e-6, abs=1e-6)


def test_four_of_fifteen_gone_wild_hardly_change_it() -> None:
    draws = list(np.random.default_rng(3).normal(0, 1, 11))
    assert qn_scale([*draws, 1e9, 2e9, 3e9, 4e9]) < 4


@pytest.mark.parametrize("wrong", [[1.0] * 9, [*[1.0] * 10, math.nan]])
def test_too_few_values_and_what_is_not_finite_are_refused(wrong: list[float]) -> None:
    with pytest.raises(ValueError):
        qn_scale(wrong)
