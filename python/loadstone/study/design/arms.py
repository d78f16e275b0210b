"""From factors and their levels to arms: cross product, pruning, ids. Pure functions on names."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

Combination = dict[str, str]
"""Factor to level, one for every factor."""


def cross(factors: Mapping[str, Sequence[str]]) -> Iterator[Combination]:
    """Every combination of levels; the last factor varies fastest, as in a list by hand."""
    for levels in product(*factors.values()):
        yield dict(zip(factors, levels, strict=True))


def matches(combination: Mapping[str, str], partial: Mapping[str, str]) -> bool:
    """Whether a combination has every level that `partial` names."""
    return all(combination[factor] == level for factor, level in partial.items())


def varying(combinations: Sequence[Combination]) -> tuple[str, ...]:
    """The factors that have more than one level among the combinations, in the study's order."""
    factors = combinations[0] if combinations else {}
    return tuple(
        factor
        for factor in factors
        if len({combination[factor] for combination in combinations}) > 1
    )


def arm_ids(combinations: Sequence[Combination], service: str) -> tuple[str, ...]:
    """An id for each combination: the levels that vary, else the level of `service`, by `-`."""
    factors = varying(combinations) or (service,)
    return tuple(
        "-".join(combination[factor] for factor in factors) for combination in combinations
    )


def compared(combinations: Sequence[Combination], factor: str) -> bool:
    """Whether any two combinations differ in `factor` and in nothing else."""
    seen: dict[tuple[str, ...], str] = {}
    for combination in combinations:
        rest = tuple(level for name, level in combination.items() if name != factor)
        if seen.setdefault(rest, combination[factor]) != combination[factor]:
            return True
    return False
