import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from loadstone.stats.comparison.geometric_mean import geometric_mean

VALUES = st.lists(st.floats(1e-9, 1e12), min_size=1, max_size=30)


def test_2_and_8_have_the_mean_4() -> None:
    assert geometric_mean([2, 8]) == pytest.approx(4)


def test_equal_values_are_exactly_their_mean() -> None:
    assert geometric_mean([67108864.0] * 6) == 67108864.0


def test_a_zero_makes_the_mean_zero() -> None:
    assert geometric_mean([0, 5]) == 0


@pytest.mark.parametrize("bad", [[], [1, -1], [1, float("nan")], [1, float("inf")]])
def test_values_without_a_geometric_mean_are_refused(bad: list[float]) -> None:
    with pytest.raises(ValueError):
        geometric_mean(bad)


@given(VALUES)
def test_it_agrees_with_scipy_and_lies_between_the_extremes(values: list[float]) -> None:
    mean = geometric_mean(values)
    assert mean == pytest.approx(stats.gmean(values))
    assert min(values) * (1 - 1e-12) <= mean <= max(values) * (1 + 1e-12)


@given(st.lists(st.tuples(st.floats(0.1, 10), st.floats(0.1, 10)), min_size=1, max_size=10))
def test_the_ratio_of_means_is_the_mean_of_ratios(pairs: list[tuple[float, float]]) -> None:
    first, second = zip(*pairs, strict=True)
    ratios = [one / other for one, other in pairs]
    assert geometric_mean(first) / geometric_mean(second) == pytest.approx(geometric_mean(ratios))
