"""Members with far fewer answers than chance gives them: by hand, by another sum, by simulation."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from loadstone.stats.values.few_answers import few_answers
from loadstone.stats.values.slow_members import LEVEL


def told(counts: list[int], times: list[float] | None = None, fewest: int = 20) -> list[int]:
    of_each = np.array(counts)
    spent = np.array(counts if times is None else times, dtype=float)
    return few_answers(of_each, spent, 0.5, fewest).tolist()


def test_one_of_four_that_had_a_tenth_is_told() -> None:
    assert told([100, 100, 10, 100]) == [2]
    assert told([100, 100, 0, 100]) == [2]
    assert told([100, 100, 60, 100]) == []


def test_half_of_the_median_is_the_border() -> None:
    assert told([1000, 1000, 499, 1000]) == [2]
    assert told([1000, 1000, 500, 1000]) == []


def test_who_waits_longer_for_each_answer_is_another_matter() -> None:
    assert told([100, 100, 10, 100], [1.0, 1.0, 1.0, 1.0]) == []
    assert told([100, 100, 10, 100], [1.0, 1.0, 0.4, 1.0]) == [2]


def test_of_few_answers_or_members_nothing_is_told() -> None:
    assert told([19, 19, 0, 19]) == []
    assert told([20, 20, 0, 20]) == [2]
    assert told([100, 0]) == []
    assert told([]) == []


def poisson_below(count: int, mean: float) -> float:
    """The chance of so many events or fewer, term by term."""
    return math.fsum(
        math.exp(event * math.log(mean) - mean - math.lgamma(event + 1))
        for event in range(count + 1)
    )


@pytest.mark.parametrize("middle", [20, 25, 30, 40, 60])
def test_the_border_is_where_the_other_sum_has_it(middle: int) -> None:
    members = 10
    most = max(
        (count for count in range(middle // 2) if poisson_below(count, middle) <= LEVEL / members),
        default=-1,
    )
    found = [count for count in range(middle) if told([middle] * (members - 1) + [count])]
    limit = min(most, math.ceil(middle / 2) - 1)
    assert found == list(range(limit + 1))


@given(st.lists(st.integers(0, 10**6), min_size=3, max_size=30), st.integers(1, 5))
def test_the_order_of_members_does_not_matter_and_more_time_never_accuses(
    counts: list[int], times: int
) -> None:
    found = {counts[at] for at in told(counts)}
    assert found == {counts[::-1][at] for at in told(counts[::-1])}
    longer = [float(count * times) for count in counts]
    assert set(told(counts, longer)) == set(told(counts))


def test_users_who_pause_for_random_times_are_left_alone() -> None:
    rng = np.random.default_rng(5)
    accused = sum(bool(told(rng.poisson(25, 40).tolist())) for _ in range(2000))
    assert accused <= 2 * LEVEL * 2000 + 2
