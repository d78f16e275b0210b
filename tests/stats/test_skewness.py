"""Skewness: by hand, against scipy, and as a property."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from loadstone.stats.values.skewness import skewness

SEEDS = range(5)


def test_four_values_by_hand() -> None:
    # Mean 2, deviations -1, -1, -1, 3: moments 3 and 6, and 6 / 3^1.5.
    assert skewness(np.array([1.0, 1, 1, 5])) == pytest.approx(6 / 3**1.5)


@pytest.mark.parametrize("seed", SEEDS)
def test_it_is_that_of_scipy(seed: int) -> None:
    values = np.random.default_rng(seed).gamma(1 + seed, 1, 300)
    assert skewness(values) == pytest.approx(float(stats.skew(values)))


@given(st.lists(st.integers(-1_000, 1_000), min_size=3, max_size=40), st.floats(1e-3, 1e9))
def test_a_unit_changes_nothing_and_a_direction_the_sign(values: list[int], factor: float) -> None:
    found = skewness(np.array(values, dtype=float))
    mirrored = skewness(-factor * np.array(values, dtype=float))
    if found is None:
        assert mirrored is None
    else:
        assert mirrored == pytest.approx(-found, abs=1e-9)


def test_nanoseconds_keep_their_digits() -> None:
    values = np.random.default_rng(1).gamma(2, 1, 1_000)
    assert skewness(1e12 + 1e6 * values) == pytest.approx(skewness(values), rel=1e-6)


def test_what_has_none() -> None:
    assert skewness(np.full(3, 7.0)) is None
    with pytest.raises(ValueError):
        skewness(np.zeros(0))
