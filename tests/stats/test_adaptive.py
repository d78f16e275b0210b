"""When an adaptive study has seen enough: cases by hand, and what must hold of every interval."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from loadstone.stats.comparison.adaptive import (
    LOOKS,
    Decidedness,
    alpha_of,
    decidedness_of_difference,
    decidedness_of_ratio,
    stops,
)

MARGINS = st.floats(0.001, 2)
RATIOS = st.floats(1e-6, 1e6)


def test_the_error_is_shared_by_the_looks_and_a_fixed_study_has_all_of_it() -> None:
    assert alpha_of(()) == 0.05
    assert LOOKS == (6, 12, 24)
    assert alpha_of(LOOKS) == pytest.approx(0.05 / 3)


@pytest.mark.parametrize(
    ("low", "high", "standing"),
    [
        (0.98, 1.02, Decidedness.TOLD),  # equivalent: inside [1/1.03, 1.03]
        (1.001, 9.0, Decidedness.TOLD),  # above, however wide
        (0.5, 0.999, Decidedness.TOLD),  # below
        (0.99, 1.04, Decidedness.PRECISE),  # half of it is a factor of 1.025
        (0.99, 1.06, Decidedness.OPEN),  # a factor of 1.035
        (0.0, 2.0, Decidedness.OPEN),  # a lower end that is too small for a number
        (0.5, math.inf, Decidedness.OPEN),
    ],
)
def test_a_ratio_at_a_margin_of_3_percent(low: float, high: float, standing: Decidedness) -> None:
    assert decidedness_of_ratio(low, high, 0.03) is standing


@pytest.mark.parametrize(
    ("low", "high", "standing"),
    [
        (-0.01, 0.01, Decidedness.TOLD),
        (0.001, 0.5, Decidedness.TOLD),
        (-0.001, 0.05, Decidedness.PRECISE),
        (-0.001, 0.07, Decidedness.OPEN),
        (0.0, 0.0, Decidedness.TOLD),
    ],
)
def test_a_difference_at_a_margin_of_3_points(
    low: float, high: float, standing: Decidedness
) -> None:
    assert decidedness_of_difference(low, high, 0.03) is standing


@pytest.mark.parametrize("seed", range(5))
def test_it_is_decided_by_the_points_of_the_interval(seed: int) -> None:
    # The same by another way: what is true of all of a thousand points between the ends.
    rng = np.random.default_rng(seed)
    for _ in range(200):
        middle, half, margin = rng.normal(0, 0.05), rng.exponential(0.05), rng.uniform(0.01, 0.1)
        points = np.linspace(middle - half, middle + half, 1001)
        beside = bool((points > 0).all() or (points < 0).all())
        precise = half <= margin
        told = beside or bool((np.abs(points) <= margin).all())
        expected = (
            Decidedness.TOLD if told else Decidedness.PRECISE if precise else Decidedness.OPEN
        )
        assert decidedness_of_difference(points[0], points[-1], margin) is expected
        ends = math.exp(points[0]), math.exp(points[-1])
        assert decidedness_of_ratio(*ends, math.expm1(margin)) is expected


@given(ends=st.lists(RATIOS, min_size=4, max_size=4).map(sorted), margin=MARGINS)
def test_what_is_decided_stays_so_for_every_interval_inside(
    ends: list[float], margin: float
) -> None:
    low, inner_low, inner_high, high = ends
    if decidedness_of_ratio(low, high, margin) is not Decidedness.OPEN:
        assert decidedness_of_ratio(inner_low, inner_high, margin) is not Decidedness.OPEN


@given(ends=st.lists(RATIOS, min_size=2, max_size=2).map(sorted), margin=MARGINS)
def test_the_baseline_does_not_decide_whether_enough_was_seen(
    ends: list[float], margin: float
) -> None:
    low, high = ends
    ends_of_margin = (1, 1 + margin, 1 / (1 + margin))
    assume(not any(math.isclose(end, edge) for end in ends for edge in ends_of_margin))
    assume(not math.isclose((math.log(high) - math.log(low)) / 2, math.log1p(margin)))
    turned = decidedness_of_ratio(1 / high, 1 / low, margin)
    assert decidedness_of_ratio(low, high, margin) is turned


def test_a_study_stops_where_all_is_decided_and_at_the_last_look_whatever_is_open() -> None:
    assert stops(LOOKS, 6, [True, True])
    assert not stops(LOOKS, 6, [True, False])
    assert not stops(LOOKS, 12, [False])
    assert stops(LOOKS, 24, [False])
    with pytest.raises(ValueError, match="none after 7"):
        stops(LOOKS, 7, [True])
