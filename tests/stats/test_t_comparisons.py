"""Paired t and Welch, against hand-computed cases and scipy's and statsmodels' own tests."""

import math
import warnings

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.weightstats import CompareMeans, DescrStatsW

from loadstone.stats.comparison.estimate import Estimate
from loadstone.stats.comparison.log_ratio import log_ratio
from loadstone.stats.comparison.paired_t import paired_t
from loadstone.stats.comparison.welch import welch

# Five pairs of data sets: alike, shifted, unequal spreads, unequal sizes, tiny and huge values.
DATA_SETS = [
    ([10.1, 9.8, 10.3, 10.0, 9.9, 10.2], [10.0, 10.1, 9.9, 10.2, 10.1, 9.8]),
    ([10.1, 9.8, 10.3, 10.0, 9.9, 10.2], [11.2, 10.9, 11.3, 11.1, 10.8, 11.4]),
    ([5.0, 5.1, 4.9], [7.0, 9.5, 4.2]),
    ([1e-6, 2e-6, 1.5e-6, 1.1e-6], [3e-6, 2.5e-6, 4e-6, 3.3e-6]),
    ([1e9, 1.2e9, 0.9e9, 1.1e9, 1.05e9], [1e9, 1.1e9, 1.3e9, 0.8e9, 1.2e9]),
]
VALUES = st.lists(st.floats(1, 1000), min_size=3, max_size=12)
LEVELS = st.floats(0.5, 0.999)


def test_paired_t_by_hand() -> None:
    # Differences 1, 2, 3: mean 2, standard deviation 1, standard error 1 / sqrt(3).
    estimate = paired_t([1, 1, 1], [2, 3, 4])
    assert estimate.mean == 2
    assert estimate.standard_error == pytest.approx(1 / math.sqrt(3))
    assert estimate.degrees_of_freedom == 2
    # t(0.975, 2 degrees) = 4.3027 in every table.
    assert estimate.interval(0.95) == pytest.approx(
        (2 - 4.3027 / 3**0.5, 2 + 4.3027 / 3**0.5), rel=1e-4
    )


def test_welch_by_hand() -> None:
    # Variances 1 and 4, three values each: standard error sqrt(5/3); two degrees, as three values have.
    estimate = welch([1, 2, 3], [2, 4, 6])
    assert estimate.mean == 2
    assert estimate.standard_error == pytest.approx(math.sqrt(5 / 3))
    assert estimate.degrees_of_freedom == 2
    # (5/3)^2 / ((1/3)^2/2 + (4/3)^2/2), as Satterthwaite has it.
    assert estimate.spread_degrees == pytest.approx(50 / 17)


@pytest.mark.parametrize(("baseline", "other"), DATA_SETS)
@pytest.mark.parametrize("level", [0.9, 0.95, 0.995])
def test_paired_t_agrees_with_scipy_and_statsmodels(
    baseline: list[float], other: list[float], level: float
) -> None:
    estimate = paired_t(baseline, other)
    expected = stats.ttest_rel(other, baseline)
    interval = expected.confidence_interval(level)
    assert estimate.p_value() == pytest.approx(expected.pvalue)
    assert estimate.interval(level) == pytest.approx((interval.low, interval.high))
    differences = DescrStatsW(np.subtract(other, baseline))
    assert estimate.interval(level) == pytest.approx(differences.tconfint_mean(1 - level))


@pytest.mark.parametrize(("baseline", "other"), [*DATA_SETS, ([1, 2, 4], [2, 3, 5, 9, 4, 6])])
@pytest.mark.parametrize("level", [0.9, 0.95, 0.995])
def test_welch_agrees_with_scipy_and_statsmodels_but_for_the_degrees_of_freedom(
    baseline: list[float], other: list[float], level: float
) -> None:
    estimate = welch(baseline, other)
    expected = stats.ttest_ind(other, baseline, equal_var=False)
    statistic = estimate.mean / estimate.standard_error
    assert statistic == pytest.approx(expected.statistic)
    assert estimate.spread_degrees == pytest.approx(expected.df)
    degrees = min(len(baseline), len(other)) - 1
    assert estimate.p_value() == pytest.approx(2 * stats.t.sf(abs(statistic), degrees))
    means = CompareMeans(DescrStatsW(other), DescrStatsW(baseline))
    error = means.std_meandiff_separatevar
    assert estimate.interval(level) == pytest.approx(
        stats.t.interval(level, degrees, means.d1.mean - means.d2.mean, error)
    )


