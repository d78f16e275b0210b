"""The line through values in their order: a case by hand, scipy's line, and what must hold of any."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from loadstone.stats.series.drift import drift

VALUES = st.lists(st.floats(-100, 100), min_size=3, max_size=30)


def places_of(values: list[float]) -> list[float]:
    return np.linspace(0, 1, len(values)).tolist()


def test_a_line_by_hand() -> None:
    # Values 1, 2, 6 at 0, 1/2, 1: slope 5, line 0.5 + 5 x, residuals 1/2, -1, 1/2, squares 1.5;
    # spread of the places 1/2, so the standard error is sqrt(1.5 / 1 / 0.5).
    found = drift([0, 0.5, 1], [1, 2, 6])
    assert found.mean == pytest.approx(5)
    assert found.standard_error == pytest.approx(3**0.5)
    assert found.degrees_of_freedom == 1


@given(values=VALUES)
def test_the_line_is_scipys(values: list[float]) -> None:
    assume(np.ptp(values) > 1e-6)  # scipy has no standard error where nothing varies
    found = drift(places_of(values), values)
    expected = stats.linregress(places_of(values), values)
    assert found.mean == pytest.approx(expected.slope, abs=1e-9)
    assert found.standard_error == pytest.approx(expected.stderr, abs=1e-6)
    if found.standard_error > 1e-6:
        assert found.p_value() == pytest.approx(expected.pvalue, abs=1e-6)


@given(values=VALUES, added=st.floats(-50, 50))
def test_a_line_that_is_added_is_found_again(values: list[float], added: float) -> None:
    places = places_of(values)
    drifted = [value + added * place for place, value in zip(places, values, strict=True)]
    assert drift(places, drifted).mean == pytest.approx(
        drift(places, values).mean + added, abs=1e-6
    )


@given(values=VALUES)
def test_the_other_way_round_it_is_the_other_way_round(values: list[float]) -> None:
    places = places_of(values)
    assert drift(places, values[::-1]).mean == pytest.approx(-drift(places, values).mean, abs=1e-9)


def test_equal_values_do_not_drift() -> None:
    found = drift(places_of([0.1] * 7), [0.1] * 7)
    assert (found.mean, found.p_value()) == (0, 1)


@pytest.mark.parametrize(
    ("places", "values", "message"),
    [
        ([0, 1], [1, 2], "at least 3"),
        ([0, 1, 2], [1, 2], "3 places cannot have 2 values"),
        ([1, 1, 1], [1, 2, 3], "all values have the place 1"),
        ([0, 1, 2], [1, float("nan"), 3], "finite"),
    ],
)
def test_what_is_no_series_is_refused(
    places: list[float], values: list[float], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        drift(places, values)
