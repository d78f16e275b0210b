"""Two levels in a short series: found where they are, and not in noise, spikes or climbs."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from loadstone.stats.series.two_levels import two_levels

LEVELS = st.floats(1, 1e6)
SEEDS = st.integers(0, 2**32 - 1)


def noise(seed: int, count: int, spread: float) -> np.ndarray:
    return np.exp(np.random.default_rng(seed).normal(0, spread, count))


@given(LEVELS, st.floats(2.5, 50), st.integers(4, 20), st.integers(4, 20), st.booleans(), SEEDS)
def test_levels_are_found_where_they_change(
    level: float, times: float, first: int, second: int, rises: bool, seed: int
) -> None:
    levels = [level, level * times] if rises else [level * times, level]
    series = np.repeat(levels, [first, second]) * noise(seed, first + second, 0.03)
    found = two_levels(series.tolist())
    assert found is not None
    assert found.at == first
    assert found.before == pytest.approx(levels[0], rel=0.15)
    assert found.after == pytest.approx(levels[1], rel=0.15)


@given(LEVELS, st.integers(0, 40), st.floats(0, 0.2), SEEDS)
def test_one_level_is_none(level: float, count: int, spread: float, seed: int) -> None:
    assert two_levels((level * noise(seed, count, spread)).tolist()) is None


@given(LEVELS, st.floats(1, 100), st.integers(12, 40))
def test_a_climb_is_none(level: float, times: float, count: int) -> None:
    assert two_levels(np.linspace(level, level * times, count).tolist()) is None


@pytest.mark.parametrize("length", [1, 2, 3])
def test_a_gap_of_some_points_is_none(length: int) -> None:
    series = [100.0] * 20
    series[-length:] = [5.0] * length
    assert two_levels(series) is None
    assert two_levels(series[::-1]) is None


def test_levels_that_are_less_than_twice_apart_are_none() -> None:
    assert two_levels([100.0] * 10 + [51.0] * 10) is None
    assert two_levels([100.0] * 10 + [50.0] * 10) is not None
    assert two_levels([0.0] * 10 + [50.0] * 10) is not None


@pytest.mark.parametrize("wrong", [math.nan, math.inf, -1.0])
def test_what_is_no_rate_is_refused(wrong: float) -> None:
    with pytest.raises(ValueError, match="not finite or below 0"):
        two_levels([1.0] * 10 + [wrong])
