"""What a paired comparison can find: tables, a property, a simulation, statsmodels."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.power import TTestPower

from loadstone.stats.comparison.estimate import Estimate
from loadstone.stats.comparison.paired_t import paired_t
from loadstone.stats.comparison.smallest_effect import (
    smallest_difference,
    smallest_effect,
    smallest_ratio,
)
from loadstone.stats.comparison.welch import welch

PAIRS = st.integers(2, 60)
POWERS = st.floats(0.5, 0.95)


def test_thirty_four_pairs_find_half_a_standard_deviation() -> None:
    # Cohen's tables and every calculator: 34 pairs for d = 0.5 at 5 % and 80 %, where 33 fall short.
    assert smallest_effect(34, 0.05, 0.8) < 0.5 < smallest_effect(33, 0.05, 0.8)


def test_many_pairs_by_hand_with_the_normal_quantiles() -> None:
    # (1.959964 + 0.841621) / sqrt(10000) = 0.0280159
    assert smallest_effect(10_000, 0.05, 0.8) == pytest.approx(0.0280159, rel=1e-3)


def test_a_ratio_by_hand() -> None:
    # Six pairs find 1.43454 standard deviations: exp(1.43454 * sqrt(2) * 0.02) = 1.04141
    assert smallest_ratio(0.02, 6, 0.05, 0.8) == pytest.approx(1.04141, abs=1e-5)
    assert smallest_ratio(0.0, 6, 0.05, 0.8) == 1


# statsmodels answers NaN for fewer pairs at 1 %, where its other tail underflows.
@pytest.mark.parametrize("pairs", [6, 12, 24, 33, 100])
@pytest.mark.parametrize("level", [0.01, 0.05])
@pytest.mark.parametrize("power", [0.8, 0.9])
def test_it_agrees_with_statsmodels(pairs: int, level: float, power: float) -> None:
    found = smallest_effect(pairs, level, power)
    assert TTestPower().power(found, pairs, level) == pytest.approx(power, abs=1e-6)


@given(PAIRS, POWERS, st.sampled_from([0.01, 0.05, 0.1]))
def test_more_blocks_find_less_and_more_power_asks_for_more(
    pairs: int, power: float, level: float
) -> None:
    found = smallest_effect(pairs, level, power)
    assert smallest_effect(pairs + 1, level, power) < found
    assert smallest_effect(pairs, level, power + 0.01) > found
    assert smallest_effect(pairs, level / 2, power) > found


def test_four_of_five_simulated_studies_find_a_difference_of_that_size() -> None:
    draws = np.random.default_rng(11)
    run_deviation, blocks, studies = 0.03, 6, 2000
    shift = math.log(smallest_ratio(run_deviation, blocks, 0.05, 0.8))
    found = 0
    for _ in range(studies):
        drift = draws.normal(0, 0.05, blocks)  # shared by a block's runs, so it must not matter
        baseline = drift + draws.normal(0, run_deviation, blocks)
        other = drift + draws.normal(shift, run_deviation, blocks)
        found += paired_t(list(baseline), list(other)).interval(0.95)[0] > 0
    low, high = stats.binom.interval(0.9999, studies, 0.8)
    assert low <= found <= high


@given(st.lists(st.floats(-10, 10), min_size=3, max_size=12), POWERS)
def test_the_smallest_difference_of_pairs_is_the_smallest_effect_times_their_deviation(
    differences: list[float], power: float
) -> None:
    estimate = paired_t([0.0] * len(differences), differences)
    deviation = 0.0 if np.ptp(differences) == 0 else np.std(differences, ddof=1)
    expected = smallest_effect(len(differences), 0.05, power) * deviation
    assert smallest_difference(estimate, 0.05, power) == pytest.approx(expected)


@pytest.mark.parametrize("runs", [3, 6, 10])
def test_unpaired_runs_find_the_smallest_difference_with_the_power(runs: int) -> None:
    draws = np.random.default_rng(runs)
    deviation, studies = 0.04, 1000
    true = Estimate(0.0, deviation * math.sqrt(2 / runs), runs - 1, 2 * runs - 2)
    shift = smallest_difference(true, 0.05, 0.9)
    found = 0
    for _ in range(studies):
        baseline, other = draws.normal(0, deviation, runs), draws.normal(shift, deviation, runs)
        found += welch(baseline.tolist(), other.tolist()).interval(0.95)[0] > 0
    low, high = stats.binom.interval(0.999, studies, 0.9)
    assert low <= found <= high


@pytest.mark.parametrize(
    "wrong", [(1, 0.05, 0.8), (6, 0.0, 0.8), (6, 0.6, 0.8), (6, 0.05, 0.3), (6, 0.05, 1.0)]
)
def test_what_makes_no_sense_is_refused(wrong: tuple[int, float, float]) -> None:
    with pytest.raises(ValueError):
        smallest_effect(*wrong)


@pytest.mark.parametrize("deviation", [-0.1, math.nan, math.inf])
def test_what_is_no_deviation_is_refused(deviation: float) -> None:
    with pytest.raises(ValueError, match="no standard deviation"):
        smallest_ratio(deviation, 6, 0.05, 0.8)


# R 4.2.2: power.t.test(n, sd = 1, power = 0.9, sig.level, type = "two.sample")$delta
@pytest.mark.parametrize(
    ("runs", "level", "expected"),
    [
        (3, 0.05, 3.58921),
        (3, 0.05 / 3, 4.83333),
        (3, 0.001, 9.96353),
        (6, 0.05, 2.08063),
        (6, 0.05 / 3, 2.49472),
        (6, 0.001, 3.64364),
        (10, 0.05, 1.53369),
        (10, 0.05 / 3, 1.78997),
        (10, 0.001, 2.41448),
        (24, 0.05, 0.95592),
        (24, 0.05 / 3, 1.09553),
        (24, 0.001, 1.40321),
    ],
)
def test_unpaired_runs_agree_with_r(runs: int, level: float, expected: float) -> None:
    standard_error = math.sqrt(2 / runs)
    estimate = Estimate(0.3, standard_error, degrees_of_freedom=2 * runs - 2)
    assert smallest_difference(estimate, level) == pytest.approx(expected, rel=1e-4)


def test_a_paired_comparison_finds_what_its_pairs_would() -> None:
    estimate = paired_t([1.0, 2.0, 3.0, 4.0], [1.5, 2.1, 3.9, 4.1])
    spread = float(np.std([0.5, 0.1, 0.9, 0.1], ddof=1))
    expected = spread * smallest_effect(4, 0.05, 0.9)
    assert smallest_difference(estimate, 0.05) == pytest.approx(expected)


def test_runs_that_do_not_vary_find_anything() -> None:
    assert smallest_difference(Estimate(0.0, 0.0, 5.0), 0.05) == 0
