"""Whether an arm was still warming up: known answers, and what must hold of any arm."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from warming_series import CENTRES, SECONDS, WINDOW_SECONDS, Series, approach, noisy, slope, step

from loadstone.stats.series.still_warming import WindowSeries, still_warming

LEVEL = np.zeros(SECONDS)
FIXED_SECONDS = 10


def arm(truth: Series, seed: int, runs: int = 6, begin: int = FIXED_SECONDS) -> list[WindowSeries]:
    """Runs of a fixed warm-up: the last two thirds of warm-up and window count."""
    first, end = (begin + WINDOW_SECONDS) // 3, begin + WINDOW_SECONDS
    return [
        WindowSeries(noisy(truth, 1000 * seed + run)[first:end], WINDOW_SECONDS, begin)
        for run in range(runs)
    ]


@pytest.mark.parametrize(
    "truth",
    [
        pytest.param(LEVEL, id="level"),
        pytest.param(step(5, 2), id="half as dear from 5 s on"),
        pytest.param(np.where(CENTRES > 20, np.log(1.2), 0.0), id="slower from 20 s on"),
    ],
)
def test_an_arm_that_is_level_is_not_accused(truth: Series) -> None:
    accused = [seed for seed in range(60) if still_warming(arm(truth, seed)).is_warming]
    assert accused == []


@pytest.mark.parametrize("time_constant", [10, 40])
def test_an_arm_in_mid_approach_is_found_out(time_constant: int) -> None:
    missed = [
        seed
        for seed in range(60)
        if not still_warming(arm(approach(time_constant), seed)).is_warming
    ]
    assert missed == []


def test_it_says_by_how_much_a_window_is_off() -> None:
    truth = approach(10)
    window = np.exp(truth[FIXED_SECONDS : FIXED_SECONDS + WINDOW_SECONDS]).mean()
    found = still_warming(arm(truth, 1))
    assert np.exp(found.mean_off) == pytest.approx(window, rel=0.1)


@pytest.mark.parametrize(("runs", "marked_runs"), [(1, 1), (2, 1), (6, 3)])
def test_half_of_the_runs_accuse_an_arm_and_of_few_any(runs: int, marked_runs: int) -> None:
    warming, steady = arm(approach(10), 3, marked_runs), arm(LEVEL, 4, runs - marked_runs)
    found = still_warming([*warming, *steady])
    assert sum(found.marked) >= marked_runs
    assert found.is_warming


def test_one_bad_run_of_six_accuses_nobody() -> None:
    assert not still_warming([*arm(approach(10), 3, 1), *arm(LEVEL, 4, 5)]).is_warming


def test_a_figure_that_falls_all_the_time_is_no_level() -> None:
    assert still_warming(arm(slope(0.6), 1)).is_warming


@given(st.integers(0, 200), st.floats(-5, 5), st.permutations(range(6)))
def test_neither_the_unit_nor_the_order_of_runs_matters(
    seed: int, offset: float, order: list[int]
) -> None:
    runs = arm(approach(15), seed)
    moved = [WindowSeries(runs[i].values + offset, WINDOW_SECONDS, FIXED_SECONDS) for i in order]
    one, other = still_warming(runs), still_warming(moved)
    assert other.is_warming == one.is_warming
    assert [other.off[order.index(i)] for i in range(6)] == pytest.approx(one.off, abs=1e-9)


def test_too_few_points_are_refused() -> None:
    with pytest.raises(ValueError, match="each run needs 8 points"):
        still_warming([WindowSeries(LEVEL[:7], 7, 0)])
    with pytest.raises(ValueError, match="there must be one run"):
        still_warming([])
