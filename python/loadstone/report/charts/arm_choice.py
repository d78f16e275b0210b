"""The order in which charts take the arms, and which of them a static picture has room for.

Where a study has more arms than a picture can tell apart, those with the best figures come first. That
is a choice of what to look at, and no rank: it has no interval, and the page says what was chosen.
"""

from dataclasses import dataclass

from loadstone.analysis.model import Analysis, Cell
from loadstone.metrics.catalogue import metric as catalogued
from loadstone.metrics.labels import metric_label
from loadstone.report.tables.result_table import figure_of

MOST_DRAWN = 12
"""Lines that six colours and two dashes tell apart, and labels that stand beside a picture."""

_DEFAULT_METRIC = "response_time.p99"


@dataclass(frozen=True, slots=True)
class ArmChoice:
    """All arms, those first that pictures draw."""

    order: tuple[str, ...]
    sentence: str
    """What was chosen, for all charts; empty where they draw all arms."""

    @property
    def is_large(self) -> bool:
        """Whether there are more arms than a static picture draws."""
        return len(self.order) > MOST_DRAWN

    @property
    def drawn(self) -> tuple[str, ...]:
        """The arms of a static picture."""
        return self.order[:MOST_DRAWN]

    def is_drawn(self, index: int) -> bool:
        """Whether the arm at this place of the order is in static pictures."""
        return index < MOST_DRAWN


def arm_choice(analysis: Analysis) -> ArmChoice:
    """The plan's order where it has few arms or was simulated; else the best by the first metric that
    a question asks for, under its first workload.
    """
    planned = tuple(arm.id for arm in analysis.arms)
    if len(planned) <= MOST_DRAWN:
        return ArmChoice(planned, "")
    drawn = f"Pictures draw {MOST_DRAWN} of {len(planned)} arms"
    primary = next((each for each in analysis.comparisons if each.primary), None)
    metric = primary.metric if primary else _DEFAULT_METRIC
    workload = primary.workload if primary else next(iter(analysis.workloads), "")
    values = _values(analysis, workload, metric)
    if analysis.simulated or not values:
        return ArmChoice(planned, f"{drawn}: the first of the plan")
    sign = 1 if catalogued(metric).direction == "lower" else -1
    order = sorted(planned, key=lambda arm: (arm not in values, sign * values.get(arm, 0.0)))
    which = "lowest" if sign == 1 else "highest"
    return ArmChoice(
        tuple(order), f"{drawn}: those with the {which} {metric_label(metric)} under {workload}"
    )


def _values(analysis: Analysis, workload: str, metric: str) -> dict[str, float]:
    cells: dict[str, Cell] = {
        cell.arm: cell for cell in analysis.cells if cell.workload == workload
    }
    figures = {arm: figure_of(cell, metric) for arm, cell in cells.items()}
    return {
        arm: figure.value
        for arm, figure in figures.items()
        if figure is not None and figure.state == "value" and figure.value is not None
    }
