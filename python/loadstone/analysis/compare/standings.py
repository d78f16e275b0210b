"""Who is best: the places of the levels of a question's factor, all else being alike.

The pairs are those that the question compares, told apart by its own family, so that a place claims
nothing that no comparison does: see `stats/comparison/ranks.py` for what places say together.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from loadstone.analysis.answer_model import Lead, NoPlace, Outcome, Place, Standing
from loadstone.analysis.compare.bounds import Bounds
from loadstone.analysis.compare.comparisons import Cells
from loadstone.analysis.compare.no_place import no_place
from loadstone.analysis.model import Comparison, Verdict
from loadstone.metrics.catalogue import metric as catalogue_metric
from loadstone.metrics.model import MetricInfo
from loadstone.stats.comparison.one_sample_t import geometric_mean_interval, mean_interval
from loadstone.stats.comparison.ranks import RankInterval, best, rank_intervals
from loadstone.study.values.model import Arm, Question

FIGURE_LEVEL = 0.95
"""Of the interval of one figure by itself."""


@dataclass(frozen=True)
class _Group:
    """Arms that differ in the question's factor alone."""

    case: dict[str, str]
    arms: tuple[Arm, ...]


def standings(
    question: Question,
    arms: Sequence[Arm],
    cells: Cells,
    comparisons: Iterable[Comparison],
    bounds: Bounds,
) -> tuple[Standing, ...]:
    """By each metric under each workload in each case that has two arms or more."""
    compared: dict[tuple[str, str], list[Comparison]] = {}
    for each in comparisons:
        compared.setdefault((each.metric, each.workload), []).append(each)
    return tuple(
        _Field(question, catalogue_metric(name), workload, group, present, cells, bounds).standing(
            compared.get((name, workload), [])
        )
        for name in question.metrics
        for workload in question.workloads
        for group in _groups(question.compare, arms)
        if len(present := [arm for arm in group.arms if (arm.id, workload) in cells]) > 1
    )


def _groups(factor: str, arms: Sequence[Arm]) -> tuple[_Group, ...]:
    others = [
        name for name in dict.fromkeys(n for arm in arms for n in arm.factors) if name != factor
    ]
    varying = [name for name in others if len({arm.factors.get(name) for arm in arms}) > 1]
    members: dict[tuple[str | None, ...], list[Arm]] = {}
    for arm in arms:
        members.setdefault(tuple(arm.factors.get(name) for name in others), []).append(arm)
    return tuple(
        _Group({name: own[0].factors.get(name, "") for name in varying}, tuple(own))
        for own in members.values()
    )


@dataclass(frozen=True)
class _Field:
    """The arms of one standing."""

    question: Question
    info: MetricInfo
    workload: str
    group: _Group
    present: Sequence[Arm]
    cells: Cells
    bounds: Bounds

    def standing(self, comparisons: Iterable[Comparison]) -> Standing:
        ids = {arm.id for arm in self.present}
        own = [each for each in comparisons if {each.baseline, each.other} <= ids]
        reasons = {arm.id: self._without_place(arm) for arm in self.present}
        ranked = [arm for arm in self.present if reasons[arm.id] is None]
        better = set(_told_better(own))
        places = self._places(ranked, better)
        first = [place for place in places if place.low == 1]
        outcome = _outcome(places, first, own)
        pairs = _Pairs(own, better, self.info)
        over_next = over_last = None
        if outcome in ("one best", "shared"):
            over_next, over_last = pairs.leads(first, places)
        return Standing(
            workload=self.workload,
            metric=self.info.name,
            case=self.group.case,
            outcome=outcome,
            best=tuple(place.label for place in first),
            places=places,
            no_places=tuple(
                self._judged(each, places) for each in reasons.values() if each is not None
            ),
            over_next=over_next,
            over_last=over_last,
            margin=self.question.margin,
            smallest_effect=max(
                (
                    each.smallest_effect
                    for each in own
                    if each.verdict is Verdict.CANNOT_TELL and each.smallest_effect is not None
                ),
                default=None,
            ),
        )

    def _label(self, arm: Arm) -> str:
        return arm.factors.get(self.question.compare, arm.id)

    def _without_place(self, arm: Arm) -> NoPlace | None:
        cell = self.cells[arm.id, self.workload]
        return no_place(cell, self.info, self._label(arm))

    def _judged(self, missing: NoPlace, places: Sequence[Place]) -> NoPlace:
        if missing.value is None or not places:
            return missing
        ahead = all(self._sign * missing.value < self._sign * place.value for place in places)
        return missing.model_copy(update={"would_be_best": ahead})

    @property
    def _sign(self) -> int:
        return 1 if self.info.direction == "lower" else -1

    def _places(self, ranked: Sequence[Arm], better: set[tuple[str, str]]) -> tuple[Place, ...]:
        if not ranked:
            return ()
        values = [self._value(arm) for arm in ranked]
        number = {arm.id: index for index, arm in enumerate(ranked)}
        signed = [self._sign * value for value in values]
        told = [(number[a], number[b]) for a, b in better if a in number and b in number]
        intervals = rank_intervals(signed, told)
        if not best(intervals):  # claims in a circle: nothing is told then
            intervals = rank_intervals(signed, ())
        order = sorted(range(len(ranked)), key=lambda i: (intervals[i].rank, i))
        first = values[order[0]]
        return tuple(self._place(ranked[i], values[i], first, intervals[i]) for i in order)

    def _value(self, arm: Arm) -> float:
        value = self.cells[arm.id, self.workload].figure(self.info.name).value
        if value is None:
            raise AssertionError(f"{arm.id} has a place and no figure")
        return value

    def _place(self, arm: Arm, value: float, first: float, interval: RankInterval) -> Place:
        runs = [*self.cells[arm.id, self.workload].by_block(self.info.name).values()]
        is_ratio = self.info.scale == "ratio"
        interval_of = geometric_mean_interval if is_ratio else mean_interval
        value_low, value_high = interval_of(runs, FIGURE_LEVEL)
        bound = self.bounds.of(arm.id, self.workload, self.info)
        return Place(
            arm=arm.id,
            label=self._label(arm),
            rank=interval.rank,
            low=interval.low,
            high=interval.high,
            value=value,
            value_low=value_low,
            value_high=value_high,
            behind=max(1.0, (value / first) ** self._sign) if is_ratio else None,
            bound=bound.word,
            bound_reason=bound.reason,
            not_held=self.cells[arm.id, self.workload].cell.not_held,
        )


