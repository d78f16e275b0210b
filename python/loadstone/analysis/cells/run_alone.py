"""Figures and findings of a run looked at by itself: of `bench`, imported, or one of a study."""

from dataclasses import dataclass, field
from pathlib import Path

from loadstone.analysis.cells.run import RunFigures, examine_run, figures_of_run
from loadstone.audit.rules import audit_alone, audit_cell
from loadstone.audit.warmth.loaded_cell import LoadedCell
from loadstone.findings.model import Finding
from loadstone.results.record import RunRecord


@dataclass(frozen=True)
class RunAlone:
    """What is said of it. One that was not completed has no findings."""

    figures: RunFigures
    operations: dict[str, RunFigures]
    """By name; empty for a run without load."""
    findings: tuple[Finding, ...] = ()
    warmth_unknown: str = ""
    """Why nobody can say whether the service was warm; empty where it was judged, or not loaded."""
    groups: dict[str, RunFigures] = field(default_factory=dict)
    """By name; empty of fewer than two."""


def examine_alone(record: RunRecord, directory: Path) -> RunAlone:
    """Audit a run and take its figures. `InputError` for what cannot be read.

    In a study warmth is judged over the runs of an arm; here by the one that there is.
    """
    if record.status != "completed":
        return RunAlone(figures_of_run(record, directory), {})
    examined = examine_run(record, directory)
    findings = (*examined.findings, *audit_alone(record))
    if examined.windowed is None:
        return RunAlone(examined.figures, examined.operations, findings)
    cell = LoadedCell.of_run(examined.windowed)
    return RunAlone(
        examined.figures,
        examined.operations,
        (*findings, *audit_cell(cell)),
        cell.judgement.reason,
        examined.groups,
    )
