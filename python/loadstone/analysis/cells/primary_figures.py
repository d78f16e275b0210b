"""The primary figures of a study by block, as the rules on its course and its machines see them."""

from collections.abc import Mapping

from loadstone.analysis.cells.cell import ExaminedCell
from loadstone.metrics.catalogue import metric as catalogue_metric
from loadstone.study.values.model import Plan

Cells = Mapping[tuple[str, str], ExaminedCell]
"""By arm and workload."""


def primary_metrics(plan: Plan) -> tuple[tuple[str, str], ...]:
    """Return each question's primary metric with each of its workloads, once."""
    return tuple(
        dict.fromkeys(
            (question.metrics[0], workload)
            for question in plan.questions
            for workload in question.workloads
        )
    )


def positive_figures(metric: str, workload: str, cells: Cells) -> dict[str, dict[int, float]]:
    """Return the figures of each arm by block; none where one has no logarithm."""
    if catalogue_metric(metric).scale == "difference":
        return {}
    arms = {
        arm: cell.by_block(metric)
        for (arm, under), cell in cells.items()
        if under == workload
        and cell.figure(metric).state == "value"
        and not cell.figure(metric).pooled
    }
    if any(value <= 0 for values in arms.values() for value in values.values()):
        return {}
    return arms
