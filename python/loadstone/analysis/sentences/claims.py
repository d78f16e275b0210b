"""The figures of one comparison as text, whether a question, a factor or a claim asked for it."""

from loadstone.analysis.claim_model import Reproduction
from loadstone.analysis.model import Comparison
from loadstone.analysis.multi_arm_model import FactorEffect
from loadstone.metrics.catalogue import metric
from loadstone.text import units
from loadstone.text.words import counted

_AS_RATIO_FROM = 2.0
"""From here on a ratio is read sooner than a percentage."""


def middle_text(compared: Comparison | FactorEffect | Reproduction) -> str:
    """`2.31 ×`, `+0.100 points`; empty where there is none."""
    if compared.estimate is None:
        return ""
    if compared.scale == "ratio":
        return units.ratio(compared.estimate)
    return units.difference(compared.estimate, metric(compared.metric).unit)


def interval_text(compared: Comparison | FactorEffect | Reproduction) -> str:
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
    return "" if smallest is None else effect_text(smallest, comparison.metric)


def effect_text(size: float, name: str) -> str:
    """A ratio above 1, or a difference above 0, of a metric: `4.1 %`, `2.50 ×`, `0.120 points`."""
    info = metric(name)
    if info.scale == "difference":
        return units.difference(size, info.unit).removeprefix("+")
    if size >= _AS_RATIO_FROM:
        return f"{units.number(size)} ×"
    return f"{(size - 1) * 100:.2g} %"


def runs_text(comparison: Comparison) -> str:
    """`6 blocks`, `6 runs each`, `6 and 5 runs`."""
    baseline, other = comparison.runs
    if comparison.method.startswith("paired"):
        return counted(min(baseline, other), "block")
    if baseline == other:
        return f"{counted(other, 'run')} each"
    return f"{baseline} and {counted(other, 'run')}"
