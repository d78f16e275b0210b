"""Buckets are HdrHistogram's own, so that imported runs merge with those of the engine."""

import numpy as np
from hdrh.histogram import HdrHistogram
from hypothesis import given
from hypothesis import strategies as st

from loadstone.importers.bucketed import HIGHEST_NS, LOWEST_NS, SIGNIFICANT_DIGITS, BucketedTimes

times = st.lists(
    st.one_of(st.integers(0, 5_000), st.integers(0, HIGHEST_NS)), min_size=1, max_size=40
)


def bucketed(values: list[int]) -> BucketedTimes:
    found = BucketedTimes()
    for value in values:
        found.add(value)
    return found


@given(values=times)
def test_the_encoded_counts_are_those_of_the_package(values: list[int]) -> None:
    own = HdrHistogram(LOWEST_NS, HIGHEST_NS, SIGNIFICANT_DIGITS)
    for value in values:
        own.record_value(value)
    decoded = HdrHistogram.decode(bucketed(values).encoded())
    np.testing.assert_array_equal(np.asarray(decoded.counts), np.asarray(own.counts))


@given(values=times, others=times)
def test_merged_times_are_those_of_both(values: list[int], others: list[int]) -> None:
    merged = bucketed(values)
    merged.merge(bucketed(others))
    assert merged.encoded() == bucketed([*values, *others]).encoded()
    assert merged.clock_summary() == bucketed([*values, *others]).clock_summary()


@given(values=times)
def test_count_sum_and_extremes_are_exact_and_quantiles_within_their_bucket(
    values: list[int],
) -> None:
    summary = bucketed(values).time_summary()
    assert (summary.count, summary.max_ns) == (len(values), max(values))
    assert summary.mean_ns == sum(values) / len(values)
    for found, quantile in ((summary.p50_ns, 0.5), (summary.p99_ns, 0.99)):
        exact = int(np.quantile(values, quantile, method="inverted_cdf"))
        assert exact <= found <= max(exact * (1 + 2**-10), exact + 511)
