"""The interval of one arm's mean, against a hand-computed case, scipy and statsmodels."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.weightstats import DescrStatsW

from loadstone.stats.comparison.one_sample_t import geometric_mean_interval, mean_interval

DATA_SETS = [
    [10.1, 9.8, 10.3, 10.0, 9.9, 10.2],
    [5.0, 5.1, 4.9],
    [1e-6, 2e-6, 1.5e-6, 1.1e-6],
    [1e9, 1.2e9, 0.9e9, 1.1e9, 1.05e9],
    [11.2, 10.9, 11.3, 11.1, 10.8, 11.4, 30.0],
]
VALUES = st.lists(st.floats(1, 1000), min_size=2, max_size=12)


def test_by_hand() -> None:
    # 1, 2, 3: mean 2, standard deviation 1; t(0.975, 2 degrees) = 4.3027 in every table.
    reach = 4.3027 / math.sqrt(3)
    assert mean_interval([1, 2, 3], 0.95) == pytest.approx((2 - reach, 2 + reach), rel=1e-4)
    # Logarithms 0, 1, 2: the geometric mean is e.
    low, high = geometric_mean_interval([1, math.e, math.e**2], 0.95)
    assert (math.log(low), math.log(high)) == pytest.approx((1 - reach, 1 + reach), rel=1e-4)


@pytest.mark.parametrize("values", DATA_SETS)
@pytest.mark.parametrize("level", [0.9, 0.95, 0.995])
def test_it_agrees_with_scipy_and_statsmodels(values: list[float], level: float) -> None:
    found = mean_interval(values, level)
    assert found == pytest.approx(tuple(stats.ttest_1samp(values, 0).confidence_interval(level)))
    assert found == pytest.approx(DescrStatsW(values).tconfint_mean(1 - level))
    logs = DescrStatsW(np.log(values)).tconfint_mean(1 - level)
    assert geometric_mean_interval(values, level) == pytest.approx(tuple(np.exp(logs)))


@given(VALUES, st.floats(0.5, 0.999))
def test_it_holds_the_mean_and_grows_with_the_level(values: list[float], level: float) -> None:
    low, high = mean_interval(values, level)
    mean = sum(values) / len(values)
    assert low <= mean * (1 + 1e-9)
    assert high >= mean * (1 - 1e-9)
    wider = mean_interval(values, level + (1 - level) / 2)
    assert wider[0] <= low
    assert wider[1] >= high


def test_one_value_and_values_without_a_logarithm_have_no_interval() -> None:
    with pytest.raises(ValueError, match="two"):
        mean_interval([1.0], 0.95)
    with pytest.raises(ValueError, match="above 0"):
        geometric_mean_interval([1.0, 0.0], 0.95)
