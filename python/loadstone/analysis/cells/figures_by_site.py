"""The primary figures run by run with the site of each, for the rules on several machines."""

import math
from collections.abc import Iterator, Mapping, Sequence

from loadstone.analysis.cells.primary_figures import Cells, positive_figures, primary_metrics
from loadstone.audit.study.machines import FigureBySite
from loadstone.results.read import StoredRun
from loadstone.study.values.model import Plan


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
    return tuple(
        figure
        for metric, workload in primary_metrics(plan)
        for figure in _figure_by_site(metric, workload, cells, sites)
    )


def _figure_by_site(
    metric: str, workload: str, cells: Cells, sites: Mapping[tuple[str, int], str | None]
) -> Iterator[FigureBySite]:
    arms = positive_figures(metric, workload, cells)
    if not arms:
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
