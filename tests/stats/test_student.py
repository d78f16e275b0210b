"""Student's t with a common variance: by hand, against scipy and statsmodels, refusals."""

import numpy as np
import pytest
from reference_values import arms
from scipy import stats
from statsmodels.stats.weightstats import ttest_ind

from loadstone.stats.comparison.student import student


def test_two_samples_by_hand() -> None:
    # Means 2 and 5, squares 2 and 2: variance 4 / 4, error sqrt(2 / 3).
    found = student(np.array([1.0, 2, 3]), np.array([4.0, 5, 6]))
    assert (found.mean, found.degrees_of_freedom) == (-3, 4)
    assert found.standard_error == pytest.approx((2 / 3) ** 0.5)


@pytest.mark.parametrize("name", arms())
def test_it_agrees_with_scipy_and_statsmodels(name: str) -> None:
    baseline, other = (np.array(each) for each in arms()[name])
    found = student(other, baseline)
    if found.standard_error == 0:
        pytest.skip("nothing varies in it")
    expected = stats.ttest_ind(other, baseline)
    assert found.mean / found.standard_error == pytest.approx(expected.statistic)
    assert found.p_value() == pytest.approx(expected.pvalue)
    _, p_value, degrees = ttest_ind(other, baseline)
    assert found.p_value() == pytest.approx(p_value)
    assert found.degrees_of_freedom == degrees


def test_samples_that_do_not_vary_are_certain() -> None:
    assert student(np.full(3, 2.0), np.full(4, 3.0)).p_value() == 0
    assert student(np.full(3, 2.0), np.full(4, 2.0)).p_value() == 1


@pytest.mark.parametrize(
    ("first", "second"), [([], [1.0, 2, 3]), ([1.0], [2.0]), ([1.0, 2], [np.inf, 1])]
)
def test_what_cannot_be_compared_is_refused(first: list[float], second: list[float]) -> None:
    with pytest.raises(ValueError):
        student(np.array(first), np.array(second))
