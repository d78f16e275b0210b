"""What became of a claim, in words."""

from loadstone.analysis.claim_model import Reproduction
from loadstone.metrics.catalogue import metric
from loadstone.metrics.labels import metric_label
from loadstone.text import units


def sentence_of(found: Reproduction) -> str:
    """`Reproduced: p99 of a is 0.71 × that of b, 95 % interval [0.65, 0.77]; as published.`"""
    return f"{found.outcome.capitalize()}: {_what(found)}."


def ratio_text(found: Reproduction) -> str:
    """`0.71 ×`, `+0.100 points`; empty where nothing could be compared."""
    if found.estimate is None:
        return ""
    if found.scale == "ratio":
        return units.ratio(found.estimate)
    return units.difference(found.estimate, metric(found.claim.metric).unit)


def interval_text(found: Reproduction) -> str:
    """`95 % interval [0.65, 0.77]`; empty where nothing was tested."""
    if found.low is None or found.high is None:
        return ""
    interval = (
        units.ratio_interval(found.low, found.high)
        if found.scale == "ratio"
        else units.difference_interval(found.low, found.high, metric(found.claim.metric).unit)
    )
    return f"{units.percent(found.level)} interval {interval}"


def _what(found: Reproduction) -> str:
    if found.outcome == "undecided":
        return found.reason
    claim = found.claim
    name = metric_label(claim.metric)
    if found.estimate is None:  # by the log-rank test, which has no ratio
        is_later = (claim.says == "higher") == (found.outcome == "reproduced")
        return f"{claim.of} fails {'later' if is_later else 'sooner'} than {claim.against}"
    than = "that of" if found.scale == "ratio" else "from that of"
    told = f"{name} of {claim.of} is {ratio_text(found)} {than} {claim.against}"
    parts = [told, interval_text(found)]
    text = ", ".join(part for part in parts if part)
    if found.size and claim.published_ratio is not None:
        text += f"; {found.size}"
        if found.size != "as published":
            text += f", {units.ratio(claim.published_ratio)}"
    return text
