"""Lilliefors's test: by hand, published critical values, statsmodels, R, and as a property."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.diagnostic import lilliefors as of_statsmodels

from loadstone.stats.values.lilliefors import lilliefors, lilliefors_p_value

SEEDS = range(5)


def test_the_statistic_of_five_values_by_hand() -> None:
    # Mean 3, deviation sqrt(2.5): 2 lies at the share 0.26354 of the normal distribution, and two of
    # five values are 2 or less.
    found = lilliefors(np.array([1.0, 2, 3, 4, 5]))
    share = 0.5 * math.erfc((3 - 2) / math.sqrt(2.5) / math.sqrt(2))
    assert found.statistic == pytest.approx(2 / 5 - share)
    assert found.statistic == pytest.approx(0.13646, abs=1e-5)
    assert found.p_value == pytest.approx(0.991, abs=0.001)


def test_a_p_value_that_r_printed() -> None:
    # r-coder.com/lilliefors-test-r: twenty normal values, D = 0.098636, p-value = 0.8775.
    assert lilliefors_p_value(0.098636, 20) == pytest.approx(0.8775, abs=5e-5)


@pytest.mark.parametrize(
    ("count", "statistic", "level", "within"),
    [
        (20, 0.190, 0.05, 0.008),
        (30, 0.161, 0.05, 0.006),
        (100, 0.0886, 0.05, 0.002),  # 0.886 / sqrt(n)
        (100, 0.1031, 0.01, 0.001),  # 1.031 / sqrt(n)
        (400, 0.0443, 0.05, 0.010),
    ],
)
def test_critical_values_as_published(
    count: int, statistic: float, level: float, within: float
) -> None:
    # Lilliefors 1967, table 1, by simulation of 1,000 samples.
    assert lilliefors_p_value(statistic, count) == pytest.approx(level, abs=within)


@pytest.mark.parametrize("count", [5, 20, 100, 300, 3_000])
@pytest.mark.parametrize("seed", SEEDS)
def test_it_agrees_with_statsmodels(count: int, seed: int) -> None:
    values = np.random.default_rng(seed).exponential(1, count)
    found = lilliefors(values)
    statistic, p_value = of_statsmodels(values, dist="norm", pvalmethod="approx")
    assert found.statistic == pytest.approx(statistic)
    if p_value < 0.1:  # above, statsmodels takes a table
        assert found.p_value == pytest.approx(p_value, rel=1e-6)


@pytest.mark.parametrize(
    ("modified", "p_value"),
    [(0.2, 1.0), (0.302, 1.0), (0.4, 0.96183), (0.5, 0.78817), (0.7, 0.27613)],
)
def test_above_a_tenth_it_is_by_the_polynomials_of_r(modified: float, p_value: float) -> None:
    count = 50
    statistic = modified / (math.sqrt(count) - 0.01 + 0.85 / math.sqrt(count))
    assert lilliefors_p_value(statistic, count) == pytest.approx(p_value, abs=1e-5)


@pytest.mark.parametrize("count", [10, 40, 300])
def test_normal_samples_are_rejected_as_often_as_they_should_be(count: int) -> None:
    rng = np.random.default_rng(count)
    rejected = np.mean([lilliefors(rng.normal(size=count)).p_value < 0.05 for _ in range(2_000)])
    assert 0.03 < rejected < 0.075


@given(st.integers(0, 2**32 - 1), st.floats(1e-3, 1e6), st.floats(-1e3, 1e3))
def test_neither_unit_nor_place_nor_direction_matters(
    seed: int, factor: float, shift: float
) -> None:
    values = np.random.default_rng(seed).normal(size=30)
    scale = max(1.0, abs(shift) / factor)  # what the digits of a shifted value leave
    found, moved = lilliefors(values), lilliefors(-factor * values + shift)
    assert moved.statistic == pytest.approx(found.statistic, abs=1e-12 * scale)


@pytest.mark.parametrize("statistic", np.linspace(0, 1, 21))
@pytest.mark.parametrize("count", [5, 31, 100, 101, 10_000])
def test_a_p_value_is_a_probability(statistic: float, count: int) -> None:
    assert 0 <= lilliefors_p_value(float(statistic), count) <= 1


def test_what_cannot_be_tested_is_refused() -> None:
    with pytest.raises(ValueError, match="too few"):
        lilliefors(np.arange(4.0))
    with pytest.raises(ValueError, match="do not vary"):
        lilliefors(np.full(10, 3.0))


def test_the_shares_are_those_of_the_normal_distribution() -> None:
    values = np.random.default_rng(1).gamma(2, 1, 80)
    expected = stats.kstest(values, "norm", args=(values.mean(), values.std(ddof=1)))
    assert lilliefors(values).statistic == pytest.approx(expected.statistic)
