"""Ranks: never without an interval, and in line with what the comparisons tell."""

import numpy as np
import pytest
from built_cells import P99, WORKLOAD, Values, cell, cells, question
from hypothesis import given, settings
from hypothesis import strategies as st

from loadstone.analysis.compare.comparisons import compare
from loadstone.analysis.compare.pairs import Pair
from loadstone.analysis.compare.rankings import rankings
from loadstone.analysis.model import RunFigure, Verdict
from loadstone.analysis.multi_arm_model import Ranking

STEADY = (1.0, 1.01, 0.99, 1.005, 0.995, 1.0)
WOBBLE = (1.0, 0.99, 1.01, 1.0, 1.005, 0.995)


def times(factor: float, shape: tuple[float, ...] = STEADY) -> tuple[float, ...]:
    return tuple(1e6 * factor * each for each in shape)


def ranked(arms: dict[str, Values], metric: str = P99) -> Ranking:
    (found,) = rankings(question(metric=metric), cells(arms, metric=metric), 0.05)
    return found


def places(ranking: Ranking) -> dict[str, tuple[int, int, int]]:
    return {each.arm: (each.rank, each.low, each.high) for each in ranking.arms}


def test_three_arms_that_lie_apart_have_one_place_each() -> None:
    found = ranked({"slow": times(2), "fast": times(1), "middle": times(1.4)})
    assert places(found) == {"fast": (1, 1, 1), "middle": (2, 2, 2), "slow": (3, 3, 3)}
    assert found.best == ("fast",)
    assert (found.pairs, found.told, found.level) == (3, 3, 0.95)
    assert [each.arm for each in found.arms] == ["fast", "middle", "slow"]


def test_of_a_rate_the_largest_is_the_best() -> None:
    arms: dict[str, Values] = {"a": times(1), "b": times(2), "c": times(3)}
    assert ranked(arms, "throughput").best == ("c",)


def test_arms_alike_share_their_places() -> None:
    found = ranked({"a": times(1), "b": times(1, WOBBLE), "slow": times(2)})
    assert {arm: place[1:] for arm, place in places(found).items()} == {
        "a": (1, 2),
        "b": (1, 2),
        "slow": (3, 3),
    }
    assert set(found.best) == {"a", "b"}


def test_a_difference_within_the_margin_makes_no_rank() -> None:
    # 1 % slower in every block, so 1 is outside the interval; it is inside the margin of 3 %.
    found = ranked({"a": times(1), "b": times(1.01), "slow": times(2)})
    assert set(found.best) == {"a", "b"}


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        (
            (RunFigure(value=None, state="withheld", reason="failures"),) * 6,
            f"{P99} of bad is withheld: failures (in 6 of 6 runs)",
        ),
        (
            (*times(1)[:5], RunFigure(value=None, state="failed", reason="9 of 10 failed")),
            f"{P99} of bad is a failed request: 9 of 10 failed (in 1 of 6 runs)",
        ),
        ((None,) * 6, f"{P99} of bad is not measured: not built"),
        ((*times(1)[:2], None, None, None, None), "fewer than 3 runs"),
        ((0.0, *times(1)[1:]), "a run's value is 0, so there is no ratio"),
    ],
)
def test_an_arm_without_a_figure_has_no_place_but_a_reason(values: Values, reason: str) -> None:
    arms: dict[str, Values] = {"a": times(1), "bad": values, "b": times(2), "c": times(3)}
    found = ranked(arms)
    assert [(each.arm, each.reason) for each in found.unranked] == [("bad", reason)]
    assert "bad" not in places(found)
    assert max(high for _, _, high in places(found).values()) == 3


def test_two_arms_are_not_ranked() -> None:
    assert rankings(question(), cells({"a": times(1), "b": times(2)}), 0.05) == ()
    withheld = (RunFigure(value=None, state="withheld", reason="failures"),) * 6
    three: dict[str, Values] = {"a": times(1), "b": times(2), "bad": withheld}
    assert rankings(question(), cells(three), 0.05) == ()


def test_the_pairs_of_all_workloads_are_one_family() -> None:
    noise = np.random.default_rng(3)
    both = {
        key: value
        for workload in ("one", "two")
        for key, value in cells(
            {arm: tuple(1e6 * np.exp(0.05 * noise.standard_normal(6))) for arm in "abc"},
            workload=workload,
        ).items()
    }
    asked = question(workloads=("one", "two"))
    ranking = rankings(asked, both, 0.05)
    pairs: tuple[Pair, ...] = (("a", "b"), ("a", "c"), ("b", "c"))
    told = [each for each in compare(asked, pairs, both, 0.05)[0] if each.verdict in BETTER]
    assert [each.workload for each in ranking] == ["one", "two"]
    assert sum(each.told for each in ranking) == len(told)


BETTER = (Verdict.BETTER, Verdict.WORSE)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.floats(0.5, 2), min_size=3, max_size=8),
    st.floats(0, 0.2),
    st.integers(0, 2**16),
)
def test_an_interval_holds_its_rank_and_agrees_with_every_verdict(
    levels: list[float], spread: float, seed: int
) -> None:
    noise = np.random.default_rng(seed)
    arms = {
        f"a{index}": tuple(1e6 * level * np.exp(spread * noise.standard_normal(6)))
        for index, level in enumerate(levels)
    }
    built = cells(arms)
    (found,) = rankings(question(), built, 0.05)
    count = len(levels)
    for rank, low, high in places(found).values():
        assert 1 <= low <= rank <= high <= count
    assert found.best == tuple(arm for arm, (_, low, _) in places(found).items() if low == 1)
    pairs = tuple((first, second) for first in arms for second in arms if first < second)
    for each in compare(question(), pairs, built, 0.05)[0]:
        baseline, other = places(found)[each.baseline], places(found)[each.other]
        if each.verdict is Verdict.BETTER:
            assert other[2] <= count - 1
            assert baseline[1] >= 2
        elif each.verdict is Verdict.WORSE:
            assert baseline[2] <= count - 1
            assert other[1] >= 2


def test_sixty_four_arms_have_all_their_pairs_compared() -> None:
    noise = np.random.default_rng(5)
    arms = {
        f"a{index:02}": tuple(1e6 * np.exp(0.01 * index + 0.03 * noise.standard_normal(10)))
        for index in range(64)
    }
    found = ranked(arms)
    assert found.pairs == 64 * 63 // 2
    assert 1 <= len(found.best) < 64


def test_a_cell_of_another_workload_is_no_part_of_it() -> None:
    built = cells({"a": times(1), "b": times(2), "c": times(3)})
    built["d", "other"] = cell("d", times(0.1), workload="other")
    (found,) = rankings(question(), built, 0.05)
    assert (found.workload, found.best) == (WORKLOAD, ("a",))
