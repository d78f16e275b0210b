import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from loadstone.stats.series.evenly_spaced import (
    LEAST_EVENTS,
    dispersion,
    spaces_p_value,
    spaces_variation,
)


def test_three_spaces_of_ten_are_a_circle_in_a_triangle() -> None:
    """Nothing but rounding: each square is 1/6 too large, 1/2 together, of a whole of 30.

    The triangle of three shares that sum to 1 has an area of sqrt(3) / 2.
    """
    expected = math.pi * 0.5 / 30**2 / (math.sqrt(3) / 2)
    assert spaces_p_value([3, 13, 23, 33]) == pytest.approx(expected)
    assert expected == pytest.approx(0.002, rel=0.01)


def test_two_spaces_tell_nothing_and_three_that_differ_little() -> None:
    assert spaces_p_value([0, 10, 20]) == 1.0
    assert spaces_p_value([0, 10, 20, 31]) < 0.01 < spaces_p_value([0, 10, 20, 33])


def test_what_rounding_adds_is_taken_off_the_variation() -> None:
    """Spaces of 10 and 11 in turn are those of a period of 10.5."""
    assert spaces_variation([0, 10, 21, 31, 42]) == pytest.approx(math.sqrt(0.25 - 1 / 6) / 10.5)
    assert spaces_variation([0, 10, 20, 30]) == 0


@pytest.mark.parametrize("spaces", [3, 4, 5, 7, 9])
def test_spaces_at_random_are_as_even_as_often_as_it_says(spaces: int) -> None:
    """Against spaces that are drawn: uniform on the simplex. Of so long a whole rounding is nothing.

    The ball is a bound where it leaves the simplex.
    """
    rng = np.random.default_rng(spaces)
    shares = rng.dirichlet(np.ones(spaces), 40_000)
    square = np.sum((shares - 1 / spaces) ** 2, axis=1)
    inside = 1 / (spaces * (spaces - 1))
    for part in (0.3, 0.6, 1.0):
        radius = math.sqrt(part * inside)
        volume = (
            math.pi ** ((spaces - 1) / 2)
            / math.gamma((spaces + 1) / 2)
            * radius ** (spaces - 1)
            * math.factorial(spaces - 1)
            / math.sqrt(spaces)
        )
        drawn = float(np.mean(square <= radius**2))
        assert drawn == pytest.approx(volume, abs=4 * math.sqrt(volume / 40_000) + 1e-4)
        # The same set of spaces, in events: two that differ by as much as the radius, the rest alike.
        whole = 10**9
        off = radius / math.sqrt(2) * whole
        steps = np.full(spaces, whole / spaces)
        steps[0] += off
        steps[1] -= off
        at = np.concatenate(([0], np.cumsum(steps))).round().astype(int).tolist()
        assert spaces_p_value(at) == pytest.approx(volume, rel=1e-6)


@given(
    st.integers(LEAST_EVENTS, 12),
    st.integers(5, 50),
    st.integers(0, 2**32 - 1),
)
def test_a_period_is_never_less_even_than_the_same_events_moved(
    events: int, period: int, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    at = np.arange(events) * period
    moved = at.copy()
    moved[1:-1] += rng.integers(-period // 2, period // 2 + 1, events - 2)
    assert spaces_p_value(at.tolist()) <= spaces_p_value(sorted(moved.tolist()))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("mean", [1.0, 10.0])
def test_the_index_of_dispersion_agrees_with_a_chi_squared_test(seed: int, mean: float) -> None:
    counts = np.random.default_rng(seed).poisson(mean, 40)
    statistic, above = chisquare(counts)
    found = dispersion(counts.tolist())
    assert found.ratio * 39 == pytest.approx(statistic)
    assert found.p_value == pytest.approx(1 - above)


def test_one_of_each_does_not_vary_and_nothing_tells_nothing() -> None:
    assert dispersion([1.0] * 30) == (0.0, 0.0)
    assert dispersion([0.0] * 30) == dispersion([5.0]) == (1.0, 1.0)
    # 2 and 0 in turn: each is 1 off a mean of 1, and of 30 one is no degree of freedom.
    assert dispersion([2.0, 0.0] * 15).ratio == pytest.approx(30 / 29)
