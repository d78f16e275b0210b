"""Kaplan-Meier and log-rank: by hand, scipy, all permutations, and what must hold of any runs."""

import math
import warnings
from itertools import combinations
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from loadstone.stats.comparison.kaplan_meier import Survival, survival
from loadstone.stats.comparison.logrank import MOST_EXACT_RUNS, NOTHING_TOLD, logrank

RUNS = st.lists(st.tuples(st.integers(0, 30), st.booleans()), min_size=1, max_size=8)


class Runs(NamedTuple):
    times: list[float]
    failed: list[bool]


def runs_of(pairs: list[tuple[int, bool]]) -> Runs:
    return Runs([float(time) for time, _ in pairs], [failed for _, failed in pairs])


def test_four_runs_by_hand() -> None:
    # One of four fails at 1; one is watched until 2; one of the two left fails at 3; the last at 4.
    found = survival([1, 2, 3, 4], [True, False, True, True])
    assert found.times == (1, 3, 4)
    assert found.probabilities == (0.75, 0.375, 0)
    assert found.median == 3
    # exp(-exp(log(-log 0.75) +- 1.96 sqrt(1 / 12) / log 0.75))
    reach = math.exp(1.959964 * math.sqrt(1 / 12) / -math.log(0.75))
    assert found.low[0] == pytest.approx(0.75**reach)
    assert found.high[0] == pytest.approx(0.75 ** (1 / reach))


def test_runs_that_were_only_watched_say_nothing_of_when_they_fail() -> None:
    assert survival([5, 6], [False, False]) == Survival((), (), (), (), None)


def test_runs_that_fail_all_at_once_leave_the_interval_open() -> None:
    assert survival([5, 5, 5], [True] * 3) == Survival((5,), (0,), (0,), (1,), 5)


def test_the_last_failure_keeps_the_upper_end_of_the_one_before() -> None:
    found = survival([1, 2, 3], [True] * 3)
    assert found.low[-1] == 0
    assert found.high[-1] == found.high[-2] < 1


def test_the_median_is_none_where_fewer_than_half_fail() -> None:
    assert survival([1, 5, 5], [True, False, False]).median is None
    assert survival([1, 5], [True, False]).median == 1


@given(RUNS, st.sampled_from([0.5, 0.9, 0.95]))
def test_the_curve_and_its_interval_are_scipys(pairs: list[tuple[int, bool]], level: float) -> None:
    runs = runs_of(pairs)
    assume(any(runs.failed))
    found = survival(*runs, level=level)
    sample = stats.CensoredData.right_censored(runs.times, np.logical_not(runs.failed))
    curve = stats.ecdf(sample).sf
    assert found.probabilities == pytest.approx(curve.evaluate(found.times))
    inner = [time for time, share in zip(found.times, found.probabilities, strict=True) if share]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of times at which it leaves the interval undefined
        interval = curve.confidence_interval(level, method="log-log")
    assert found.low[: len(inner)] == pytest.approx(interval.low.evaluate(inner))
    assert found.high[: len(inner)] == pytest.approx(interval.high.evaluate(inner))


@given(RUNS)
def test_a_curve_only_falls_and_lies_in_its_interval(pairs: list[tuple[int, bool]]) -> None:
    found = survival(*runs_of(pairs))
    assert list(found.probabilities) == sorted(found.probabilities, reverse=True)
    for low, share, high in zip(found.low, found.probabilities, found.high, strict=True):
        assert 0 <= low <= share <= high <= 1


@given(RUNS, st.floats(0.1, 1000))
def test_the_unit_of_time_does_not_matter(pairs: list[tuple[int, bool]], factor: float) -> None:
    runs = runs_of(pairs)
    found, scaled = survival(*runs), survival([time * factor for time in runs.times], runs.failed)
    assert scaled.probabilities == found.probabilities
    assert scaled.times == pytest.approx([time * factor for time in found.times])