@given(VALUES, VALUES, LEVELS)
def test_welch_is_never_narrower_than_by_satterthwaites_degrees(
    baseline: list[float], other: list[float], level: float
) -> None:
    assume(np.ptp(baseline) > 1e-6 and np.ptp(other) > 1e-6)
    low, high = welch(baseline, other).interval(level)
    expected = stats.ttest_ind(other, baseline, equal_var=False).confidence_interval(level)
    assert high - low >= (expected.high - expected.low) * (1 - 1e-9)


def test_the_ratio_of_logarithms_by_hand() -> None:
    estimate = log_ratio(paired_t, [1, 10, 100], [2, 20, 200])
    assert estimate.ratio == pytest.approx(2)
    assert estimate.interval(0.95) == pytest.approx((2, 2))


def test_the_ratio_agrees_with_scipy_on_logarithms() -> None:
    baseline, other = DATA_SETS[1]
    interval = stats.ttest_rel(np.log(other), np.log(baseline)).confidence_interval(0.95)
    expected = (math.exp(interval.low), math.exp(interval.high))
    assert log_ratio(paired_t, baseline, other).interval(0.95) == pytest.approx(expected)


@given(VALUES, VALUES, LEVELS)
def test_exchanging_the_arms_inverts_the_ratio_and_its_interval(
    baseline: list[float], other: list[float], level: float
) -> None:
    forth, back = log_ratio(welch, baseline, other), log_ratio(welch, other, baseline)
    assert forth.ratio == pytest.approx(1 / back.ratio)
    assert forth.p_value() == pytest.approx(back.p_value())
    low, high = back.interval(level)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        inverted = (1 / high, math.inf if low == 0 else 1 / low)
    assert forth.interval(level) == pytest.approx(inverted)


@given(VALUES, VALUES, st.floats(0.001, 1000))
def test_the_unit_does_not_change_a_ratio(
    baseline: list[float], other: list[float], factor: float
) -> None:
    scaled = log_ratio(welch, [v * factor for v in baseline], [v * factor for v in other])
    assert scaled.ratio == pytest.approx(log_ratio(welch, baseline, other).ratio)


@given(VALUES, VALUES, LEVELS)
def test_an_interval_leaves_out_no_difference_exactly_where_the_test_rejects_it(
    baseline: list[float], other: list[float], level: float
) -> None:
    estimate = welch(baseline, other)
    p_value = estimate.p_value()
    assume(abs(p_value - (1 - level)) > 1e-9)
    low, high = estimate.interval(level)
    assert (low > 0 or high < 0) == (p_value < 1 - level)


@pytest.mark.parametrize("compare", [paired_t, welch])
def test_equal_runs_without_any_variance_are_certainly_equal(compare) -> None:  # noqa: ANN001
    estimate = compare([0.1, 0.1, 0.1], [0.1, 0.1, 0.1])
    assert estimate.p_value() == 1
    assert estimate.interval(0.95) == (0, 0)


@pytest.mark.parametrize("compare", [paired_t, welch])
def test_different_runs_without_any_variance_are_certainly_different(compare) -> None:  # noqa: ANN001
    estimate = compare([0.0, 0.0, 0.0], [0.1, 0.1, 0.1])
    assert estimate.p_value() == 0
    assert estimate.interval(0.95) == pytest.approx((0.1, 0.1))


@pytest.mark.parametrize("compare", [paired_t, welch])
@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_a_value_that_is_not_finite_is_refused(compare, bad: float) -> None:  # noqa: ANN001
    with pytest.raises(ValueError, match="finite"):
        compare([1, 2, bad], [1, 2, 3])


@pytest.mark.parametrize("compare", [paired_t, welch])
def test_one_run_is_refused(compare) -> None:  # noqa: ANN001
    with pytest.raises(ValueError, match="at least two"):
        compare([1], [2])


def test_pairs_of_different_number_are_refused() -> None:
    with pytest.raises(ValueError, match="paired"):
        paired_t([1, 2], [1, 2, 3])


def test_a_zero_has_no_ratio() -> None:
    with pytest.raises(ValueError, match="above 0"):
        log_ratio(welch, [1, 2], [0, 1])


def test_a_level_is_between_0_and_1() -> None:
    with pytest.raises(ValueError, match="level"):
        Estimate(0, 1, 2).interval(95)


def test_an_interval_too_wide_for_a_number_ends_at_infinity() -> None:
    low, high = log_ratio(welch, [1e-300, 1e300], [1e300, 1e-300]).interval(0.999)
    assert (low, high) == (0, math.inf)
