import pytest
from hypothesis import given
from hypothesis import strategies as st

from loadstone.stats.series.thinning import thinned

VALUES = st.lists(st.one_of(st.none(), st.floats(-1e9, 1e9)), min_size=1, max_size=400)
MOST = st.integers(min_value=2, max_value=120)


@given(VALUES, MOST)
def test_a_thinned_series_is_bounded_and_keeps_its_extremes(
    values: list[float | None], most: int
) -> None:
    positions, (column,) = thinned(range(len(values)), [values], most)
    known = [value for value in values if value is not None]
    left = [value for value in column if value is not None]
    assert len(positions) == len(column) <= max(most, min(len(values), most))
    assert (min(left), max(left)) == (min(known), max(known)) if known else not left


@given(VALUES, MOST)
def test_positions_rise_from_the_first_to_the_last(values: list[float | None], most: int) -> None:
    positions, _ = thinned(range(len(values)), [values], most)
    assert list(positions) == sorted(set(positions))
    assert (positions[0], positions[-1]) == (0, len(values) - 1)


@given(VALUES, MOST)
def test_a_value_moves_by_less_than_a_bucket(values: list[float | None], most: int) -> None:
    positions, (column,) = thinned(range(len(values)), [values], most)
    width = len(values) / (most // 2) + 1
    for position, value in zip(positions, column, strict=True):
        near = [other for index, other in enumerate(values) if abs(index - position) < width]
        assert value in near or value is None


@given(VALUES)
def test_a_short_series_stays_as_it_is(values: list[float | None]) -> None:
    assert thinned(range(len(values)), [values], 400).columns == (tuple(values),)


def test_the_order_in_which_extremes_came_is_kept() -> None:
    found = thinned([0, 1, 2, 3, 4, 5], [[1, 9, 5, 7, 2, 3], [None, None, None, 4, 4, 4]], 4)
    assert found.positions == (0, 2, 3, 5)
    assert found.columns == ((1, 9, 7, 2), (None, None, 4, 4))


def test_columns_of_another_length_or_too_few_points_are_refused() -> None:
    with pytest.raises(ValueError, match="for each position"):
        thinned([0, 1], [[1.0]], 4)
    with pytest.raises(ValueError, match="smallest and a largest"):
        thinned([0, 1, 2], [], 1)
