"""What became of a claim, in words."""

from loadstone.analysis.claim_model import Reproduction
from loadstone.analysis.sentences.claims import interval_text, middle_text
from loadstone.metrics.labels import metric_label
from loadstone.text import units
from loadstone.text.words import capitalized


def sentence_of(found: Reproduction) -> str:
    """`Reproduced: p99 of a is 0.71 × that of b, 95 % interval [0.65, 0.77]; as published.`"""
    not_held = f" {capitalized(found.not_held)}." if found.not_held else ""
    return f"{found.outcome.capitalize()}: {_what(found)}.{not_held}"


def told_interval(found: Reproduction) -> str:
    """`95 % interval [0.65, 0.77]`; empty where nothing was tested."""
    interval = interval_text(found)
    return interval and f"{units.percent(found.level)} interval {interval}"


def _what(found: Reproduction) -> str:
    if found.outcome == "undecided":
        return found.reason
    claim = found.claim
    name = metric_label(claim.metric)
    if found.estimate is None:  # by the log-rank test, which has no ratio
        is_later = (claim.says == "higher") == (found.outcome == "reproduced")
        return f"{claim.of} fails {'later' if is_later else 'sooner'} than {claim.against}"
    than = "that of" if found.scale == "ratio" else "from that of"
    told = f"{name} of {claim.of} is {middle_text(found)} {than} {claim.against}"
    parts = [told, told_interval(found)]
    text = ", ".join(part for part in parts if part)
    if found.size and claim.published_ratio is not None:
        text += f"; {found.size}"
        if found.size != "as published":
            text += f", {units.ratio(claim.published_ratio)}"
    return text
