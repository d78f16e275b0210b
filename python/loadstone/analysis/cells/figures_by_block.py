"""The primary figures by block, in the order in which runs were done, for the rule on drift."""

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from loadstone.analysis.cells.primary_figures import Cells, positive_figures, primary_metrics
from loadstone.audit.study.drift import FigureByBlock
from loadstone.results.read import StoredRun
from loadstone.stats.series.drift import FEWEST
from loadstone.study.values.model import Plan, PlannedRun


def figures_by_block(
    plan: Plan, cells: Cells, runs: Sequence[StoredRun]
) -> tuple[FigureByBlock, ...]:
    """Return the figures of each question's primary metric, under each of its workloads.

    Metrics that can be 0 are left out, since they have no logarithm, and so are those with too few
    complete blocks.
    """
    places = _places(runs)
    return tuple(
        course
        for metric, workload in primary_metrics(plan)
        for course in _figure_by_block(metric, workload, cells, places)
    )


def _places(runs: Sequence[StoredRun]) -> dict[tuple[str, str, int], float]:
    """Map arm, workload and block to when the run was done at its site: 0 for the first run there, 1
    for the last.
    """
    done: dict[str | None, list[tuple[str, PlannedRun]]] = defaultdict(list)
    for run in runs:
        if run.record is not None:
            done[run.record.run.site].append((run.record.started_at, run.planned))
    places = {}
    for of_site in done.values():
        of_site.sort(key=lambda each: (each[0], each[1].index))
        last = max(1, len(of_site) - 1)
        for position, (_, planned) in enumerate(of_site):
            places[planned.arm, planned.workload, planned.block] = position / last
    return places


def _figure_by_block(
    metric: str, workload: str, cells: Cells, places: Mapping[tuple[str, str, int], float]
) -> Iterator[FigureByBlock]:
    arms = positive_figures(metric, workload, cells)
    if not arms:
        return
    blocks = sorted(set.intersection(*(set(values) for values in arms.values())))
    if len(blocks) < FEWEST:
        return
    at = tuple(_mean([places[arm, workload, block] for arm in arms]) for block in blocks)
    if len(set(at)) == 1:  # each site did one block: none of them has an order
        return
    logarithms = {
        arm: _centred([math.log(values[block]) for block in blocks]) for arm, values in arms.items()
    }
    yield FigureByBlock(
        metric=metric,
        workload=workload,
        places=at,
        logarithms=tuple(
            _mean([logarithms[arm][position] for arm in arms]) for position in range(len(blocks))
        ),
    )


def _centred(values: Sequence[float]) -> list[float]:
    mean = _mean(values)
    return [value - mean for value in values]


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)
