"""The noise of a series: found again where it was put in, whatever the level does."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from warming_series import approach, noisy, slope

from loadstone.stats.series.correlated_noise import CLIP_SIGMAS, MOST_CORRELATION, clipped, noise


@pytest.mark.parametrize("truth", [slope(0.0), slope(0.2), approach(40)], ids=str)
@pytest.mark.parametrize("correlation", [0.0, 0.3, 0.5])
def test_noise_is_found_again_below_a_level_that_moves(
    truth: np.ndarray, correlation: float
) -> None:
    found = [noise(noisy(truth, seed, 0.03, correlation)) for seed in range(80)]
    assert float(np.median([each.sigma for each in found])) == pytest.approx(0.03, rel=0.15)
    assert float(np.median([each.correlation for each in found])) == pytest.approx(
        correlation, abs=0.12
    )


def test_a_series_without_any_change_has_no_noise_and_the_correlation_that_is_assumed() -> None:
    assert noise(np.ones(9), 0.2) == (0.0, 0.2)


@given(st.lists(st.floats(-100, 100), min_size=4, max_size=50), st.floats(0, MOST_CORRELATION))
def test_correlation_stays_between_its_bounds(values: list[float], least: float) -> None:
    found = noise(np.array(values), least)
    assert found.sigma >= 0
    assert least <= found.correlation <= MOST_CORRELATION


def test_a_pause_is_brought_nearer_to_its_neighbours_and_a_step_is_kept() -> None:
    pause, step = np.zeros(20), np.where(np.arange(20) < 10, 0.0, 50.0)
    pause[7] = 50.0
    assert clipped(pause, 1.0, 2)[7] == CLIP_SIGMAS
    assert clipped(step, 1.0, 2).tolist() == step.tolist()
