"""Examined cells made of nothing but values by block: what compares arms needs no more."""

from collections.abc import Mapping, Sequence

from loadstone.analysis.cells.cell import ExaminedCell
from loadstone.analysis.figures.arm_figures import arm_figure
from loadstone.analysis.model import Cell, RunFigure
from loadstone.metrics.catalogue import METRICS
from loadstone.study.values.model import Arm, Question

WORKLOAD = "closed"
P99 = "response_time.p99"
Values = Sequence[float | RunFigure | None]
"""By block; none where the run has no figure."""


def cell(arm: str, values: Values, *, metric: str = P99, workload: str = WORKLOAD) -> ExaminedCell:
    """A cell whose other metrics were not measured."""
    blank = RunFigure(value=None, state="not measured", reason="not built")
    runs = {
        info.name: [blank if info.name != metric else _figure(each) for each in values]
        for info in METRICS
        if "load" in info.kinds
    }
    return ExaminedCell(
        cell=Cell(
            arm=arm,
            workload=workload,
            runs_planned=len(values),
            runs_completed=len(values),
            outcomes={},
            figures=tuple(
                arm_figure(info, runs[info.name], len(values), None)
                for info in METRICS
                if info.name in runs
            ),
            curve=(),
            series=(),
        ),
        blocks=tuple(range(1, len(values) + 1)),
        findings=(),
        simulated=False,
    )


def _figure(value: float | RunFigure | None) -> RunFigure:
    if value is None:
        return RunFigure(value=None, state="not measured", reason="not built")
    return value if isinstance(value, RunFigure) else RunFigure(value=value, state="value")


def cells(
    arms: Mapping[str, Values], *, metric: str = P99, workload: str = WORKLOAD
) -> dict[tuple[str, str], ExaminedCell]:
    """One workload."""
    return {
        (arm, workload): cell(arm, values, metric=metric, workload=workload)
        for arm, values in arms.items()
    }


def question(
    *, compare: str = "gateway", metric: str = P99, workloads: tuple[str, ...] = (WORKLOAD,)
) -> Question:
    """By one metric, with a margin of 3 %."""
    return Question(
        question="which is faster?",
        compare=compare,
        metrics=(metric,),
        margin=0.03,
        workloads=workloads,
    )


def arms(factors: Mapping[str, Mapping[str, str]]) -> tuple[Arm, ...]:
    """Arms of these factors."""
    return tuple(
        Arm(id=arm, factors=dict(levels), services=(), legs={}) for arm, levels in factors.items()
    )
