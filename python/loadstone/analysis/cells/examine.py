"""Everything that is read from a results folder before arms are compared."""

from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from loadstone.analysis.cells.cell import ExaminedCell
from loadstone.analysis.cells.cell_cache import cached_or_examined
from loadstone.analysis.cells.figures_by_block import figures_by_block
from loadstone.analysis.cells.figures_by_site import figures_by_site
from loadstone.analysis.cells.parallel_cells import CellTask, OnRead, unseen
from loadstone.analysis.cells.time_use import time_use
from loadstone.analysis.compare.survivals import Ending, endings
from loadstone.analysis.figures.run_figures import USUAL_APDEX
from loadstone.analysis.model import ApdexThresholds
from loadstone.audit.rules import audit_machines, audit_plan, audit_study, audit_warm_ups
from loadstone.audit.study.drift import drifting
from loadstone.audit.study.machines import machines_differ, machines_disagree
from loadstone.findings.model import Finding
from loadstone.results import folder
from loadstone.results.environment import Environment
from loadstone.results.looks import Look
from loadstone.results.read import StoredRun, read_published, read_results
from loadstone.study.values.model import AnyWorkload, Plan, Workload
from loadstone.uncollected import uncollected


@dataclass(frozen=True)
class Examined:
    """A study's cells with their figures, and the findings on runs and study."""

    plan: Plan
    looks: tuple[Look, ...]
    blocks: dict[str, int]
    """Workload to its blocks among the runs that are needed."""
    cells: dict[tuple[str, str], ExaminedCell]
    """By arm and workload, in the plan's order of arms."""
    findings: tuple[Finding, ...]
    endings: tuple[Ending, ...]
    """How the loads of completed runs ended, in the plan's order."""
    failed_runs: tuple[str, ...]
    time_use: dict[str, int]
    environment: Environment

    @property
    def simulated(self) -> bool:
        """Whether any run was simulated; then nothing is ranked."""
        return any(cell.simulated for cell in self.cells.values())


@uncollected()
def examine(
    directory: Path, apdex: ApdexThresholds = USUAL_APDEX, on_read: OnRead = unseen
) -> Examined:
    """Read, audit and summarise every run that is needed. `InputError` for what cannot be read."""
    results = read_results(directory)
    published = read_published(directory / folder.PUBLISHED)
    by_cell: dict[tuple[str, str], list[StoredRun]] = defaultdict(list)
    for stored in results.runs:
        by_cell[stored.planned.arm, stored.planned.workload].append(stored)
    study_findings = (*audit_plan(results.plan, published), *audit_study(results.runs))
    tasks = {
        (arm.id, workload.workload): CellTask(
            by_cell[arm.id, workload.workload],
            workload.kind,
            study_findings,
            apdex,
            _may_fail(workload),
        )
        for arm in results.plan.arms
        for workload in results.plan.workloads
        if (arm.id, workload.workload) in by_cell
    }
    cells = dict(zip(tasks, cached_or_examined([*tasks.values()], on_read), strict=True))
    of_runs = (finding for cell in cells.values() for finding in cell.findings)
    warmth = {
        place: cell.cell.warmth for place, cell in cells.items() if cell.cell.warmth is not None
    }
    margin = min((question.margin for question in results.plan.questions), default=0.0)
    drifts = drifting(
        figures_by_block(results.plan, cells, results.runs), margin, results.plan.order
    )
    by_site = figures_by_site(results.plan, cells, results.runs)
    return Examined(
        plan=results.plan,
        looks=results.looks,
        blocks={
            workload.workload: len(
                {
                    stored.planned.block
                    for stored in results.runs
                    if stored.planned.workload == workload.workload
                }
            )
            for workload in results.plan.workloads
        },
        cells=cells,
        findings=(
            *study_findings,
            *audit_warm_ups(results.runs, warmth),
            *of_runs,
            *drifts,
            *machines_differ(by_site, margin),
            *machines_disagree(by_site),
            *audit_machines(results.environment, results.assignments),
        ),
        endings=endings(results.runs),
        failed_runs=tuple(
            f"{run.planned.id}: {run.problem}" for run in results.runs if not run.completed
        ),
        time_use=time_use(results.environment, results.runs),
        environment=results.environment,
    )


def _may_fail(workload: AnyWorkload) -> bool:
    """Whether a rule says when a service has failed under a workload."""
    return isinstance(workload, Workload) and workload.may_stop_early
