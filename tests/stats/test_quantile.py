import math

import numpy as np
import pytest
from hdrh.histogram import HdrHistogram
from hypothesis import given
from hypothesis import strategies as st

from loadstone.stats.values.quantile import quantile_over_offered, rank, reached, samples_needed

COUNTS = st.lists(st.integers(0, 50), min_size=1, max_size=30).filter(any)
QUANTILES = st.floats(0, 1)


def quantile_of(values: list[int], failed: int, quantile: float) -> int | None:
    distinct, counts = np.unique(np.array(values, dtype=np.int64), return_counts=True)
    return quantile_over_offered(distinct, counts.astype(np.int64), failed, quantile)


def test_the_ninth_of_ten_is_their_p90() -> None:
    assert quantile_of(list(range(1, 11)), 0, 0.9) == 9


def test_the_quantile_0_is_the_smallest_and_1_the_largest_value() -> None:
    assert quantile_of([3, 5, 8], 0, 0.0) == 3
    assert quantile_of([3, 5, 8], 0, 1.0) == 8


def test_a_failed_request_ranks_above_every_ok_one() -> None:
    values = list(range(1, 91))
    assert quantile_of(values, 10, 0.9) == 90
    assert quantile_of(values, 10, 0.91) is None
    assert quantile_of(values, 10, 1.0) is None


def test_without_any_ok_request_every_quantile_is_among_the_failed() -> None:
    assert quantile_of([], 3, 0.0) is None


def test_rounding_of_the_product_does_not_move_the_rank() -> None:
    assert 0.07 * 100 > 7  # what would be rounded up to the 8th
    assert rank(0.07, 100) == 7


@pytest.mark.parametrize(("quantile", "needed"), [(0.5, 5), (0.9, 29), (0.99, 299), (0.999, 2995)])
def test_a_quantile_needs_so_many_samples(quantile: float, needed: int) -> None:
    assert samples_needed(quantile) == needed
    assert reached(quantile, needed)
    assert not reached(quantile, needed - 1)


@pytest.mark.parametrize("quantile", [0.0, 1.0])
def test_the_extremes_need_one_sample(quantile: float) -> None:
    assert samples_needed(quantile) == 1


@pytest.mark.parametrize("quantile", [-0.1, 1.1, math.nan])
def test_what_is_no_quantile_is_refused(quantile: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        rank(quantile, 10)
    with pytest.raises(ValueError, match="between 0 and 1"):
        samples_needed(quantile)


def test_no_value_has_no_quantile() -> None:
    with pytest.raises(ValueError, match="no values"):
        quantile_of([], 0, 0.5)


@given(st.floats(0.01, 0.9999))
def test_the_samples_needed_reach_past_the_quantile_with_95_percent(quantile: float) -> None:
    needed = samples_needed(quantile)
    assert quantile**needed <= 0.05 * (1 + 1e-9)
    assert quantile ** (needed - 1) > 0.05 * (1 - 1e-9)


@given(COUNTS, st.integers(0, 50), QUANTILES)
def test_it_agrees_with_numpys_inverse_of_the_distribution(
    counts: list[int], failed: int, quantile: float
) -> None:
    values = np.repeat(np.arange(len(counts)), counts)
    offered = np.concatenate((values.astype(float), np.full(failed, np.inf)))
    # numpy takes the ceiling of the rounded product; ours differs from it by that rounding alone.
    expected = np.quantile(offered, math.nextafter(quantile, 0), method="inverted_cdf")
    found = quantile_over_offered(np.arange(len(counts)), np.array(counts), failed, quantile)
    assert (math.inf if found is None else found) == expected


@given(COUNTS, st.integers(0, 50), QUANTILES, QUANTILES)
def test_a_higher_quantile_is_never_a_smaller_value(
    counts: list[int], failed: int, one: float, other: float
) -> None:
    values, weights = np.arange(len(counts)), np.array(counts)
    found = [
        quantile_over_offered(values, weights, failed, quantile)
        for quantile in sorted((one, other))
    ]
    low, high = (math.inf if each is None else each for each in found)
    assert low <= high


def test_it_agrees_with_hdrhistogram_where_the_rank_is_whole() -> None:
    histogram = HdrHistogram(1, 10_000, 3)
    for value in range(1, 1001):
        histogram.record_value(value)
    for percentile in (10, 50, 90, 95, 99, 99.9, 100):
        expected = histogram.get_value_at_percentile(percentile)
        assert quantile_of(list(range(1, 1001)), 0, percentile / 100) == expected
