"""Moments, Apdex and quantiles of counts in buckets: by hand, as properties, and hdrhistogram."""

import math

import numpy as np
import pytest
from hdrh.histogram import HdrHistogram
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from loadstone.stats.values.apdex import apdex
from loadstone.stats.values.moments import moments
from loadstone.stats.values.quantile import quantile_over_offered, rank

BUCKETS = st.dictionaries(st.integers(0, 10**9), st.integers(0, 1000), min_size=1, max_size=20)
DATA_SETS = {
    "normal": np.random.default_rng(1).normal(20_000, 2_000, 1_000),
    "lognormal": np.random.default_rng(2).lognormal(8, 1, 5_000),
    "uniform": np.random.default_rng(3).uniform(1, 1_000_000, 777),
    "two modes": np.random.default_rng(4).normal([1_000, 50_000], 100, (500, 2)).ravel(),
    "one value": np.full(99, 4_242.0),
    "few": np.array([3.0, 1.0, 2.0]),
}
PERCENTILES = (0.0, 10.0, 50.0, 75.0, 90.0, 95.0, 98.0, 99.0, 99.9, 99.99, 99.999, 100.0)


def histogram_of(values: np.ndarray) -> HdrHistogram:
    histogram = HdrHistogram(1, 3_600_000_000, 3)
    for value in values.astype(int).tolist():
        histogram.record_value(value)
    return histogram


def buckets_of(histogram: HdrHistogram) -> tuple[np.ndarray, np.ndarray]:
    """Upper edges and counts."""
    pairs = [
        (
            histogram.get_highest_equivalent_value(item.value_iterated_to),
            item.count_at_value_iterated_to,
        )
        for item in histogram.get_recorded_iterator()
    ]
    return np.array([pair[0] for pair in pairs]), np.array([pair[1] for pair in pairs])


def arrays(buckets: dict[int, int]) -> tuple[np.ndarray, np.ndarray]:
    return np.array(sorted(buckets)), np.array([buckets[value] for value in sorted(buckets)])


@pytest.mark.parametrize("name", DATA_SETS)
def test_quantiles_are_those_of_hdrhistogram(name: str) -> None:
    histogram = histogram_of(DATA_SETS[name])
    values, counts = buckets_of(histogram)
    total = histogram.get_total_count()
    agreed = 0
    for percentile in PERCENTILES[1:]:
        position = rank(percentile / 100, total)
        found = quantile_over_offered(values, counts, 0, percentile / 100)
        assert found == histogram.get_value_at_percentile(100 * position / total), percentile
        # The Java original and the Rust port round a rank up, as is done here; the Python port to the
        # nearest, so that it gives the value before where the rank is just above a whole number.
        if position == histogram.get_target_count_at_percentile(percentile):
            assert found == histogram.get_value_at_percentile(percentile), percentile
            agreed += 1
    assert agreed >= len(PERCENTILES) / 3


@pytest.mark.parametrize("name", DATA_SETS)
def test_moments_are_those_of_hdrhistogram_but_for_its_denominator(name: str) -> None:
    histogram = histogram_of(DATA_SETS[name])
    edges, counts = buckets_of(histogram)
    middles = [
        (histogram.get_lowest_equivalent_value(edge) + edge + 1) // 2 for edge in edges.tolist()
    ]
    found = moments(np.array(middles), counts)
    assert found is not None
    assert found.deviation is not None
    assert found.mean == pytest.approx(histogram.get_mean_value())
    # It divides by n.
    expected = histogram.get_stddev() * math.sqrt(found.count / (found.count - 1))
    assert found.deviation == pytest.approx(expected, abs=1e-9)


def test_two_and_six_by_hand() -> None:
    # Mean of 2, 2, 2, 6 is 3; squares 1 + 1 + 1 + 9 over 3.
    found = moments(np.array([2, 6]), np.array([3, 1]))
    assert found is not None
    assert (found.count, found.mean, found.deviation) == (4, 3.0, 2.0)


def test_one_value_has_no_deviation_and_none_no_mean() -> None:
    alone = moments(np.array([5, 7]), np.array([0, 1]))
    assert alone is not None
    assert (alone.mean, alone.deviation) == (7.0, None)
    assert moments(np.array([5]), np.array([0])) is None
    assert moments(np.array([]), np.array([])) is None


@given(BUCKETS.filter(lambda buckets: sum(buckets.values()) > 1))
def test_moments_are_those_of_the_repeated_values(buckets: dict[int, int]) -> None:
    found = moments(*arrays(buckets))
    repeated = np.repeat(*arrays(buckets)).astype(float)
    assert found is not None
    assert found.mean == pytest.approx(repeated.mean())
    assert found.deviation == pytest.approx(repeated.std(ddof=1), rel=1e-9, abs=1e-6)


@given(BUCKETS.filter(lambda buckets: sum(buckets.values()) > 1), st.integers(1, 10**12))
def test_far_from_0_the_deviation_is_the_same(buckets: dict[int, int], far: int) -> None:
    values, counts = arrays(buckets)
    near, moved = moments(values, counts), moments(values + far, counts)
    assert near is not None
    assert moved is not None
    assert moved.deviation == pytest.approx(near.deviation, rel=1e-6, abs=1e-3)


@pytest.mark.parametrize(("values", "counts"), [([1, 2], [1]), ([1, 2], [1, -1])])
def test_what_are_no_buckets_is_refused(values: list[int], counts: list[int]) -> None:
    with pytest.raises(ValueError):
        moments(np.array(values), np.array(counts))


def test_apdex_by_hand() -> None:
    # The specification's example: 60 satisfied and 30 tolerating of 100 make 0.75.
    times, counts = np.array([1, 4, 5]), np.array([60, 30, 10])
    assert apdex(times, counts, satisfied=1, tolerated=4, offered=100) == 0.75


def test_a_fast_failure_frustrates() -> None:
    assert apdex(np.array([1]), np.array([5]), satisfied=1, tolerated=4, offered=10) == 0.5
    assert apdex(np.array([]), np.array([]), satisfied=1, tolerated=4, offered=10) == 0


@given(BUCKETS.filter(lambda b: sum(b.values()) > 0), st.floats(0, 1e9), st.floats(0, 1e9))
def test_apdex_is_the_mean_of_two_distribution_functions(
    buckets: dict[int, int], one: float, other: float
) -> None:
    satisfied, tolerated = sorted((one, other))
    values, counts = arrays(buckets)
    total = int(counts.sum())
    repeated = np.repeat(values, counts)
    shares = [
        stats.percentileofscore(repeated, edge, "weak") / 100 for edge in (satisfied, tolerated)
    ]
    found = apdex(values, counts, satisfied, tolerated, total)
    assert found == pytest.approx(sum(shares) / 2)
    assert apdex(values, counts, satisfied, tolerated, 2 * total) == pytest.approx(found / 2)
    assert 0 <= found <= apdex(values, counts, satisfied, tolerated + 1, total) <= 1


@pytest.mark.parametrize(
    ("satisfied", "tolerated", "offered", "message"),
    [
        (4, 1, 10, "ascending"),
        (-1, 1, 10, "ascending"),
        (math.nan, 1, 10, "ascending"),
        (1, 4, 0, "no requests"),
        (1, 4, 2, "cannot be ok"),
    ],
)
def test_what_has_no_apdex_is_refused(
    satisfied: float, tolerated: float, offered: int, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        apdex(np.array([1]), np.array([3]), satisfied, tolerated, offered)
