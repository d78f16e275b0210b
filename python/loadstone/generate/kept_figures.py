"""A page on the stacks of one study: what is kept of its results beside it, a few kB of JSON.

`--from RESULTS` takes that anew. Without it a page is written from what is kept; with `--check` a stale
page is told.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from loadstone.analysis.analyse import analyse
from loadstone.analysis.model import Cell
from loadstone.errors import ExitCode, InputError, LoadstoneError
from loadstone.findings.model import Finding, Severity
from loadstone.frozen import Frozen
from loadstone.generate.committed_files import CHECKOUT, write_or_check
from loadstone.results import folder
from loadstone.results.environment import Environment
from loadstone.results.read import read_environment, read_plan
from loadstone.results.record import SteadyBy
from loadstone.study.values.model import Arm
from loadstone.study.values.service_choice import StackChoice

PAGES = Path("docs") / "reference"
REMARKED = ("not-held", "compiling")
"""Warnings that the page says beside a figure: it did less work, or it was not at rest."""
_REMEDY = "give the results of the study that the page names"


class KeptArm(Frozen):
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
    remarks: tuple[str, ...] = ()
    """Evidence of the findings `REMARKED`, by which its figures are read otherwise."""


class KeptTable(Frozen):
    """What the page is made of."""

    study: str
    workload: str
    blocks: int
    measured_on: str
    """Date in UTC."""
    cpu_model: str
    cpus: int
    arms: tuple[KeptArm, ...]
    """In the order of the study."""


def kept_table(results: Path, metrics: Sequence[str]) -> KeptTable:
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
    return KeptTable(
        study=plan.study,
        workload=analysis.workloads[0],
        blocks=max(cell.runs_completed for cell in analysis.cells),
        measured_on=(environment.began_at or "")[:10],
        cpu_model=environment.machine.cpu_model or "unknown",
        cpus=environment.machine.cpus or 0,
        arms=tuple(_arm(arm, cells[arm.id], environment, findings, metrics) for arm in plan.arms),
    )


class KeptPage(NamedTuple):
    """A page of the reference, and what it is made of."""

    name: str
    """`NAME.md` is written from `NAME.json` beside it."""
    metrics: Sequence[str]
    """Those that are kept of each run."""
    write: Callable[[KeptTable], str]
    """The page's text."""

    @property
    def page(self) -> Path:
        """In the checkout."""
        return PAGES / f"{self.name}.md"

    @property
    def kept(self) -> Path:
        """In the checkout."""
        return PAGES / f"{self.name}.json"

    def main(self, module: str, description: str | None, arguments: Sequence[str] | None) -> int:
        """Be a module's command: write the page, or say whether it is stale. Returns the exit code."""
        parser = argparse.ArgumentParser(add_help=False)
        parser.add_argument("--from", dest="results", type=Path)
        chosen, rest = parser.parse_known_args(arguments)
        kept = CHECKOUT / self.kept
        if chosen.results is not None:
            try:
                table = kept_table(chosen.results, self.metrics)
            except LoadstoneError as error:
                sys.stderr.write(f"error: {error.message}\nhint: {error.remedy}\n")
                return ExitCode.COULD_NOT_RUN
            kept.write_text(table.model_dump_json(indent=1) + "\n", encoding="utf-8")
        text = self.write(KeptTable.model_validate_json(kept.read_text("utf-8")))
        return write_or_check({self.page: text}, module, description, rest)


def _arm(
    arm: Arm,
    cell: Cell,
    environment: Environment,
    findings: tuple[Finding, ...],
    metrics: Sequence[str],
) -> KeptArm:
    choices = [each for each in arm.measured if isinstance(each, StackChoice)]
    if len(choices) != 1:
        raise InputError(f"arm {arm.id} is not one stack of ours", remedy=_REMEDY)
    choice = choices[0]
    return KeptArm(
        stack=choice.stack,
        runtime=choice.runtime,
        version=environment.versions.get(choice.runtime, ""),
        steady_by=tuple(run.steady_by for run in cell.series if run.steady_by is not None),
        figures={name: _values(cell, name) for name in metrics},
        doubts=_doubts(arm.id, findings),
        remarks=tuple(
            each.evidence
            for each in findings
            if each.code in REMARKED and each.subject.arm == arm.id
        ),
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
