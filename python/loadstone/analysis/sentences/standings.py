"""Who is best under one workload in one case, in sentences that need no key.

They are made of the standing alone: the answer, who has no place, and what may be better than it shows.
"""

from collections.abc import Iterable, Sequence

from loadstone.analysis.answer_model import Lead, NoPlace, Place, Standing
from loadstone.analysis.sentences.claims import effect_text
from loadstone.analysis.sentences.multi_arm import listed
from loadstone.analysis.sentences.wording import wording
from loadstone.metrics.catalogue import metric
from loadstone.metrics.labels import metric_label
from loadstone.text import units
from loadstone.text.words import capitalized

NAMED_AT_MOST = 4
"""Arms that a sentence names; more of them are counted."""


def standing_sentences(standing: Standing, *, names_workload: bool) -> tuple[str, ...]:
    """The answer first; `names_workload` where the question has several."""
    where = where_text(standing, names_workload=names_workload)
    return (
        _sentence(where, _answer(standing)),
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


def led_by(lead: Lead, name: str, other: str, least: str = "") -> str:
    """`1.40 times as many requests a second as netty`."""
    words = wording(name).lead.replace(" times" if metric(name).scale == "difference" else "\0", "")
    return words.format(times=f"{least}{lead_text(lead, name)}", other=other)


def _sentence(where: str, text: str) -> str:
    return f"{capitalized(f'{where}, {text}' if where else text)}."


def _answer(standing: Standing) -> str:
    places, name = standing.places, standing.metric
    first = places[: len(standing.best)]
    if standing.outcome == "no figure":
        return "nobody can be ranked"
    if standing.outcome == "one figure":
        only = places[0]
        return (
            f"no winner can be named: only {only.label} has a {metric_label(name)} that stands, "
            f"{figure_text(only, name)}"
        )
    if standing.outcome == "equivalent":
        both = _figures(places, name)
        within = f"equal within {units.percent(standing.margin)} by {metric_label(name)}"
        return f"{_names(places)} are {within}{both}"
    if standing.outcome == "cannot tell":
        words = wording(name)
        best = words.more if len(places) == 2 else words.most
        return f"which of {_names(places)} {best} cannot be told{_figures(places, name)}"
    return _with_leads(standing, first)


def _with_leads(standing: Standing, first: Sequence[Place]) -> str:
    """Who is first, and how much better than the next and than the last."""
    name, words = standing.metric, wording(standing.metric)
    of_two = len(standing.places) == 2
    if len(first) == 1:
        start = f"{first[0].label} {words.more if of_two else words.most}"
    else:
        start = f"{_names(first)} share first place by {metric_label(name)}"
    following = standing.over_next
    if following is None:
        return f"{start}{_figures(first, name)}"
    by_label = {place.label: place for place in standing.places}
    least = "at least " if len(first) > 1 else ""
    other = by_label[following.label]
    pair = [figure_text(other, name)]
    if len(first) == 1:
        own = figure_text(first[0], name)
        pair = [own, *pair] if metric(name).direction == "higher" else [*pair, own]
    figures = "" if len(first) == 1 else _figures(first, name)
    text = f"{start}{figures}: {led_by(following, name, other.label, least)} ({' against '.join(pair)})"
    last = standing.over_last
    if last is None:
        return text
    behind = led_by(last, name, f"{last.label} in last place", least)
    return f"{text}, and {behind} ({figure_text(by_label[last.label], name)})"


def _names(places: Sequence[Place]) -> str:
    """`go and node`, `6 of 9` where they are many."""
    labels = [place.label for place in places]
    return listed(labels) if len(labels) <= NAMED_AT_MOST else f"{len(labels)} arms"


def _figures(places: Sequence[Place], name: str) -> str:
    """In brackets, of as many as a sentence names; of more of them from the first to the last."""
    if len(places) <= NAMED_AT_MOST:
        return f" ({listed([figure_text(place, name) for place in places])})"
    unit = metric(name).unit
    ends = (units.quantity(place.value, unit) for place in (places[0], places[-1]))
    return f" ({' to '.join(ends)})"


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
    named = standing.places[: max(2, len(standing.best))] if following is None else ()
    shown = [
        place
        for place in standing.places
        if place.bound and (place.label in standing.best or place.label == following)
    ] or [place for place in named if place.bound]
    by_reason: dict[str, list[str]] = {}
    for place in shown:
        by_reason.setdefault(place.bound_reason, []).append(place.label)
    for reason, labels in by_reason.items():
        lead = ": the lead may be smaller" if following in labels else ""
        whose = listed(labels) if len(labels) <= NAMED_AT_MOST else f"{len(labels)} arms"
        yield f"{capitalized(whose)} may be better than shown, since {reason}{lead}."
