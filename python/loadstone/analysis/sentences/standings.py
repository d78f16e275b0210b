"""Who is best under one workload in one case, in sentences that need no key.

They are made of the standing alone: the answer, who has no place, and what may be better than it shows.
"""

from collections.abc import Iterable, Sequence

from loadstone.analysis.answer_model import Lead, NoPlace, Place, Standing
from loadstone.analysis.sentences.claims import effect_text
from loadstone.analysis.sentences.wording import wording
from loadstone.metrics.catalogue import metric
from loadstone.metrics.labels import metric_label
from loadstone.text import units
from loadstone.text.words import capitalized, listed

_PLURAL = ("failures", "gc_share", "requests_until_steady", "users_before_failure")
"""Metrics whose labels are of several things."""
NAMED_AT_MOST = 4
"""Arms that a sentence names; more of them are counted."""


def standing_sentences(standing: Standing, *, names_workload: bool) -> tuple[str, ...]:
    """The answer first; `names_workload` where the question has several."""
    where = where_text(standing, names_workload=names_workload)
    return (
        _sentence(where, _answer(standing)),
        *_figures(standing),
        *_reach(standing),
        *no_place_sentences(standing.no_places, standing.metric),
        *_bounds(standing),
    )


def where_text(standing: Standing, *, names_workload: bool) -> str:
    """`under closed with client h1c and upstream h2`; empty where there is but one place to be."""
    levels = listed([f"{factor} {level}" for factor, level in standing.case.items()])
    parts = (f"under {standing.workload}" if names_workload else "", levels and f"with {levels}")
    return " ".join(filter(None, parts))


def figure_text(place: Place, name: str) -> str:
    """`at least 64.5 k/s [63.9 to 65.1]`."""
    unit = metric(name).unit
    if place.value_low is None or place.value_high is None:
        text = units.quantity(place.value, unit)
    else:
        text = units.quantity_interval(place.value, place.value_low, place.value_high, unit)
    return f"{place.bound} {text}".lstrip()


def lead_text(lead: Lead, name: str) -> str:
    """By how much: `1.40`, or a difference with its unit."""
    info = metric(name)
    if info.scale == "ratio":
        return times_text(lead.value)
    return units.difference(lead.value, info.unit).removeprefix("+")


def times_text(ratio: float) -> str:
    """`1.40`, `12.3`; a ratio that is above 1 never reads 1."""
    return units.ratio(ratio).removesuffix(" ×")


def led_by(lead: Lead, name: str, other: str, least: str = "", *, again: bool = False) -> str:
    """`1.40 times as many requests a second as netty`."""
    words = wording(name).again if again else wording(name).lead
    return words.format(times=f"{least}{lead_text(lead, name)}", other=other)


def _sentence(where: str, text: str) -> str:
    return f"{capitalized(f'{where}, {text}' if where else text)}."


def _answer(standing: Standing) -> str:
    places, label, words = standing.places, metric_label(standing.metric), wording(standing.metric)
    if standing.outcome == "no figure":
        return f"nobody can be ranked by {label}"
    if standing.outcome == "one figure":
        only = places[0]
        figure = figure_text(only, standing.metric)
        return f"no winner can be named: only {only.label} has a {label} that stands, {figure}"
    if standing.outcome == "equivalent":
        return f"{_names(places)} are equal within {units.percent(standing.margin)} by {label}"
    if standing.outcome == "cannot tell":
        best = words.more if len(places) == 2 else words.most
        return f"which of {_names(places)} {best} cannot be told"
    first = places[: len(standing.best)]
    if len(first) == 1:
        start = f"{first[0].label} {_most(standing)}"
    else:
        start = f"{_names(first)} share first place by {label}"
    return f"{start}{_leads(standing)}"


def _most(standing: Standing) -> str:
    """`answers more`, `answers most`; of whom, where not all have a place."""
    words, count = wording(standing.metric), len(standing.places)
    if standing.no_places:
        return f"{words.most} of the {count} that have a place"
    return words.more if count == 2 else words.most


def _leads(standing: Standing) -> str:
    """How much better the first is than the next and than the last."""
    name = standing.metric
    following, last = standing.over_next, standing.over_last
    if following is None:
        return ""
    least = "at least " if len(standing.best) > 1 else ""
    text = f": {led_by(following, name, following.label, least)}"
    if last is None:
        return text
    return f"{text}, and {led_by(last, name, f'{last.label} in last place', least, again=True)}"


def _names(places: Sequence[Place]) -> str:
    """`go and node`, `6 arms` where they are many."""
    labels = [place.label for place in places]
    return listed(labels) if len(labels) <= NAMED_AT_MOST else f"{len(labels)} arms"


def _figures(standing: Standing) -> Iterable[str]:
    """The figures that the answer rests on: of the first, of the next and of the last."""
    if standing.outcome in ("no figure", "one figure"):
        return
    led = {lead.label for lead in (standing.over_next, standing.over_last) if lead}
    first = [place for place in standing.places if place.label in standing.best]
    label = capitalized(metric_label(standing.metric))
    if len(first) > NAMED_AT_MOST:
        unit = metric(standing.metric).unit
        low, high = (units.quantity(place.value, unit) for place in (first[0], first[-1]))
        between = (
            f"{_is(standing.metric)} between {low} and {high}"
            if low != high
            else f"{_is(standing.metric)} {low}"
        )
        yield f"{label} of the {len(first)} {between}."
        first = []
    others = [place for place in standing.places if place.label in led]
    texts = [
        f"{figure_text(place, standing.metric)} for {place.label}" for place in (*first, *others)
    ]
    if texts:
        yield f"{label} {_is(standing.metric)} {listed(texts)}."


def _is(name: str) -> str:
    return "are" if name in _PLURAL else "is"


def _reach(standing: Standing) -> Iterable[str]:
    if standing.outcome == "cannot tell" and standing.smallest_effect is not None:
        size = effect_text(standing.smallest_effect, standing.metric)
        yield f"A difference of {size} or more would probably have been found."


def no_place_sentences(missing: Sequence[NoPlace], name: str) -> Iterable[str]:
    """Who has no place and why, those of one reason together."""
    by_reason: dict[str, list[str]] = {}
    for each in missing:
        by_reason.setdefault(each.reason, []).append(each.label)
    for reason, labels in by_reason.items():
        have = "has" if len(labels) == 1 else "have"
        whose = listed(labels) if len(labels) <= NAMED_AT_MOST else f"{len(labels)} arms"
        yield f"{capitalized(whose)} {have} no place: {reason}."
    for each in missing:
        if each.would_be_best and each.value is not None:
            figure = units.quantity(each.value, metric(name).unit)
            yield f"The figure of {each.label}, {figure}, would be the best."


def _bounds(standing: Standing) -> Iterable[str]:
    """Of the figures that the answer rests on, those that are bounds."""
    following = standing.over_next.label if standing.over_next else None
    by_reason: dict[str, list[str]] = {}
    for place in standing.places:
        if place.bound and (place.label in standing.best or place.label == following):
            by_reason.setdefault(place.bound_reason, []).append(place.label)
    for reason, labels in by_reason.items():
        lead = ": the lead may be smaller" if following in labels else ""
        whose = listed(labels) if len(labels) <= NAMED_AT_MOST else f"{len(labels)} arms"
        yield f"{capitalized(whose)} may be better than shown, since {reason}{lead}."
