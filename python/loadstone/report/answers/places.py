"""Ranked figures with their intervals: the arms of one standing, a row each, the best first."""

from dataclasses import dataclass

from loadstone.analysis.answer_model import NoPlace, Place, Standing
from loadstone.analysis.sentences.standings import figure_text, times_text, where_text
from loadstone.metrics.catalogue import metric
from loadstone.metrics.labels import metric_label
from loadstone.text import units
from loadstone.text.words import capitalized

STRIP_WIDTH = 400
_ROOM = 1.04


@dataclass(frozen=True, slots=True)
class Strip:
    """A figure on a scale from 0: horizontal positions in a drawing of `STRIP_WIDTH`."""

    at: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class PlaceRow:
    """One arm."""

    label: str
    made_of: str
    """Framework and runtime with versions; empty where they are not known."""
    place: str
    """`1`, `2 to 4`; empty for an arm without one."""
    figure: str
    """With its interval."""
    behind: str
    """`best`, `tied first`, `1.40 × behind`; why an arm has no place."""
    is_first: bool
    strip: Strip | None
    note: str = ""
    """Why the figure is a bound; empty where it is not."""
    not_held: str = ""
    """What of its contract the arm is not held to, as a phrase; empty where it is to all."""


@dataclass(frozen=True, slots=True)
class RankedFigures:
    """One standing."""

    key: str
    """Of its place in the page: number of the question and of the standing."""
    where: str
    """The workload, and the case where there are several."""
    metric: str
    """As people read it."""
    title: str
    sentences: tuple[str, ...]
    rows: tuple[PlaceRow, ...]
    end: str
    """What the right end of the strips stands for."""


def ranked_figures(
    standing: Standing, key: str, made_of: dict[str, tuple[str, ...]]
) -> RankedFigures:
    """The rows of one standing; `made_of` by arm id."""
    ends = [place.value_high or place.value for place in standing.places]
    reach = max((*ends, *(place.value for place in standing.places)), default=0.0) * _ROOM
    where = where_text(standing, names_workload=True)
    label = metric_label(standing.metric)
    return RankedFigures(
        key=key,
        where=" · ".join((*standing.case.values(), standing.workload)),
        metric=label,
        title=capitalized(f"{label} {where}"),
        sentences=standing.sentences,
        rows=(
            *(_row(place, standing, reach, made_of) for place in standing.places),
            *(_without(missing, standing, made_of) for missing in standing.no_places),
        ),
        end=units.quantity(reach, metric(standing.metric).unit) if reach else "",
    )


def place_text(place: Place) -> str:
    """`2`, `1 to 3`: every place that the comparisons leave open."""
    return str(place.low) if place.low == place.high else f"{place.low} to {place.high}"


def _row(
    place: Place, standing: Standing, reach: float, made_of: dict[str, tuple[str, ...]]
) -> PlaceRow:
    low, high = (
        place.value if bound is None else bound for bound in (place.value_low, place.value_high)
    )
    return PlaceRow(
        label=place.label,
        made_of=", ".join(made_of.get(place.arm, ())),
        place=place_text(place),
        figure=figure_text(place, standing.metric),
        behind=behind_text(place, standing),
        is_first=place.label in standing.best and standing.outcome in ("one best", "shared"),
        strip=Strip(
            *(round(STRIP_WIDTH * max(each, 0.0) / reach, 1) for each in (place.value, low, high))
        )
        if reach
        else None,
        note=place.bound_reason,
        not_held=_phrase(place.not_held),
    )


def _without(missing: NoPlace, standing: Standing, made_of: dict[str, tuple[str, ...]]) -> PlaceRow:
    unit = metric(standing.metric).unit
    return PlaceRow(
        label=missing.label,
        made_of=", ".join(made_of.get(missing.arm, ())),
        place="",
        figure="" if missing.value is None else units.quantity(missing.value, unit),
        behind=f"no place: {missing.reason}",
        is_first=False,
        strip=None,
        not_held=_phrase(missing.not_held),
    )


def _phrase(not_held: str) -> str:
    return not_held and f"not held to all of its contract: {not_held}"


def behind_text(place: Place, standing: Standing) -> str:
    """How far behind the first it is, in a word or as a ratio above 1."""
    if standing.outcome in ("cannot tell", "equivalent"):
        return "equal" if standing.outcome == "equivalent" else "not told apart"
    if place.label in standing.best:
        if standing.outcome == "shared":
            return "tied first"
        return "best" if standing.outcome == "one best" else "the only one"
    if place.behind is None or place.behind == 1:
        return "behind"
    return f"{times_text(place.behind)} × behind"
