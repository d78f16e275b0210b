import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loadstone.stats.values.variation import coefficient_of_variation, deviation

VALUES = st.lists(st.floats(1e-3, 1e9), min_size=2, max_size=30)


@given(VALUES)
def test_the_deviation_agrees_with_the_standard_library(values: list[float]) -> None:
    assert deviation(values) == pytest.approx(statistics.stdev(values), rel=1e-9, abs=1e-6)


@given(VALUES, st.floats(0.01, 100))
def test_a_coefficient_of_variation_has_no_unit(values: list[float], factor: float) -> None:
    found = coefficient_of_variation(values)
    scaled = coefficient_of_variation([value * factor for value in values])
    assert found == pytest.approx(scaled, rel=1e-6, abs=1e-9)


def test_a_case_by_hand() -> None:
    assert deviation([90, 100, 110]) == pytest.approx(10)
    assert coefficient_of_variation([90, 100, 110]) == pytest.approx(0.1)


def test_equal_values_do_not_vary_at_all() -> None:
    assert coefficient_of_variation([0.1] * 7) == 0


@pytest.mark.parametrize("values", [[], [3.0]])
def test_one_value_has_no_variation(values: list[float]) -> None:
    assert deviation(values) is None
    assert coefficient_of_variation(values) is None


def test_zeros_have_a_deviation_and_no_share_of_their_mean() -> None:
    assert deviation([0.0, 0.0]) == 0
    assert coefficient_of_variation([0.0, 0.0]) is None


def test_a_negative_value_is_refused() -> None:
    with pytest.raises(ValueError, match="0 or more"):
        coefficient_of_variation([-1.0, 1.0])
