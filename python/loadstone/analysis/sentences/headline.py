"""The answer of a question by one metric: of one standing its sentences, of several what they come to."""

from collections.abc import Iterable, Sequence

from loadstone.analysis.answer_model import Lead, Standing
from loadstone.analysis.sentences.claims import effect_text
from loadstone.analysis.sentences.multi_arm import listed
from loadstone.analysis.sentences.standings import (
    NAMED_AT_MOST,
    led_by,
    times_text,
)
from loadstone.analysis.sentences.wording import wording
from loadstone.metrics.catalogue import metric
from loadstone.metrics.labels import metric_label
from loadstone.text.words import capitalized, counted

EACH_AT_MOST = 3
"""Standings that are told one by one after what they come to; more of them are a matrix."""


def headline(standings: Sequence[Standing]) -> tuple[str, ...]:
    """By the primary metric."""
    if len(standings) == 1:
        return standings[0].sentences
    each = standings if len(standings) <= EACH_AT_MOST else ()
    return (
        *_overall(standings),
        *(sentence for standing in each for sentence in standing.sentences),
        *(() if each else _left_out(standings)),
    )


def further(standings: Sequence[Standing]) -> str:
    """By another metric, one sentence."""
    if len(standings) == 1:
        return standings[0].sentences[0]
    return next(iter(_overall(standings)))


def _overall(standings: Sequence[Standing]) -> Iterable[str]:
    name = standings[0].metric
    places = cases_text(standings)
    winners = {each.best[0] for each in standings if each.outcome == "one best"}
    if len(winners) == 1 and all(each.outcome == "one best" for each in standings):
        yield _one_everywhere(winners.pop(), standings, places)
        return
    shares = _shares(standings)
    untold = [each for each in standings if each.outcome in ("cannot tell", "equivalent")]
    unranked = [each for each in standings if each.outcome in ("no figure", "one figure")]
    by = f"by {metric_label(name)} "
    if shares:
        yield f"{capitalized(by)}{_wins(shares, len(standings), places)}."
    elif untold:
        yield f"{capitalized(by)}nobody is best: {_untold(untold, len(standings), places)}."
    else:
        yield f"{capitalized(by)}no winner can be named: fewer than two figures stand in any of {places}."
        return
    if shares and untold:
        told = "they are" if len(untold) > 1 else "it is"
        yield f"In {len(untold)} of {places} nobody is best: {told} equal or cannot be told apart."
    reach = [
        each.smallest_effect
        for each in untold
        if each.outcome == "cannot tell" and each.smallest_effect is not None
    ]
    if reach:
        size = effect_text(max(reach), name)
        yield f"Where nothing is told, a difference of {size} or more would probably have been found."
    if unranked:
        yield f"In {len(unranked)} of {places} no winner can be named, for want of figures that stand."


def cases_text(standings: Sequence[Standing]) -> str:
    """`3 workloads`, `6 cases of client and upstream`."""
    workloads = len({each.workload for each in standings})
    factors = [*standings[0].case]
    if not factors:
        return counted(len(standings), "workload")
    named = [*factors, *(["workload"] if workloads > 1 else [])]
    return f"{counted(len(standings), 'case')} of {listed(named)}"


def _one_everywhere(winner: str, standings: Sequence[Standing], places: str) -> str:
    name = standings[0].metric
    most = wording(name).more if all(len(s.places) == 2 for s in standings) else wording(name).most
    text = f"{capitalized(winner)} {most} in all {places}"
    following = _range([each.over_next for each in standings], name, "the next")
    last = _range([each.over_last for each in standings], name, "the last")
    if not following:
        return f"{text}."
    return f"{text}: {following}{f', and {last}' if last else ''}."


def _range(leads: Sequence[Lead | None], name: str, other: str) -> str:
    """`1.20 to 2.30 times as many requests a second as the next`; empty where one lead is unknown."""
    known = [lead for lead in leads if lead is not None]
    if len(known) < len(leads) or not known:
        return ""
    least, most = (kind(known, key=lambda lead: lead.value) for kind in (min, max))
    low, high = led_by(least, name, other), led_by(most, name, other)
    if low == high:
        return low
    if metric(name).scale == "difference":
        return f"at least {low}" if low.startswith("0") else led_by(least, name, other, "at least ")
    return low.replace(
        times_text(least.value), f"{times_text(least.value)} to {times_text(most.value)}", 1
    )


def _shares(standings: Sequence[Standing]) -> dict[str, tuple[int, int]]:
    """Label to how often it is best alone, and how often with others; the most often first."""
    alone: dict[str, int] = {}
    shared: dict[str, int] = {}
    for standing in standings:
        if standing.outcome == "one best":
            alone[standing.best[0]] = alone.get(standing.best[0], 0) + 1
        elif standing.outcome == "shared":
            for label in standing.best:
                shared[label] = shared.get(label, 0) + 1
    labels = dict.fromkeys((*alone, *shared))
    found = {label: (alone.get(label, 0), shared.get(label, 0)) for label in labels}
    return dict(sorted(found.items(), key=lambda item: item[1], reverse=True))


def _wins(shares: dict[str, tuple[int, int]], count: int, places: str) -> str:
    """`rust is best in 4 of 6 workloads and shares first place in 1 more; netty is best in 1`."""
    texts = []
    for index, (label, (alone, shared)) in enumerate([*shares.items()][:NAMED_AT_MOST]):
        of = f"{'all' if max(alone, shared) == count else f'{alone or shared} of'} {places}"
        where = of if not index else str(alone or shared)
        text = f"{label} {'is best' if alone else 'shares first place'} in {where}"
        more = f" and shares first place in {shared} more" if alone and shared else ""
        texts.append(text + more)
    left = len(shares) - NAMED_AT_MOST
    if left > 0:
        texts.append(f"{counted(left, 'other')} are first or share it less often")
    return "; ".join(texts)


def _untold(untold: Sequence[Standing], count: int, places: str) -> str:
    equal = sum(each.outcome == "equivalent" for each in untold)
    where = f"in all {places}" if len(untold) == count else f"in {len(untold)} of {places}"
    if equal == len(untold):
        return f"{where} they are equal within the margin"
    if not equal:
        return f"{where} they cannot be told apart"
    return f"{where} they are equal within the margin or cannot be told apart"


def _left_out(standings: Sequence[Standing]) -> Iterable[str]:
    """Who has no place and where, and how many figures are bounds."""
    places = cases_text(standings)
    missing: dict[tuple[str, str], int] = {}
    for standing in standings:
        for each in standing.no_places:
            key = each.label, each.reason.partition(" (")[0]
            missing[key] = missing.get(key, 0) + 1
    for (label, reason), times in [*missing.items()][:NAMED_AT_MOST]:
        where = "in any" if times == len(standings) else f"in {times}"
        yield f"{capitalized(label)} has no place {where} of {places}: {reason}."
    left = len(missing) - NAMED_AT_MOST
    if left > 0:
        yield f"{counted(left, 'more reason')} for figures without a place {'is' if left == 1 else 'are'} in the matrix."
    bounds: dict[str, int] = {}
    for standing in standings:
        for reason in dict.fromkeys(place.bound_reason for place in standing.places if place.bound):
            bounds[reason] = bounds.get(reason, 0) + 1
    for reason, times in bounds.items():
        where = f"all {places}" if times == len(standings) else f"{times} of {places}"
        yield f"In {where} a figure is a bound, since {reason}: that service may be better."
