"""The histograms of simulated runs are those that the package would have recorded."""

import numpy as np
from hdrh.histogram import HdrHistogram
from hypothesis import given
from hypothesis import strategies as st

from loadstone.simulate.engine_files import HIGHEST_NS, LOWEST_NS, SIGNIFICANT_DIGITS, histogram_of


@given(st.lists(st.integers(0, HIGHEST_NS), min_size=1, max_size=50))
def test_values_together_are_recorded_as_each_alone(values: list[int]) -> None:
    alone = HdrHistogram(LOWEST_NS, HIGHEST_NS, SIGNIFICANT_DIGITS)
    for value in values:
        alone.record_value(max(value, LOWEST_NS))
    together = histogram_of(np.array(values, dtype=np.int64))
    assert together.encode() == alone.encode()
    assert together.get_max_value() == alone.get_max_value()
    assert together.get_min_value() == alone.get_min_value()
