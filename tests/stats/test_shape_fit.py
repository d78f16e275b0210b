"""A shape in a series: against scipy, and its error against simulation."""

import numpy as np
import pytest
from scipy.stats import linregress
from warming_series import noisy

from loadstone.stats.series.correlated_noise import Noise
from loadstone.stats.series.shape_fit import fitted


@pytest.mark.parametrize("seed", range(5))
def test_size_and_error_are_those_of_a_regression_where_noise_is_independent(seed: int) -> None:
    random = np.random.default_rng(seed)
    shape = random.normal(0, 1, 40)
    values = 3 + 0.7 * shape + random.normal(0, 0.5, 40)
    found, expected = fitted(values, shape, Noise(0.0, 0.0)), linregress(shape, values)
    assert found.size == pytest.approx(expected.slope)
    assert found.error == pytest.approx(expected.stderr)


def test_the_error_covers_how_far_sizes_lie_apart_where_neighbours_resemble_each_other() -> None:
    shape = np.linspace(0, 1, 120)
    noise = Noise(0.02, 0.3)
    found = [fitted(noisy(np.zeros(120), seed), shape, noise) for seed in range(400)]
    spread = float(np.std([each.size for each in found]))
    assert float(np.mean([each.error for each in found])) == pytest.approx(spread, rel=0.15)
