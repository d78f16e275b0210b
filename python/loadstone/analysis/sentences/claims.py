"""One comparison in a sentence or a clause, with its figures."""

from loadstone.analysis.model import Comparison, Verdict
from loadstone.analysis.multi_arm_model import FactorEffect
from loadstone.metrics.catalogue import is_time, metric
from loadstone.metrics.labels import metric_label
from loadstone.text import units
from loadstone.text.words import counted

_AS_RATIO_FROM = 2.0
"""From here on a ratio is read sooner than a percentage."""


def sentence(comparison: Comparison) -> str:
    """For example `node is slower than go under closed: response time p99 2.31 × [2.10, 2.54] (95 %,
    margin 3 %), 6 blocks.`"""
    if comparison.verdict is Verdict.CANNOT_TELL and comparison.estimate is None:
        label = metric_label(comparison.metric)
        return (
            f"By {label} of {comparison.other} and {comparison.baseline} under "
            f"{comparison.workload}, cannot tell: {comparison.reason}."
        )
    return f"{_claim(comparison)} under {comparison.workload}: {_figures(comparison)}."


def _claim(comparison: Comparison) -> str:
    baseline, other = comparison.baseline, comparison.other
    if comparison.verdict is Verdict.CANNOT_TELL:
        return f"Cannot tell {other} from {baseline}"
    if comparison.verdict is Verdict.EQUIVALENT:
        return f"{other} is equivalent to {baseline} within {units.percent(comparison.margin)}"
    if is_time(comparison.metric):
        return f"{other} is {comparison.words} than {baseline}"
    label = metric_label(comparison.metric)
    return f"{label[0].upper()}{label[1:]} of {other} is {comparison.words} than that of {baseline}"


def _figures(comparison: Comparison) -> str:
    estimate = estimate_text(comparison)
    label = metric_label(comparison.metric)
    text = f"{f'{label} {estimate}' if estimate else label}, {runs_text(comparison)}"
    return f"{text} ({comparison.reason})" if comparison.reason else text


def estimate_text(comparison: Comparison) -> str:
    """`2.31 × [2.10, 2.54] (95 %, margin 3 %)`; empty where there is nothing."""
    if comparison.estimate is None:
        return ""
    text = middle_text(comparison)
    if comparison.low is None or comparison.high is None:
        return text
    facts = f"{units.percent(comparison.level)}, margin {units.percent(comparison.margin)}"
    return f"{text} {interval_text(comparison)} ({facts})"


def middle_text(compared: Comparison | FactorEffect) -> str:
    """`2.31 ×`, `+0.100 points`; empty where there is none."""
    if compared.estimate is None:
        return ""
    if compared.scale == "ratio":
        return units.ratio(compared.estimate)
    return units.difference(compared.estimate, metric(compared.metric).unit)


def interval_text(compared: Comparison | FactorEffect) -> str:
    """`[2.10, 2.54]`; empty where there is none."""
    low, high = compared.low, compared.high
    if low is None or high is None:
        return ""
    if compared.scale == "ratio":
        return units.ratio_interval(low, high)
    return units.difference_interval(low, high, metric(compared.metric).unit)


def smallest_effect_text(comparison: Comparison) -> str:
    """`4.1 %`, `2.50 ×`, `0.120 points`: what would probably have been found; empty where unknown."""
    smallest = comparison.smallest_effect
    if smallest is None:
        return ""
    if comparison.scale == "ratio":
        return (
            f"{units.number(smallest)} ×"
            if smallest >= _AS_RATIO_FROM
            else f"{(smallest - 1) * 100:.2g} %"
        )
    return units.difference(smallest, metric(comparison.metric).unit).removeprefix("+")


def runs_text(comparison: Comparison) -> str:
    """`6 blocks`, `6 runs each`, `6 and 5 runs`."""
    baseline, other = comparison.runs
    if comparison.method.startswith("paired"):
        return counted(min(baseline, other), "block")
    if baseline == other:
        return f"{counted(other, 'run')} each"
    return f"{baseline} and {counted(other, 'run')}"
