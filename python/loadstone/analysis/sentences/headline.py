"""The answer of a question by one metric: of several standings what they come to."""

from collections.abc import Iterable, Sequence

from loadstone.analysis.answer_model import Lead, Standing
from loadstone.analysis.sentences.claims import effect_text
from loadstone.analysis.sentences.standings import (
    NAMED_AT_MOST,
    lead_text,
)
from loadstone.analysis.sentences.wording import wording
from loadstone.metrics.catalogue import metric
from loadstone.metrics.labels import metric_label
from loadstone.text.words import capitalized, counted, listed

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
    """By another metric: the answer, and of one standing its figures."""
    if len(standings) == 1:
        only = standings[0]
        return " ".join(only.sentences[: 2 if only.places else 1])
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
        nothing = f"no winner can be named: fewer than two figures stand in any of {places}"
        yield f"{capitalized(by)}{nothing}."
        return
    yield from _lead_of_most(shares, standings)
    if shares and untold:
        yield f"In {len(untold)} of {places} nobody is best: all are equal or cannot be told apart."
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
    of_whom = " of those that have a place" if any(each.no_places for each in standings) else ""
    text = f"{capitalized(winner)} {most}{of_whom} in all {places}"
    following = _range([each.over_next for each in standings], name)
    last = _range([each.over_last for each in standings], name)
    if not following:
        return f"{text}."
    words = wording(name)
    led = words.lead.format(times=following, other="the next")
    behind = f", and {words.again.format(times=last, other='the last')}" if last else ""
    return f"{text}: {led}{behind}."


def _lead_of_most(
    shares: dict[str, tuple[int, int]], standings: Sequence[Standing]
) -> Iterable[str]:
    """By how much the one that is most often best alone leads."""
    label, (alone, _) = next(iter(shares.items()), ("", (0, 0)))
    if not alone:
        return
    name = standings[0].metric
    own = [each for each in standings if each.outcome == "one best" and each.best[0] == label]
    following = _range([each.over_next for each in own], name)
    last = _range([each.over_last for each in own], name)
    times = " times" if metric(name).scale == "ratio" else ""
    if following:
        behind = f" and {last}{times} over the last" if last else ""
        yield f"Where {label} is best, it leads by {following}{times} over the next{behind}."


def _range(leads: Sequence[Lead | None], name: str) -> str:
    """`1.20 to 2.30`; empty where one lead is unknown."""
    known = [lead for lead in leads if lead is not None]
    if len(known) < len(leads) or not known:
        return ""
    ends = [lead_text(kind(known, key=lambda lead: lead.value), name) for kind in (min, max)]
    return " to ".join(dict.fromkeys(ends))


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
        everywhere = alone + shared == count
        of = f"all {places}" if everywhere else f"{alone or shared} of {places}"
        where = of if not index or everywhere else str(alone or shared)
        if everywhere and alone and shared:
            texts.append(f"{label} is first in {where}, alone in {alone}")
            continue
        text = f"{label} {'is best' if alone else 'shares first place'} in {where}"
        texts.append(
            text + (f" and shares first place in {shared} more" if alone and shared else "")
        )
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
    times: dict[tuple[str, str], int] = {}
    for standing in standings:
        for each in standing.no_places:
            key = each.label, each.reason.partition(" (")[0]
            times[key] = times.get(key, 0) + 1
    together: dict[tuple[str, int], list[str]] = {}
    for (label, reason), often in times.items():
        together.setdefault((reason, often), []).append(label)
    for (reason, often), labels in [*together.items()][:NAMED_AT_MOST]:
        where = "in any of the" if often == len(standings) else f"in {often} of"
        whose = listed(labels) if len(labels) <= NAMED_AT_MOST else f"{len(labels)} arms"
        have = "has" if len(labels) == 1 else "have"
        yield f"{capitalized(whose)} {have} no place {where} {places}: {reason}."
    left = len(together) - NAMED_AT_MOST
    if left > 0:
        yield f"For {counted(left, 'more reason')} arms have no place, as the matrix shows."
    bounds: dict[str, int] = {}
    for standing in standings:
        for reason in dict.fromkeys(place.bound_reason for place in standing.places if place.bound):
            bounds[reason] = bounds.get(reason, 0) + 1
    for reason, often in bounds.items():
        where = f"all {places}" if often == len(standings) else f"{often} of {places}"
        yield f"In {where} a figure is a bound, since {reason}: that service may be better."