@pytest.mark.parametrize(
    ("times", "failed", "level", "message"),
    [
        ([], [], 0.95, "no runs"),
        ([1], [True, False], 0.95, "cannot have"),
        ([-1], [True], 0.95, "0 or more"),
        ([math.nan], [True], 0.95, "finite"),
        ([1], [True], 95, "level"),
    ],
)
def test_what_has_no_survival_is_refused(
    times: list[float], failed: list[bool], level: float, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        survival(times, failed, level)


def test_three_runs_against_three_by_hand() -> None:
    # Failures expected of the first arm: 3/6 + 2/5 + 1/4; variance 1/4 + 6/25 + 3/16.
    found = logrank([1, 2, 3], [True] * 3, [4, 5, 6], [True] * 3)
    assert found.statistic == pytest.approx((3 - 1.15) / math.sqrt(0.6775))
    assert found.p_value == pytest.approx(2 / 20)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (Runs([5, 5], [False, False]), Runs([5, 3], [False, False])),  # no failure at all
        (Runs([5, 5], [True, True]), Runs([5, 5, 5], [True] * 3)),  # all at the same time
        (Runs([1, 1], [False, False]), Runs([2, 3], [True, True])),  # no arm left to compare with
    ],
)
def test_where_nothing_can_be_told_nothing_is(first: Runs, second: Runs) -> None:
    assert logrank(*first, *second) == NOTHING_TOLD


@given(RUNS, RUNS)
def test_the_p_value_is_that_of_all_permutations(
    first: list[tuple[int, bool]], second: list[tuple[int, bool]]
) -> None:
    one, other = runs_of(first[:5]), runs_of(second[:5])
    found = logrank(*one, *other)
    assume(found != NOTHING_TOLD)
    times, failed = np.array([*one.times, *other.times]), np.array([*one.failed, *other.failed])

    def surplus(chosen: np.ndarray) -> float:
        """Failures of the chosen less those expected of them, time by time."""
        chosen = chosen.astype(int)
        return sum(
            failed[chosen][times[chosen] == at].sum()
            - (times[chosen] >= at).sum() * failed[times == at].sum() / (times >= at).sum()
            for at in set(times[failed])
        )

    observed = abs(surplus(np.arange(len(one.times))))
    ways = combinations(range(len(times)), len(one.times))
    surpluses = np.array([abs(surplus(np.array(way))) for way in ways])
    assert found.p_value == pytest.approx(np.mean(surpluses >= observed - 1e-9))


@given(RUNS, RUNS)
def test_the_statistic_is_scipys(
    first: list[tuple[int, bool]], second: list[tuple[int, bool]]
) -> None:
    one, other = runs_of(first), runs_of(second)
    found = logrank(*one, *other)
    assume(found != NOTHING_TOLD)
    samples = [
        stats.CensoredData.right_censored(times, np.logical_not(failed))
        for times, failed in (one, other)
    ]
    assert found.statistic == pytest.approx(stats.logrank(*samples).statistic, abs=1e-9)


@given(RUNS, RUNS)
def test_exchanging_the_arms_turns_the_sign(
    first: list[tuple[int, bool]], second: list[tuple[int, bool]]
) -> None:
    one, other = runs_of(first), runs_of(second)
    forth, back = logrank(*one, *other), logrank(*other, *one)
    assert forth.statistic == pytest.approx(-back.statistic, abs=1e-9)
    assert forth.p_value == pytest.approx(back.p_value)
    assert 0 < forth.p_value <= 1


def test_the_exact_and_the_normal_p_value_meet() -> None:
    half = MOST_EXACT_RUNS // 2
    rng = np.random.default_rng(3)
    first, second = rng.exponential(1, half), rng.exponential(1.8, half)
    exact = logrank(first.tolist(), [True] * half, second.tolist(), [True] * half)
    assert exact.p_value == pytest.approx(2 * stats.norm.sf(abs(exact.statistic)), abs=0.01)
    more = logrank([*first.tolist(), 0.7], [True] * (half + 1), second.tolist(), [True] * half)
    assert more.p_value == pytest.approx(2 * stats.norm.sf(abs(more.statistic)))


def test_arms_without_runs_are_refused() -> None:
    with pytest.raises(ValueError, match="no runs"):
        logrank([], [], [1], [True])
