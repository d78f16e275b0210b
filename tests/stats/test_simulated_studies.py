"""What the intervals and Holm's correction promise, on studies of which the truth is known.

Fixed seeds. The bounds are those of the 0.1 % tail of the binomial count of 2000 studies, so that
a correct method fails by chance in one of a thousand choices of the seed.
"""

import numpy as np
import pytest
from scipy import stats

from loadstone.stats.estimate import Estimate
from loadstone.stats.holm import holm_alphas
from loadstone.stats.log_ratio import log_ratio
from loadstone.stats.paired_t import paired_t
from loadstone.stats.sign_flip import sign_flip
from loadstone.stats.welch import welch

STUDIES, BLOCKS = 2000, 6
LEAST_COVERED = stats.binom.ppf(0.001, STUDIES, 0.95)
MOST_FALSE = stats.binom.ppf(0.999, STUDIES, 0.05)


def studies(ratio: float, run_spread: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Run values of two arms; blocks share a disturbance of 10 %."""
    rng = np.random.default_rng(seed)
    block = 0.1 * rng.standard_normal((STUDIES, BLOCKS))
    noise = run_spread * rng.standard_normal((2, STUDIES, BLOCKS))
    return 100 * np.exp(block + noise[0]), 100 * ratio * np.exp(block + noise[1])


@pytest.mark.parametrize("ratio", [1.0, 1.05, 2.0])
@pytest.mark.parametrize("run_spread", [0.01, 0.05])
def test_the_paired_interval_covers_the_true_ratio_in_95_percent(
    ratio: float, run_spread: float
) -> None:
    pairs = zip(*studies(ratio, run_spread, seed=1), strict=True)
    covered = 0
    for baseline, other in pairs:
        low, high = log_ratio(paired_t, baseline.tolist(), other.tolist()).interval(0.95)
        covered += low <= ratio <= high
    assert covered >= LEAST_COVERED


@pytest.mark.parametrize("spreads", [(0.02, 0.02), (0.02, 0.06)])
def test_the_welch_interval_covers_the_true_ratio_in_95_percent(
    spreads: tuple[float, float],
) -> None:
    rng = np.random.default_rng(2)
    covered = 0
    for _ in range(STUDIES):
        first = np.exp(spreads[0] * rng.standard_normal(BLOCKS))
        second = 1.1 * np.exp(spreads[1] * rng.standard_normal(BLOCKS - 1))
        low, high = log_ratio(welch, first.tolist(), second.tolist()).interval(0.95)
        covered += low <= 1.1 <= high
    assert covered >= LEAST_COVERED


def test_equal_arms_are_called_different_in_at_most_5_percent() -> None:
    pairs = zip(*studies(1.0, 0.05, seed=3), strict=True)
    false = sum(
        log_ratio(paired_t, baseline.tolist(), other.tolist()).p_value() <= 0.05
        for baseline, other in pairs
    )
    assert false <= MOST_FALSE


def test_a_family_of_ten_equal_pairs_has_a_false_difference_in_at_most_5_percent() -> None:
    rng = np.random.default_rng(4)
    values = rng.standard_normal((STUDIES, 10, BLOCKS))
    means, errors = values.mean(axis=2), values.std(axis=2, ddof=1) / np.sqrt(BLOCKS)
    uncorrected = corrected = 0
    for study_means, study_errors in zip(means, errors, strict=True):
        p_values = [
            Estimate(mean, error, BLOCKS - 1).p_value()
            for mean, error in zip(study_means, study_errors, strict=True)
        ]
        uncorrected += min(p_values) <= 0.05
        corrected += any(
            p <= alpha for p, alpha in zip(p_values, holm_alphas(p_values), strict=True)
        )
    assert corrected <= MOST_FALSE
    assert uncorrected > 5 * MOST_FALSE  # what the correction is for: about 40 %


def test_the_permutation_test_never_exceeds_its_level() -> None:
    rng = np.random.default_rng(5)
    false = sum(sign_flip(row.tolist()) <= 0.05 for row in rng.standard_cauchy((STUDIES, BLOCKS)))
    assert false <= MOST_FALSE
