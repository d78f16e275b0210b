"""The published procedure: which test it chooses, what it says, and how often that is wrong."""

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from loadstone.stats.comparison.published_procedure import (
    ALPHA,
    ProcedureResult,
    published_procedure,
    sample,
)
from loadstone.stats.values.normality import MOST_SHAPIRO, normality

LEVELS = np.linspace(0.01, 0.99, 99)
NORMAL = stats.norm.ppf(LEVELS)
"""As normal as values can be."""
SKEWED = stats.expon.ppf(LEVELS)


def compared(first: NDArray[np.float64], second: NDArray[np.float64]) -> ProcedureResult:
    return published_procedure(sample(first), sample(second))


def test_normal_and_symmetric_samples_are_compared_by_t() -> None:
    found = compared(NORMAL + 1, NORMAL)
    expected = stats.ttest_ind(NORMAL + 1, NORMAL)
    assert (found.test, found.rejects, found.is_above) == ("Student's t", True, True)
    assert found.statistic == pytest.approx(expected.statistic)
    assert found.p_value == pytest.approx(expected.pvalue)


@pytest.mark.parametrize("others", [(SKEWED, NORMAL), (NORMAL, SKEWED), (SKEWED, SKEWED + 0.3)])
def test_one_sample_that_is_not_normal_suffices_for_ranks(
    others: tuple[NDArray[np.float64], NDArray[np.float64]],
) -> None:
    found = compared(*others)
    expected = stats.mannwhitneyu(*others, method="asymptotic")
    assert found.test == "Wilcoxon rank-sum"
    assert (found.statistic, found.p_value) == (
        expected.statistic,
        pytest.approx(expected.pvalue),
    )


def test_a_normal_sample_that_is_lopsided_is_compared_by_ranks() -> None:
    # Of so few values no test of normality can reject much: skewness 22.464 / 7.76^1.5 = 1.039.
    few = np.array([0.0, 1, 2, 3, 8])
    lopsided = sample(few)
    assert (lopsided.is_normal, lopsided.is_symmetric) == (True, False)
    assert compared(few, few + 1).test == "Wilcoxon rank-sum"


def test_up_to_thirty_values_are_tested_by_shapiro_and_wilk() -> None:
    rng = np.random.default_rng(1)
    values = rng.normal(size=MOST_SHAPIRO)
    found = normality(values)
    expected = stats.shapiro(values)
    assert found is not None
    assert found.test == "Shapiro-Wilk"
    assert (found.statistic, found.p_value) == pytest.approx(
        (float(expected.statistic), float(expected.pvalue))
    )
    more = normality(np.append(values, 0.1))
    assert more is not None
    assert more.test == "Lilliefors"


def test_samples_of_nanoseconds_are_as_normal_as_those_of_seconds() -> None:
    values = np.random.default_rng(2).normal(1, 0.1, 25)
    first, second = normality(values), normality(values * 1e9)
    assert first is not None
    assert second is not None
    assert second.p_value == pytest.approx(first.p_value)


def test_values_that_do_not_vary_are_neither_normal_nor_symmetric() -> None:
    alike = sample(np.full(40, 5.0))
    assert (alike.is_normal, alike.is_symmetric) == (False, False)
    assert not compared(np.full(40, 5.0), np.full(40, 5.0)).rejects
    apart = compared(np.full(40, 5.0), np.full(40, 6.0))
    assert (apart.rejects, apart.is_above, apart.ranks.cliffs_delta) == (True, False, -1)


def test_independent_values_are_called_different_as_often_as_promised() -> None:
    rng = np.random.default_rng(3)
    pairs = rng.lognormal(0, 0.5, (1_000, 2, 100))
    told = np.mean([compared(*pair).rejects for pair in pairs])
    assert told == pytest.approx(ALPHA, abs=0.02)


def test_requests_in_step_are_called_different_far_more_often() -> None:
    # Two equal services, 30 seconds of ten requests that share most of what varies.
    rng = np.random.default_rng(4)
    seconds = np.repeat(rng.normal(0, 1, (400, 2, 30)), 10, axis=2)
    pairs = np.exp(0.3 * (seconds + 0.3 * rng.normal(0, 1, seconds.shape)))
    told = np.mean([compared(*pair).rejects for pair in pairs])
    assert told > 0.4


@pytest.mark.parametrize("values", [[1.0, 2.0], [1.0, 2.0, np.nan], []])
def test_what_cannot_be_described_is_refused(values: list[float]) -> None:
    with pytest.raises(ValueError):
        sample(np.array(values))
