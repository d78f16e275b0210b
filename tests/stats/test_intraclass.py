"""Intraclass correlation: by hand, against an independent implementation, and as a property."""

import numpy as np
import pandas as pd
import pytest
import statsmodels.formula.api as smf
from hypothesis import given
from hypothesis import strategies as st

from loadstone.stats.series.intraclass import effective_count, intraclass_correlation


def of(groups: list[np.ndarray]) -> float | None:
    return intraclass_correlation(
        [len(group) for group in groups],
        [float(group.mean()) for group in groups],
        [float(group.var(ddof=1)) if len(group) > 1 else 0.0 for group in groups],
    )


def test_groups_of_equal_values_resemble_themselves_wholly() -> None:
    assert of([np.full(10, 3.0), np.full(10, 5.0)]) == pytest.approx(1)


def test_shrout_and_fleiss_by_hand() -> None:
    # Means 2 and 5, variances 1: between = 3 * 4.5 = 13.5, within = 1, (13.5 - 1) / (13.5 + 2).
    found = of([np.array([1.0, 2, 3]), np.array([4.0, 5, 6])])
    assert found == pytest.approx(12.5 / 15.5)


@pytest.mark.parametrize("seed", range(5))
def test_it_agrees_with_the_analysis_of_variance_of_statsmodels(seed: int) -> None:
    random = np.random.default_rng(seed)
    groups = [random.normal(random.normal(0, seed), 1, random.integers(2, 30)) for _ in range(12)]
    table = pd.DataFrame(
        [(index, value) for index, group in enumerate(groups) for value in group],
        columns=["second", "value"],
    )
    squares = smf.ols("value ~ C(second)", table).fit()
    between = squares.mse_model
    within = squares.mse_resid
    sizes = np.array([len(group) for group in groups])
    usual = (sizes.sum() - (sizes**2).sum() / sizes.sum()) / (len(groups) - 1)
    expected = (between - within) / (between + (usual - 1) * within)
    assert of(groups) == pytest.approx(expected)


@pytest.mark.parametrize("groups", [[np.ones(5)], [np.ones(1), np.ones(1)], [np.ones(3)] * 3])
def test_where_nothing_can_be_told_there_is_none(groups: list[np.ndarray]) -> None:
    assert of(groups) is None


@given(st.integers(0, 2**32 - 1), st.floats(0, 1))
def test_independent_values_keep_their_number_and_copies_count_once(
    seed: int, share: float
) -> None:
    counts = np.random.default_rng(seed).integers(1, 50, 8).tolist()
    effective = effective_count(counts, share)
    assert effective <= sum(counts) + 1e-9
    assert effective_count(counts, 0.0) == pytest.approx(sum(counts))
    assert effective_count([20] * 8, 1.0) == pytest.approx(8)
