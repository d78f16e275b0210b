"""Which measured rows and which published ones are of the same load of the same scenario.

A measured row has a place by throughput as far as the study itself gives it one: that of a ranking of
just the arms that stand together here. A row with failures has none, whatever its throughput is.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from loadstone.analysis.model import Analysis, ArmFigure, Cell
from loadstone.analysis.multi_arm_model import RankedArm, Ranking
from loadstone.analysis.sentences.no_claim import state_of
from loadstone.report.published.matched import matched
from loadstone.study.values.model import Arm, Plan
from loadstone.study.values.published import (
    Published,
    PublishedKey,
    PublishedRow,
    PublishedSource,
)
from loadstone.study.values.published_keys import key_of
from loadstone.study.values.service_choice import StackChoice

PLACED_BY = "throughput"
"""The metric of the places, as of the published tables."""


@dataclass(frozen=True, slots=True)
class MeasuredRow:
    """One arm under one workload."""

    name: str
    """Its stacks on their runtimes, and what else tells it from its neighbours."""
    cell: Cell
    place: RankedArm | None
    no_place: str
    """Why it has none; empty where it has one."""


@dataclass(frozen=True, slots=True)
class LoadRows:
    """Everything of one load of one scenario."""

    key: PublishedKey
    measured: tuple[MeasuredRow, ...]
    """In the plan's order."""
    published: tuple[tuple[PublishedSource, PublishedRow], ...]
    """In the order of the sources."""


@dataclass(frozen=True, slots=True)
class PublishedRows:
    """What of a study has published rows beside it."""

    sources: tuple[PublishedSource, ...]
    """Those with a row in `loads`."""
    loads: tuple[LoadRows, ...]
    """In the system's order of scenarios, then users before rates, by their number, by message size
    and by delay."""


def published_rows(
    analysis: Analysis, plan: Plan, published: Published | None
) -> PublishedRows | None:
    """Match cells and published rows; none where none fit, or where nothing was measured."""
    if published is None or analysis.simulated:
        return None
    arms = {arm.id: arm for arm in plan.arms}
    found = matched(
        analysis, plan, published, key_of, lambda source: ((row.key, row) for row in source.rows)
    )
    if not found:
        return None
    scenarios = [scenario.name for scenario in published.scenarios]
    keys = sorted(
        found,
        key=lambda key: (
            scenarios.index(key.scenario),
            key.rate_per_second,
            *key[1:4],
            key.pause_ms,
        ),
    )
    used = {source.source for _, rows in found.values() for source, _ in rows}
    return PublishedRows(
        sources=tuple(source for source in published.sources if source.source in used),
        loads=tuple(
            LoadRows(key, tuple(_measured(analysis, cells, arms)), tuple(rows))
            for key, (cells, rows) in ((key, found[key]) for key in keys)
        ),
    )


def _measured(
    analysis: Analysis, cells: Sequence[Cell], arms: dict[str, Arm]
) -> Iterable[MeasuredRow]:
    names = names_of(cells, arms)
    for cell, name in zip(cells, names, strict=True):
        neighbours = {each.arm for each in cells if each.workload == cell.workload}
        place = _place(analysis, cell, neighbours)
        if isinstance(place, str):
            yield MeasuredRow(name, cell, None, place)
        else:
            yield MeasuredRow(name, cell, place, "")


def names_of(cells: Sequence[Cell], arms: dict[str, Arm]) -> list[str]:
    """`go@go`; where several would have one name, with the arm; under several workloads with both."""
    names = [_stacks(arms[cell.arm]) for cell in cells]
    is_under_one = len({cell.workload for cell in cells}) == 1
    return [
        name
        if names.count(name) == 1
        else f"{name} ({cell.arm if is_under_one else f'{cell.arm}, {cell.workload}'})"
        for name, cell in zip(names, cells, strict=True)
    ]


def _stacks(arm: Arm) -> str:
    return " and ".join(
        f"{each.stack}@{each.runtime}" if isinstance(each, StackChoice) else each.label
        for each in arm.measured
    )


def _place(analysis: Analysis, cell: Cell, neighbours: set[str]) -> RankedArm | str:
    """The place among the neighbours, or why there is none."""
    for name in ("failures", PLACED_BY):
        figure = cell.by_metric.get(name)
        if figure is None or not _has_value(figure):
            return f"{name} {figure.state if figure else 'not measured'}"
        if name == "failures" and figure.value:
            return "a row with failures is not ranked"
        if figure.no_claim:
            return f"not ranked: {state_of(figure.no_claim)}"
    ranking = next(
        (each for each in analysis.rankings if _is_of(each, cell.workload, neighbours)), None
    )
    if ranking is None:
        return f"no ranking by {PLACED_BY}, which takes three arms and a question of just these"
    found = next((each for each in ranking.arms if each.arm == cell.arm), None)
    return found or next(each.reason for each in ranking.unranked if each.arm == cell.arm)


def _is_of(ranking: Ranking, workload: str, neighbours: set[str]) -> bool:
    return (
        ranking.metric == PLACED_BY
        and ranking.workload == workload
        and {*(each.arm for each in ranking.arms), *(each.arm for each in ranking.unranked)}
        == neighbours
    )


def _has_value(figure: ArmFigure) -> bool:
    return figure.state == "value" and figure.value is not None
