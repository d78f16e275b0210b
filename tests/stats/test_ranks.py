"""Rank intervals: by hand, by all orders of the arms, and what must hold of any."""

from itertools import combinations, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loadstone.stats.comparison.ranks import RankInterval, best, rank_intervals

ARMS = 5


@st.composite
def claims(draw: st.DrawFn) -> set[tuple[int, int]]:
    """Pairs that some order of the arms makes true."""
    order = draw(st.permutations(range(ARMS)))
    pairs = [pair for pair in combinations(order, 2) if draw(st.booleans())]
    return set(pairs)


def closed(pairs: set[tuple[int, int]]) -> set[tuple[int, int]]:
    """With everything that follows from them."""
    known = set(pairs)
    while True:
        more = {(a, d) for a, b in known for c, d in known if b == c} - known
        if not more:
            return known
        known |= more


def by_all_orders(pairs: set[tuple[int, int]]) -> list[tuple[int, int]]:
    """The least and the largest rank of each arm in any order that the claims allow."""
    allowed = [
        order
        for order in permutations(range(ARMS))
        if all(order.index(first) < order.index(second) for first, second in pairs)
    ]
    return [
        (min(order.index(arm) for order in allowed) + 1, max(o.index(arm) for o in allowed) + 1)
        for arm in range(ARMS)
    ]


def test_three_arms_by_hand() -> None:
    # Arm 1 is told better than arm 2, and nothing else is told.
    found = rank_intervals([3.0, 1.0, 2.0], {(1, 2)})
    assert found == (RankInterval(3, 1, 3), RankInterval(1, 1, 2), RankInterval(2, 2, 3))
    assert best(found) == (0, 1)


def test_an_arm_alone_is_the_first() -> None:
    assert rank_intervals([7.0], set()) == (RankInterval(1, 1, 1),)


def test_arms_of_which_nothing_is_told_may_all_be_the_best() -> None:
    found = rank_intervals([1.0, 1.0, 2.0], [])
    assert [each.rank for each in found] == [1, 1, 3]
    assert best(found) == (0, 1, 2)


def test_a_rank_never_contradicts_what_was_told() -> None:
    # Estimates of all runs, claims of the blocks that two arms share: they may disagree.
    first, second = rank_intervals([2.0, 1.0], {(0, 1)})
    assert (first, second) == (RankInterval(1, 1, 1), RankInterval(2, 2, 2))


@given(claims())
def test_where_all_that_follows_is_told_they_are_the_ranks_of_all_possible_orders(pairs) -> None:  # noqa: ANN001
    everything = closed(pairs)
    found = rank_intervals([0.0] * ARMS, everything)
    assert [(each.low, each.high) for each in found] == by_all_orders(everything)


@given(claims(), st.lists(st.floats(-10, 10), min_size=ARMS, max_size=ARMS))
def test_they_hold_the_ranks_of_every_possible_order(pairs, estimates: list[float]) -> None:  # noqa: ANN001
    found = rank_intervals(estimates, pairs)
    for each, (low, high) in zip(found, by_all_orders(pairs), strict=True):
        assert each.low <= low <= high <= each.high
        assert each.low <= each.rank <= each.high
    assert best(found)


@given(claims())
def test_one_more_claim_never_widens_an_interval(pairs: set[tuple[int, int]]) -> None:
    everything = rank_intervals([0.0] * ARMS, pairs)
    for pair in pairs:
        fewer = rank_intervals([0.0] * ARMS, pairs - {pair})
        for one, other in zip(everything, fewer, strict=True):
            assert other.low <= one.low <= one.high <= other.high


@pytest.mark.parametrize(
    ("estimates", "better", "message"),
    [
        ([], [], "no arms"),
        ([1.0, float("nan")], [], "finite"),
        ([1.0, 2.0], [(0, 2)], "no pair"),
        ([1.0, 2.0], [(-1, 0)], "no pair"),
        ([1.0, 2.0], [(0, 0)], "better and worse"),
        ([1.0, 2.0], [(0, 1), (1, 0)], "better and worse"),
    ],
)
def test_what_is_no_family_is_refused(
    estimates: list[float], better: list[tuple[int, int]], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        rank_intervals(estimates, better)
