"""A verdict and its words, from where the interval lies and what the metric means."""

from loadstone.analysis.model import Verdict
from loadstone.metrics.catalogue import is_time
from loadstone.metrics.model import MetricInfo
from loadstone.stats.comparison.verdict import Relation


def verdict_of(info: MetricInfo, relation: Relation) -> Verdict:
    """Better or worse by the catalogue's direction."""
    if relation is Relation.EQUIVALENT:
        return Verdict.EQUIVALENT
    if relation is Relation.CANNOT_TELL:
        return Verdict.CANNOT_TELL
    wanted = Relation.ABOVE if info.direction == "higher" else Relation.BELOW
    return Verdict.BETTER if relation is wanted else Verdict.WORSE


def words_of(info: MetricInfo, relation: Relation) -> str:
    """faster or slower for what somebody waits for, else lower or higher."""
    if relation is Relation.BELOW:
        return "faster" if is_time(info.name) else "lower"
    if relation is Relation.ABOVE:
        return "slower" if is_time(info.name) else "higher"
    return relation.value
