"""Members that are slower than chance makes them: by hand, by another sum, and by simulation."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from loadstone.stats.values.slow_members import LEVEL, slow_members

Floats = NDArray[np.float64]
Draw = Callable[[np.random.Generator, int], Floats]


def told(groups: list[Floats], at_least: float = 2.0) -> list[int]:
    logs = [np.log2(each) for each in groups]
    found = slow_members(
        np.array([each.size for each in logs]),
        np.array([each.mean() for each in logs]),
        np.array([each.var() for each in logs]),
        at_least,
    )
    return [int(each) for each in found]


def test_one_of_four_that_always_takes_eight_times_as_long_is_told() -> None:
    usual = np.array([1.0, 2.0, 1.0, 2.0, 1.0, 2.0])
    assert told([usual, usual, 8 * usual, usual]) == [2]
    assert told([usual, usual, 1.9 * usual, usual]) == []


def test_members_that_never_vary_are_told_by_any_difference_that_is_large_enough() -> None:
    usual = np.ones(5)
    assert told([usual, usual, 2 * usual, 1.5 * usual]) == [2]


def test_nobody_is_the_usual_one_of_two_and_two_answers_may_be_anything() -> None:
    usual = np.ones(9)
    assert told([usual, 50 * usual]) == []
    assert told([usual, usual, usual, 50 * np.ones(2)]) == []


def poisson_tail(shape: int, beyond: float) -> float:
    """The chance that a gamma variable of whole shape is larger: that fewer events than it come."""
    return math.fsum(
        math.exp(event * math.log(beyond) - beyond - math.lgamma(event + 1))
        for event in range(shape)
    )


@pytest.mark.parametrize("count", [3, 5, 12, 40, 150])
def test_the_border_is_where_the_other_sum_has_it(count: int) -> None:
    members, deviation = 10, 2.0
    # Symmetric about 0 with the deviation that pooling n - 1 gives.
    variance = deviation**2 * (count - 1) / count
    low, high = 0.0, 60.0
    for _ in range(60):
        middle = (low + high) / 2
        chance = poisson_tail(count, count * (1 + middle / deviation))
        low, high = (middle, high) if chance > LEVEL / members else (low, middle)
    for beyond, is_told in ((high + 1e-6, high >= 1), (high - 1e-6, False)):
        means = np.zeros(members)
        means[4] = beyond
        found = slow_members(
            np.full(members, count), means, np.full(members, variance), at_least=1.0
        )
        assert bool(found.size) is is_told or (beyond < 1 and bool(found.size) == (beyond > high))


DRAWS: dict[str, Draw] = {
    "lognormal": lambda rng, count: np.exp(rng.standard_normal(count)),
    "Pareto, alpha 1.1": lambda rng, count: 1 + rng.pareto(1.1, count),
    "exponential": lambda rng, count: rng.exponential(size=count),
    "two kinds": lambda rng, count: np.where(rng.random(count) < 0.1, 30.0, 1.0),
}


@pytest.mark.parametrize("name", DRAWS)
@pytest.mark.parametrize("count", [4, 50])
def test_where_all_draw_from_one_distribution_nobody_is_told(name: str, count: int) -> None:
    rng = np.random.default_rng(1)
    accused = sum(bool(told([DRAWS[name](rng, count) for _ in range(30)])) for _ in range(200))
    assert accused <= 2


@pytest.mark.parametrize("name", ["lognormal", "Pareto, alpha 1.1", "exponential"])
def test_one_that_takes_thirty_times_as_long_is_told_of_any_distribution(name: str) -> None:
    rng = np.random.default_rng(2)
    for _ in range(50):
        groups = [DRAWS[name](rng, 200) for _ in range(19)]
        assert told([*groups, 30 * DRAWS[name](rng, 30)]) == [19]


@given(st.floats(1e-3, 1e6), st.permutations(range(6)))
def test_neither_the_unit_nor_the_order_matters(factor: float, order: list[int]) -> None:
    rng = np.random.default_rng(3)
    groups = [np.exp(rng.standard_normal(30)) for _ in range(5)]
    groups.append(40 * groups[0])
    shuffled = [factor * groups[place] for place in order]
    assert told(shuffled) == [order.index(5)]
