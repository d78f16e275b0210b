"""What a question came to: one generated sentence for each comparison by its primary metric."""

from collections.abc import Iterable

from loadstone.analysis.catalogue import is_time, metric
from loadstone.analysis.model import Answer, Comparison, Verdict
from loadstone.report import units


def answer(question: str, comparisons: Iterable[Comparison]) -> Answer:
    """The sentences of one question, in the order of its comparisons."""
    return Answer(
        question=question,
        sentences=tuple(
            sentence(each) for each in comparisons if each.primary and each.question == question
        ),
    )


def sentence(comparison: Comparison) -> str:
    """For example `node is slower than go under closed: response_time.p99 2.31 × [2.10, 2.54]
    (95 %), 6 blocks`."""
    return f"{_claim(comparison)} under {comparison.workload}: {_figures(comparison)}"


def _claim(comparison: Comparison) -> str:
    baseline, other, name = comparison.baseline, comparison.other, comparison.metric
    if comparison.verdict is Verdict.CANNOT_TELL:
        return f"cannot tell {other} from {baseline}"
    if comparison.verdict is Verdict.EQUIVALENT:
        return f"{other} is equivalent to {baseline} within {units.percent(comparison.margin)}"
    if is_time(name):
        return f"{other} is {comparison.words} than {baseline}"
    return f"{name} of {other} is {comparison.words} than that of {baseline}"


def _figures(comparison: Comparison) -> str:
    name = comparison.metric
    parts = [name if comparison.estimate is None else f"{name} {_estimate(comparison)}"]
    parts.append(_runs(comparison))
    text = ", ".join(parts)
    return f"{text} ({comparison.reason})" if comparison.reason else text


def _estimate(comparison: Comparison) -> str:
    estimate, low, high = comparison.estimate, comparison.low, comparison.high
    unit = metric(comparison.metric).unit
    is_ratio = comparison.scale == "ratio"
    if estimate is None:
        return ""
    text = units.ratio(estimate) if is_ratio else units.difference(estimate, unit)
    if low is None or high is None:
        return text
    interval = (
        units.ratio_interval(low, high) if is_ratio else units.difference_interval(low, high, unit)
    )
    return f"{text} {interval} ({units.percent(comparison.level)})"


def _runs(comparison: Comparison) -> str:
    first, second = comparison.runs
    if comparison.method.startswith("paired"):
        return f"{first} blocks"
    return f"{first} and {second} runs"
