"""The primary figures run by run with the site of each, for the rules on several machines."""

import math
from collections.abc import Iterator, Mapping, Sequence

from loadstone.analysis.cells.cell import ExaminedCell
from loadstone.audit.study.machines import FigureBySite
from loadstone.metrics.catalogue import metric as catalogue_metric
from loadstone.results.read import StoredRun
from loadstone.study.values.model import Plan

Cells = Mapping[tuple[str, str], ExaminedCell]
"""By arm and workload."""


def figures_by_site(
    plan: Plan, cells: Cells, runs: Sequence[StoredRun]
) -> tuple[FigureBySite, ...]:
    """Return the figures of each question's primary metric, under each of its workloads; none of a
    study on one machine.

    Metrics that can be 0 have no logarithm, and are left out.
    """
    sites = {
        (run.planned.workload, run.planned.block): run.record.run.site
        for run in runs
        if run.record is not None and run.record.run.site is not None
    }
    if len(set(sites.values())) < 2:
        return ()
    primary = dict.fromkeys(
        (question.metrics[0], workload)
        for question in plan.questions
        for workload in question.workloads
    )
    return tuple(
        figure
        for metric, workload in primary
        for figure in _figure_by_site(metric, workload, cells, sites)
    )


def _figure_by_site(
    metric: str, workload: str, cells: Cells, sites: Mapping[tuple[str, int], str | None]
) -> Iterator[FigureBySite]:
    if catalogue_metric(metric).scale == "difference":
        return
    arms = {
        arm: cell.by_block(metric)
        for (arm, under), cell in cells.items()
        if under == workload
        and cell.figure(metric).state == "value"
        and not cell.figure(metric).pooled
    }
    if not arms or any(value <= 0 for values in arms.values() for value in values.values()):
        return
    complete = sorted(set.intersection(*(set(values) for values in arms.values())))
    rows = [
        (arm, block, site, math.log(values[block]))
        for block in complete
        if (site := sites.get((workload, block))) is not None
        for arm, values in arms.items()
    ]
    if rows:
        of_arms, blocks, of_sites, logarithms = zip(*rows, strict=True)
        yield FigureBySite(metric, workload, of_arms, blocks, of_sites, logarithms)
