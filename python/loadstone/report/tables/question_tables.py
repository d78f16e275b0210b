"""Ranks, factors, times to failure and claims as rows of `tables/*.csv`, with every digit."""

from collections.abc import Iterable

from loadstone.analysis.model import Analysis

Value = str | int | float | bool | None
Row = tuple[Value, ...]


def question_tables(analysis: Analysis) -> dict[str, Iterable[Row]]:
    """File name to rows, the heading first."""
    return {
        "rankings.csv": _rankings(analysis),
        "factor_effects.csv": _effects(analysis),
        "factorials.csv": _factorials(analysis),
        "survivals.csv": _survivals(analysis),
        "survival_comparisons.csv": _survival_comparisons(analysis),
        "claims.csv": _claims(analysis),
    }


def _rankings(analysis: Analysis) -> Iterable[Row]:
    where = ("question", "workload", "metric", "level")
    yield (*where, "arm", "rank", "lowest_rank", "highest_rank", "may_be_best", "value", "reason")
    for each in analysis.rankings:
        shared = (each.question, each.workload, each.metric, each.level)
        for arm in each.arms:
            best = arm.arm in each.best
            yield (*shared, arm.arm, arm.rank, arm.low, arm.high, best, arm.value, "")
        for missing in each.unranked:
            yield (*shared, missing.arm, None, None, None, None, None, missing.reason)


def _effects(analysis: Analysis) -> Iterable[Row]:
    names = (
        "question",
        "workload",
        "metric",
        "factor",
        "baseline",
        "other",
        "pairs",
        "scale",
        "estimate",
        "low",
        "high",
        "level",
        "blocks",
    )
    yield names
    for each in analysis.factor_effects:
        yield tuple(getattr(each, name) for name in names)


def _factorials(analysis: Analysis) -> Iterable[Row]:
    numbers = ("degrees", "share", "f_value", "p_value")
    yield ("question", "workload", "metric", "scale", "source", *numbers, "caveat", "reason")
    for each in analysis.factorials:
        shared = (each.question, each.workload, each.metric, each.scale)
        if each.reason:
            yield (*shared, "", None, None, None, None, "", each.reason)
            continue
        for term in each.terms:
            source = " x ".join(term.factors)
            yield (*shared, source, *(getattr(term, number) for number in numbers), each.caveat, "")
        for source, degrees, share in (
            ("blocks", None, each.block_share),
            ("runs", each.residual_degrees, each.residual_share),
        ):
            yield (*shared, source, degrees, share, None, None, each.caveat, "")


def _survivals(analysis: Analysis) -> Iterable[Row]:
    names = ("runs", "failed", "median_ns", "median_low_ns", "median_high_ns", "longest_ns")
    yield ("workload", "rule", "arm", *names, "reason")
    for each in analysis.survivals:
        for arm in each.arms:
            yield (each.workload, each.rule, arm.arm, *(getattr(arm, name) for name in names), "")
        for missing in each.left_out:
            nothing = (None for _ in names)
            yield (each.workload, each.rule, missing.arm, *nothing, missing.reason)


def _survival_comparisons(analysis: Analysis) -> Iterable[Row]:
    names = ("baseline", "other", "statistic", "p_value", "level", "words")
    yield ("workload", "rule", *names)
    for each in analysis.survivals:
        for comparison in each.comparisons:
            yield (each.workload, each.rule, *(getattr(comparison, name) for name in names))


def _claims(analysis: Analysis) -> Iterable[Row]:
    claimed = (
        *("claim", "source", "workload", "group", "operation", "metric", "of", "against"),
        *("says", "published_ratio", "margin"),
    )
    told = (
        *("outcome", "size", "scale", "estimate", "low", "high", "level"),
        *("of_value", "against_value", "reason"),
    )
    yield (*claimed, *told)
    for each in analysis.reproductions:
        yield (
            *(getattr(each.claim, name) for name in claimed),
            *(getattr(each, name) for name in told),
        )
