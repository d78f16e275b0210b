"""Values by group: by hand, against pandas, refusals."""

import numpy as np
import pandas as pd
import pytest

from loadstone.stats.series.grouped import grouped


def test_three_groups_by_hand_in_any_order() -> None:
    found = grouped(np.array([4.0, 1, 3, 7]), np.array([9, 5, 5, 2]))
    assert found.counts.tolist() == [1, 2, 1]
    assert found.means.tolist() == [7, 2, 4]
    assert found.variances.tolist() == [0, 2, 0]


@pytest.mark.parametrize("seed", range(5))
def test_it_agrees_with_pandas(seed: int) -> None:
    rng = np.random.default_rng(seed)
    values, groups = rng.normal(1e9, 1, 200), rng.integers(-3, 40, 200)
    found = grouped(values, groups)
    expected = pd.Series(values).groupby(groups)
    assert found.counts.tolist() == expected.count().tolist()
    assert found.means == pytest.approx(expected.mean().to_numpy())
    assert found.variances == pytest.approx(expected.var().fillna(0).to_numpy(), rel=1e-5)


def test_no_values_have_no_groups() -> None:
    nothing = grouped(np.zeros(0), np.zeros(0, dtype=np.int64))
    assert (len(nothing.counts), len(nothing.means), len(nothing.variances)) == (0, 0, 0)


def test_each_value_has_a_group() -> None:
    with pytest.raises(ValueError, match="cannot be of"):
        grouped(np.zeros(2), np.zeros(3, dtype=np.int64))
