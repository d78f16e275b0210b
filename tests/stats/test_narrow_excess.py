import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from loadstone.stats.values.narrow_excess import Excess, excess_at

MS = 1_000_000
TIMERS_MS = (40, 200, 1000, 3000)


def found(values_ms: NDArray[np.float64], wait_ms: float, least: int = 20) -> Excess | None:
    values, counts = np.unique(np.rint(values_ms * MS).astype(np.int64), return_counts=True)
    return excess_at(values, counts, wait_ms * MS, least)


def test_200_of_a_thousand_at_41_ms_above_a_bulk_at_1_ms() -> None:
    """The bulk is one value, so that the place is 40.2 to 45 ms; what is beside it is taken off."""
    values = np.concatenate((np.full(800, 1.0), np.full(200, 42.0)))
    assert found(values, 40) == Excess(200, 0.2, 42.0 * MS)
    beside = np.concatenate((values, np.full(10, 38.0), np.full(60, 48.0)))
    assert found(beside, 40) == Excess(140, 140 / 1070, 42.0 * MS)
    assert found(np.concatenate((values, np.full(67, 48.0))), 40) is None  # a third of it


def test_too_few_answers_too_small_a_share_and_a_wide_bulk_tell_nothing() -> None:
    values = np.concatenate((np.full(950, 1.0), np.full(50, 42.0)))
    assert found(values, 40, least=51) is None
    assert found(np.concatenate((values, np.full(60_000, 1.0))), 40) is None
    wide = np.concatenate((np.linspace(1, 13, 950), np.full(50, 47.0)))
    assert found(wide, 40) is None


def test_what_all_wait_for_is_how_long_the_service_takes() -> None:
    assert found(np.concatenate((np.full(90, 1.0), np.full(910, 42.0))), 40) is None
    assert excess_at(np.array([]), np.array([], dtype=np.int64), 40 * MS, 1) is None


def counted_by_hand(values_ms: NDArray[np.float64], wait_ms: float) -> int | None:
    """The same from sorted values, one by one, where the bulk is narrow enough."""
    values = sorted(round(each * MS) for each in values_ms)
    wait = wait_ms * MS

    def at(part: list[int], percent: int) -> int:
        return part[-(-percent * len(part) // 100) - 1]

    bulk = [each for each in values if each < at(values, 5) + 0.75 * wait]
    low, high = at(bulk, 5), at(bulk, 95)
    begin, end = low + 0.98 * wait, high + 1.1 * wait
    width = end - begin
    inside = sum(begin <= each < end for each in values)
    below = sum(begin - width <= each < begin for each in values)
    above = sum(end <= each < end + width for each in values)
    beside = max(below, above)
    is_told = (
        high - low <= 0.25 * wait
        and inside > 3 * beside
        and inside - beside >= max(20, len(values) / 1000)
        and (inside - beside) ** 2 >= 25 * (inside + beside)
    )
    return inside - beside if is_told else None


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("wait_ms", TIMERS_MS)
def test_it_agrees_with_counting_one_by_one(seed: int, wait_ms: int) -> None:
    rng = np.random.default_rng(seed)
    values = 3 * np.exp(0.3 * rng.standard_normal(4000)) + rng.exponential(wait_ms / 5, 4000) * (
        rng.random(4000) < 0.1
    )
    values += (rng.random(4000) < 0.004 * (1 + seed)) * (wait_ms + 4 * rng.random(4000))
    excess = found(values, wait_ms)
    assert (None if excess is None else excess.number) == counted_by_hand(values, wait_ms)


@pytest.mark.parametrize("wait_ms", TIMERS_MS)
@pytest.mark.parametrize("seed", range(5))
def test_a_third_of_a_percent_is_found_after_any_narrow_bulk(seed: int, wait_ms: int) -> None:
    rng = np.random.default_rng(seed)
    bulk = rng.uniform(0.2, 60) + np.exp(0.3 * rng.standard_normal(30_000))
    timed = (rng.random(30_000) < 0.0033) * (wait_ms + 4 * rng.random(30_000))
    excess = found(bulk + timed, wait_ms)
    assert excess is not None
    assert excess.number == pytest.approx(np.sum(timed > 0), rel=0.15)


@settings(max_examples=50)
@given(st.integers(0, 2**32 - 1), st.sampled_from(TIMERS_MS))
def test_smooth_tails_and_other_modes_have_none(seed: int, wait_ms: int) -> None:
    rng = np.random.default_rng(seed)
    count = int(rng.integers(300, 20_000))
    usual = np.exp(0.3 * rng.standard_normal(count))
    forms = (
        rng.exponential(rng.uniform(1, 30), count),
        5 * np.exp(rng.uniform(0.3, 1.5) * rng.standard_normal(count)),
        1 + rng.pareto(1.5, count),
        usual + 50 * (rng.random(count) < 0.1),
        usual + (rng.random(count) < 0.02) * rng.uniform(20, 60, count),
        np.where(rng.random(count) < 0.3, 37, 10) * np.exp(0.05 * rng.standard_normal(count)),
    )
    assert [found(values, wait_ms) for values in forms] == [None] * len(forms)
