"""Which arms a question compares."""

from collections.abc import Sequence
from itertools import combinations

from loadstone.study.values.model import Arm, Question

Pair = tuple[str, str]
"""Baseline and other, by arm id."""


def pairs_by_factor(arms: Sequence[Arm], factor: str) -> tuple[Pair, ...]:
    """The arms that differ in `factor` alone; of two levels the one named first is the baseline."""
    levels = list(dict.fromkeys(arm.factors.get(factor) for arm in arms))
    ordered = sorted(arms, key=lambda arm: levels.index(arm.factors.get(factor)))
    return tuple(
        (first.id, second.id)
        for first, second in combinations(ordered, 2)
        if _rest(first, factor) == _rest(second, factor)
        and first.factors.get(factor) != second.factors.get(factor)
    )


def pairs_of(question: Question, arms: Sequence[Arm]) -> tuple[Pair, ...]:
    """Those that a question compares."""
    about = [arm for arm in arms if question.is_about(arm.factors)]
    return pairs_by_factor(about, question.compare)


def pairs_with(arms: Sequence[Arm], baseline: str) -> tuple[Pair, ...]:
    """Every other arm against one."""
    return tuple((baseline, arm.id) for arm in arms if arm.id != baseline)


def all_pairs(arms: Sequence[Arm]) -> tuple[Pair, ...]:
    """Every arm against every later one."""
    return tuple((first.id, second.id) for first, second in combinations(arms, 2))


def _rest(arm: Arm, factor: str) -> dict[str, str]:
    return {name: level for name, level in arm.factors.items() if name != factor}