def _told_better(comparisons: Iterable[Comparison]) -> Iterable[tuple[str, str]]:
    for each in comparisons:
        if each.verdict is Verdict.BETTER:
            yield each.other, each.baseline
        elif each.verdict is Verdict.WORSE:
            yield each.baseline, each.other


def _outcome(
    places: Sequence[Place], first: Sequence[Place], comparisons: Iterable[Comparison]
) -> Outcome:
    if len(places) < 2:
        return "one figure" if places else "no figure"
    if len(first) == 1:
        return "one best"
    if len(first) < len(places):
        return "shared"
    ids = {place.arm for place in places}
    verdicts = {each.verdict for each in comparisons if {each.baseline, each.other} <= ids}
    return "equivalent" if verdicts == {Verdict.EQUIVALENT} else "cannot tell"


class _Pairs:
    """The comparisons of one standing by their arms."""

    def __init__(
        self, comparisons: Iterable[Comparison], better: set[tuple[str, str]], info: MetricInfo
    ) -> None:
        self._of: Mapping[frozenset[str], Comparison] = {
            frozenset((each.baseline, each.other)): each for each in comparisons
        }
        self._better = better
        self._higher = info.direction == "higher"

    def leads(
        self, first: Sequence[Place], places: Sequence[Place]
    ) -> tuple[Lead | None, Lead | None]:
        """Over the next and over the last that each of the first is told to be better than."""
        behind = [
            place
            for place in places
            if all((each.arm, place.arm) in self._better for each in first)
        ]
        if not behind:
            return None, None
        following, last = behind[0], places[-1]
        over_last = (
            self._lead(first, last) if last is behind[-1] and last is not following else None
        )
        return self._lead(first, following), over_last

    def _lead(self, first: Sequence[Place], other: Place) -> Lead:
        """The smallest of the leads of those in first place."""
        return min((self._one(each, other) for each in first), key=lambda lead: lead.value)

    def _one(self, winner: Place, other: Place) -> Lead:
        compared = self._of[frozenset((winner.arm, other.arm))]
        if compared.estimate is None:
            raise AssertionError(f"{winner.arm} is told to be better than {other.arm} by nothing")
        as_it_is = (compared.other == winner.arm) == self._higher
        bounds: tuple[float | None, ...]
        if as_it_is:
            value, bounds = compared.estimate, (compared.low, compared.high)
        elif compared.scale == "ratio":
            value = 1 / compared.estimate
            bounds = tuple(each and 1 / each for each in (compared.high, compared.low))
        else:
            value = -compared.estimate
            bounds = tuple(None if b is None else -b for b in (compared.high, compared.low))
        return Lead(
            label=other.label, value=value, low=bounds[0], high=bounds[1], level=compared.level
        )
