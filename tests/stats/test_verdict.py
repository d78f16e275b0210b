import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from loadstone.stats.comparison.verdict import Relation, relation_of_difference, relation_of_ratio

BOUND = st.floats(0.1, 10)
MARGIN = st.floats(0, 1)


@pytest.mark.parametrize(
    ("low", "high", "relation"),
    [
        (0.98, 1.02, Relation.EQUIVALENT),
        (1 / 1.03, 1.03, Relation.EQUIVALENT),
        (1.01, 1.02, Relation.EQUIVALENT),  # different, but it does not matter
        (1.01, 1.04, Relation.ABOVE),
        (0.95, 0.99, Relation.BELOW),
        (0.96, 1.02, Relation.CANNOT_TELL),
        (0.99, 1.04, Relation.CANNOT_TELL),
        (1.0, 1.04, Relation.CANNOT_TELL),
        (0.0, math.inf, Relation.CANNOT_TELL),
    ],
)
def test_a_ratio_with_a_margin_of_3_percent(low: float, high: float, relation: Relation) -> None:
    assert relation_of_ratio(low, high, 0.03) == relation


@pytest.mark.parametrize(
    ("low", "high", "relation"),
    [
        (-0.5, 1.0, Relation.EQUIVALENT),
        (0.5, 1.5, Relation.ABOVE),
        (-1.5, -0.5, Relation.BELOW),
        (-1.5, 0.5, Relation.CANNOT_TELL),
    ],
)
def test_a_difference_with_a_margin_of_1(low: float, high: float, relation: Relation) -> None:
    assert relation_of_difference(low, high, 1.0) == relation


def test_two_arms_without_any_failure_are_equivalent_with_no_margin_at_all() -> None:
    assert relation_of_difference(0.0, 0.0, 0.0) == Relation.EQUIVALENT


@pytest.mark.parametrize("seed", range(5))
def test_the_words_are_those_that_are_true_of_all_points_of_the_interval(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for _ in range(200):
        low, high = sorted(rng.normal(0, 0.05, 2))
        points, margin = np.linspace(low, high, 1001), rng.uniform(0, 0.1)
        told = {
            Relation.EQUIVALENT: np.abs(points) <= margin,
            Relation.ABOVE: points > 0,
            Relation.BELOW: points < 0,
            Relation.CANNOT_TELL: points == points,
        }
        expected = next(relation for relation, of_points in told.items() if of_points.all())
        assert relation_of_difference(low, high, margin) is expected
        found = relation_of_ratio(math.exp(low), math.exp(high), math.expm1(margin))
        assert found is expected


@given(BOUND, BOUND, MARGIN)
def test_a_ratio_and_its_inverse_get_opposite_words(
    one: float, other: float, margin: float
) -> None:
    low, high = sorted((one, other))
    opposite = {Relation.ABOVE: Relation.BELOW, Relation.BELOW: Relation.ABOVE}
    for bound in (low, high):  # the rounding of an inverse may cross an edge that it lies on
        assume(min(abs(bound * (1 + margin) - 1), abs(bound / (1 + margin) - 1)) > 1e-9)
        assume(bound == 1 or abs(bound - 1) > 1e-9)
    forth = relation_of_ratio(low, high, margin)
    assert relation_of_ratio(1 / high, 1 / low, margin) == opposite.get(forth, forth)


@given(BOUND, BOUND, MARGIN, st.floats(0, 0.5))
def test_a_wider_interval_never_tells_more(
    one: float, other: float, margin: float, widening: float
) -> None:
    low, high = sorted((one, other))
    wide = relation_of_ratio(low * (1 - widening), high * (1 + widening), margin)
    narrow = relation_of_ratio(low, high, margin)
    assert wide in (narrow, Relation.CANNOT_TELL) or (
        # A narrow one may lie inside the margin, the wider one beyond it and still beside 1.
        narrow is Relation.EQUIVALENT
    )


def test_what_is_no_interval_is_refused() -> None:
    with pytest.raises(ValueError, match="no interval"):
        relation_of_ratio(1.1, 1.0, 0.03)
    with pytest.raises(ValueError, match="no interval"):
        relation_of_ratio(math.nan, 1.0, 0.03)


def test_a_negative_margin_is_refused() -> None:
    with pytest.raises(ValueError, match="margin"):
        relation_of_difference(0, 1, -0.1)
