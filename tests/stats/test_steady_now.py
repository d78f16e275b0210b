"""When a window begins: known answers, medians under noise, and what must hold of any series."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from warming_series import (
    CENTRES,
    MOST_SECONDS,
    SECONDS,
    Series,
    approach,
    begin_of,
    noisy,
    slope,
    step,
)

from loadstone.stats.series.steady_now import (
    IDLE_POINTS,
    LEAST_IDLE_POINTS,
    Watch,
    idle_reason,
    watch_level,
)

LEVEL = np.zeros(SECONDS)
SLOWER_FROM_15 = np.where(CENTRES > 15, np.log(1.2), 0.0)
SLOWER_FROM_15_TO_35 = np.where((CENTRES > 15) & (CENTRES < 35), np.log(1.2), 0.0)
SAW = 0.10 * ((CENTRES / 10) % 1 - 0.5)


@pytest.mark.parametrize(
    ("series", "begin"),
    [
        pytest.param(LEVEL, 25, id="level"),
        pytest.param(slope(0.01), 25, id="1 % a minute"),
        pytest.param(slope(0.05), 25, id="5 % a minute"),
        pytest.param(slope(0.20), 180, id="20 % a minute"),
        pytest.param(step(10, 2), 34, id="half as dear from 10 s on"),
        pytest.param(approach(2), 30, id="time constant 2 s"),
        pytest.param(approach(5), 46, id="time constant 5 s"),
        pytest.param(approach(10), 68, id="time constant 10 s"),
        pytest.param(approach(20), 125, id="time constant 20 s"),
        pytest.param(approach(30), 180, id="time constant 30 s"),
        pytest.param(SLOWER_FROM_15, 39, id="slower by a fifth from 15 s on"),
        pytest.param(SLOWER_FROM_15_TO_35, 59, id="slower by a fifth from 15 to 35 s"),
        pytest.param(SAW, 31, id="saw of 10 % and 10 s"),
    ],
)
def test_without_noise_a_window_begins_at_a_known_second(series: Series, begin: int) -> None:
    assert begin_of(series)[0] == begin


@pytest.mark.parametrize(
    ("truth", "median"),
    [
        pytest.param(LEVEL, 31, id="level"),
        pytest.param(step(30, 2), 54, id="half as dear from 30 s on"),
        pytest.param(approach(10), 90, id="time constant 10 s"),
        pytest.param(approach(60), 180, id="time constant 60 s"),
    ],
)
def test_with_noise_the_median_begin_is_known(truth: Series, median: int) -> None:
    begins = [begin_of(noisy(truth, seed))[0] for seed in range(150)]
    assert float(np.median(begins)) == pytest.approx(median, abs=3)


def test_a_cost_that_rises_and_falls_by_a_tenth_is_no_sign_of_a_warm_up_and_is_told_in_the_end() -> (
    None
):
    begin, reason = begin_of(0.10 * np.sin(CENTRES / 4))
    assert (begin < MOST_SECONDS, reason) == (True, "no-sign")


def test_points_come_one_after_another() -> None:
    watch = watch_level(Watch(), LEVEL[:1])
    with pytest.raises(ValueError, match="3 points do not follow 1"):
        watch_level(watch, LEVEL[:3])


@given(st.integers(0, 500), st.floats(-3, 12), st.sampled_from([2.0, 15.0, 400.0]))
def test_the_unit_of_a_cost_does_not_matter(seed: int, offset: float, time_constant: float) -> None:
    series = noisy(approach(time_constant), seed)[:80]
    assert begin_of(series + offset, 80) == begin_of(series, 80)


@given(st.lists(st.floats(-20, 20), min_size=40, max_size=60))
def test_any_series_is_judged(values: list[float]) -> None:
    begin, _ = begin_of(np.array(values), 40)
    assert 25 <= begin <= 40


def demand(busy_seconds: int, seconds: int = 60) -> Series:
    return np.where(np.arange(seconds) < busy_seconds, 1.0, 0.0)


@pytest.mark.parametrize("busy_seconds", [0, 5, 18, 40])
def test_where_compilers_are_known_a_window_waits_until_they_were_idle_for_ten_seconds(
    busy_seconds: int,
) -> None:
    series, compiling = LEVEL, demand(busy_seconds)
    begin = next(
        now for now in range(1, 61) if idle_reason(series[:now], compiling[:now], None) is not None
    )
    # The mean over ten seconds may hold one busy second in ten.
    assert begin == max(LEAST_IDLE_POINTS, busy_seconds + IDLE_POINTS - 1)


def test_compilers_that_take_a_fifth_of_a_small_load_are_not_idle() -> None:
    little, share = np.full(40, 0.05), np.full(40, 0.25)
    assert idle_reason(LEVEL[:40], little, share) is None
    assert idle_reason(LEVEL[:40], little, np.full(40, 0.15)) == "idle"


def test_starved_compilers_are_not_idle_though_the_cost_is_flat() -> None:
    assert idle_reason(LEVEL[:100], np.ones(100), np.full(100, 0.02)) is None


def test_a_runtime_that_compiles_nothing_is_steady_after_the_least_time_unless_its_cost_falls() -> (
    None
):
    assert idle_reason(LEVEL[:11], None, None) is None
    assert idle_reason(LEVEL[:12], None, None) == "idle"
    assert idle_reason(approach(10)[:20], None, None) is None


def test_compilers_decide_alone_where_there_are_too_few_answers_for_a_series() -> None:
    assert idle_reason(None, demand(0), None) == "idle"
    assert idle_reason(None, demand(60), None) is None
