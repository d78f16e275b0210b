"""Whether a cost made a step behind its window: known answers, error rates, what always holds."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import linregress
from simulated_studies import report
from warming_series import Series, noisy

from loadstone.stats.series.late_step import LAST_SECONDS, LateStep, late_step

BEFORE, WINDOW, BEHIND = 20, 20, 180
AFTER = np.arange(-BEFORE - WINDOW, BEHIND) + 0.5
"""Middle of each second, since the end of the window."""
SEEDS = 300


def looked_at(series: Series) -> LateStep:
    before, window, behind = np.split(series, [BEFORE, BEFORE + WINDOW])
    return late_step(before, window, behind, LAST_SECONDS)


def falling(at: float, share: float) -> Series:
    return np.where(at < AFTER, np.log1p(-share), 0.0)


def simulated(truth: Series, variation: float = 0.02) -> list[LateStep]:
    return [looked_at(noisy(truth, seed, variation)) for seed in range(SEEDS)]


@pytest.mark.parametrize(("variation", "most"), [(0.02, 0.0), (0.10, 0.01)])
def test_a_level_is_hardly_ever_accused(variation: float, most: float) -> None:
    found = simulated(np.zeros(len(AFTER)), variation)
    falls, rises = (np.mean([getattr(each, name) for each in found]) for name in NAMES)
    report(f"level, CV {variation:.0%}: {falls:.2%} fall, {rises:.2%} rise")
    assert falls <= most
    assert rises <= most


NAMES = ("is_fall", "is_rise")


@pytest.mark.parametrize("at", [30, 60, 110])
@pytest.mark.parametrize(("variation", "least"), [(0.02, 1.0), (0.10, 0.97)])
def test_a_step_of_a_fifth_is_found_and_told_when_it_came(
    at: int, variation: float, least: float
) -> None:
    found = simulated(falling(at, 0.2), variation)
    told = np.mean([each.is_fall for each in found])
    report(f"20 % at {at} s, CV {variation:.0%}: {told:.1%} found")
    assert told >= least
    assert np.median([each.at for each in found]) == at


@pytest.mark.parametrize(("size", "is_told"), [(0.049, False), (0.051, True)])
def test_without_noise_five_percent_decide(size: float, is_told: bool) -> None:
    down, up = (looked_at(np.where(AFTER > 70, sign * size, 0.0)) for sign in (-1, 1))
    assert (down.is_fall, down.is_rise, down.at) == (is_told, False, 70)
    assert (up.is_fall, up.is_rise) == (False, is_told)
    assert down.change == pytest.approx(-size)


def test_a_window_that_something_else_made_dear_is_no_warm_up() -> None:
    dear = np.where((AFTER > -WINDOW) & (AFTER < 5), 0.2, 0.0)
    found = looked_at(dear)
    assert (found.is_fall, found.is_rise) == (False, False)
    both = looked_at(dear + falling(60, 0.2))
    assert both.is_fall
    assert both.change == pytest.approx(np.log(0.8), abs=0.01)


def test_a_service_that_still_falls_into_its_window_is_held_against_the_window() -> None:
    found = looked_at(np.where(AFTER < -WINDOW, 0.3, 0.0))
    assert not found.is_fall


@pytest.mark.parametrize("seed", range(5))
def test_its_change_is_the_slope_of_a_line_through_two_groups(seed: int) -> None:
    series = noisy(falling(60, 0.1), seed)[BEFORE:]
    found = late_step(np.empty(0), series[:WINDOW], series[WINDOW:], LAST_SECONDS)
    ends = np.concatenate([series[:WINDOW], series[-LAST_SECONDS:]])
    line = linregress(np.repeat([0.0, 1.0], [WINDOW, LAST_SECONDS]), ends)
    assert found.change == pytest.approx(line.slope, abs=1e-3)  # but for points that are clipped


@pytest.mark.parametrize("correlation", [0.2, 0.3, 0.5])
def test_its_error_is_at_least_how_far_levels_differ_by_chance(correlation: float) -> None:
    level = np.zeros(WINDOW + BEHIND)
    found = [
        late_step(np.empty(0), series[:WINDOW], series[WINDOW:], LAST_SECONDS)
        for series in (noisy(level, seed, 0.02, correlation) for seed in range(SEEDS))
    ]
    ratio = np.mean([each.error for each in found]) / np.std([each.change for each in found])
    assert 0.95 <= ratio <= 1.35  # less correlation than 0.2 is never assumed


@given(
    st.floats(-5, 5),
    st.lists(st.floats(-1, 1), min_size=30, max_size=30),
    st.integers(3, 20),
)
def test_where_the_level_lies_does_not_matter(moved: float, values: list[float], last: int) -> None:
    series = np.array(values)
    one, other = (
        late_step(each[:5], each[5:10], each[10:], last) for each in (series, series + moved)
    )
    assert other.change == pytest.approx(one.change, abs=1e-6)
    assert other.error == pytest.approx(one.error, abs=1e-6)
    assert 0 <= one.at <= 17


@given(st.floats(0, 3), st.floats(0.0, 0.6))
def test_no_single_pause_makes_a_step(height: float, at: float) -> None:
    series = np.zeros(len(AFTER))
    series[BEFORE + WINDOW + BEHIND - 1 - int(at * LAST_SECONDS)] = height
    found = looked_at(series)
    assert (found.is_fall, found.is_rise) == (False, False)


@pytest.mark.parametrize(("window", "behind", "last"), [(2, 60, 60), (20, 2, 2), (20, 60, 2)])
def test_too_few_points_are_refused(window: int, behind: int, last: int) -> None:
    with pytest.raises(ValueError, match="3 points each"):
        late_step(np.zeros(20), np.zeros(window), np.zeros(behind), last)
