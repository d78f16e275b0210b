"""How the stacks of a study warm up: what is kept of its results for a page, a few kB of JSON."""

from pathlib import Path

from loadstone.analysis.analyse import analyse
from loadstone.analysis.model import Cell
from loadstone.errors import InputError
from loadstone.findings.model import Finding, Severity
from loadstone.frozen import Frozen
from loadstone.results import folder
from loadstone.results.environment import Environment
from loadstone.results.read import read_environment, read_plan
from loadstone.results.record import SteadyBy
from loadstone.study.values.model import Arm
from loadstone.study.values.service_choice import StackChoice

METRICS = (
    "startup",
    "time_to_steady",
    "requests_until_steady",
    "warm_up_loss",
    "compile_cpu",
    "first_10s.throughput",
    "first_30s.throughput",
    "throughput",
    "first_10s.response_time.p99",
    "response_time.p99",
)
"""Those that are kept of each run."""
_REMEDY = "give the results of studies/mediation-warming.yaml"


class WarmingArm(Frozen):
    """One stack on one runtime."""

    stack: str
    runtime: str
    version: str
    """Of the runtime, as it tells it."""
    steady_by: tuple[SteadyBy, ...]
    """Why the window of each run began, in block order."""
    figures: dict[str, tuple[float | None, ...]]
    """By metric, of each run in block order and in the catalogue's unit; none where it has no value."""
    doubts: tuple[str, ...]
    """Codes of the findings by which nothing is claimed of the arm."""


class WarmingTable(Frozen):
    """What the page is made of."""

    study: str
    workload: str
    blocks: int
    measured_on: str
    """Date in UTC."""
    cpu_model: str
    cpus: int
    arms: tuple[WarmingArm, ...]
    """In the order of the study."""


def warming_table(results: Path) -> WarmingTable:
    """Read a results folder. `InputError` where it has not one workload, or arms that are no stacks."""
    plan = read_plan(results / folder.PLAN)
    environment = read_environment(results / folder.ENVIRONMENT)
    analysis, findings = analyse(results)
    if len(analysis.workloads) != 1:
        raise InputError(
            f"has {len(analysis.workloads)} workloads, the table is of one",
            path=results,
            remedy=_REMEDY,
        )
    cells = {cell.arm: cell for cell in analysis.cells}
    return WarmingTable(
        study=plan.study,
        workload=analysis.workloads[0],
        blocks=max(cell.runs_completed for cell in analysis.cells),
        measured_on=(environment.began_at or "")[:10],
        cpu_model=environment.machine.cpu_model or "unknown",
        cpus=environment.machine.cpus or 0,
        arms=tuple(_arm(arm, cells[arm.id], environment, findings) for arm in plan.arms),
    )


def _arm(
    arm: Arm, cell: Cell, environment: Environment, findings: tuple[Finding, ...]
) -> WarmingArm:
    choices = [each for each in arm.services if isinstance(each, StackChoice)]
    if len(choices) != 1:
        raise InputError(f"arm {arm.id} is not one stack of ours", remedy=_REMEDY)
    choice = choices[0]
    return WarmingArm(
        stack=choice.stack,
        runtime=choice.runtime,
        version=environment.versions.get(choice.runtime, ""),
        steady_by=tuple(run.steady_by for run in cell.series if run.steady_by is not None),
        figures={name: _values(cell, name) for name in METRICS},
        doubts=_doubts(arm.id, findings),
    )


def _values(cell: Cell, metric: str) -> tuple[float | None, ...]:
    figure = cell.by_metric.get(metric)
    return () if figure is None else tuple(run.value for run in figure.runs)


def _doubts(arm: str, findings: tuple[Finding, ...]) -> tuple[str, ...]:
    codes = (
        each.code
        for each in findings
        if each.severity is Severity.NO_CLAIM and each.subject.arm == arm
    )
    return tuple(dict.fromkeys(codes))
