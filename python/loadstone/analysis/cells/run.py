"""Figures and findings of one stored run, as far as it is not judged with the others of its arm."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from loadstone.analysis.cells.about import About
from loadstone.analysis.figures.figure_states import not_measured
from loadstone.analysis.figures.run_figures import (
    OPERATION_METRICS,
    USUAL_APDEX,
    group_figures,
    operation_figures,
    run_figures,
)
from loadstone.analysis.figures.service_figures import service_figures
from loadstone.analysis.model import ApdexThresholds, RunFigure
from loadstone.audit.rules import audit_record, audit_run
from loadstone.findings import scope
from loadstone.findings.model import Finding, Severity
from loadstone.findings.withholding import withheld_by
from loadstone.metrics.catalogue import METRICS
from loadstone.results.parts import Part
from loadstone.results.record import RunIdentity, RunRecord
from loadstone.results.window import WindowedRun, read_windowed_run

RunFigures = dict[str, RunFigure]
"""By metric, in the catalogue's order."""


@dataclass(frozen=True)
class ExaminedRun:
    """One completed run with everything that is said of it."""

    windowed: WindowedRun | None
    """None for a run without load."""
    figures: RunFigures
    operations: dict[str, RunFigures]
    """By name; empty for a run without load."""
    findings: tuple[Finding, ...]
    groups: dict[str, RunFigures] = field(default_factory=dict)
    """By name; empty of fewer than two."""
    over_groups: dict[str, RunFigures] = field(default_factory=dict)
    """Of operations that several groups perform, by name."""

    @property
    def abouts(self) -> tuple[About, ...]:
        """Every part of the load that has figures of its own."""
        return (
            *(About("group", name) for name in self.groups),
            *(About("operation", name) for name in self.operations),
            *(About("over groups", name) for name in self.over_groups),
        )

    def about(self, about: About) -> RunFigures | None:
        """The figures of all of the load, or of a part; none where the run has no such part."""
        match about.what:
            case "all":
                return self.figures
            case "group":
                return self.groups.get(about.name)
            case "over groups":
                return self.over_groups.get(about.name)
            case "operation":
                return self.operations.get(about.name)


def examine_run(
    record: RunRecord, directory: Path, apdex: ApdexThresholds = USUAL_APDEX
) -> ExaminedRun:
    """Audit a completed run and take its figures. `InputError` for what cannot be read."""
    if record.kind == "startup":
        return ExaminedRun(None, figures_without_load(record), {}, audit_record(record))
    windowed = read_windowed_run(record, directory)
    findings = audit_run(windowed)
    figures = run_figures(windowed, apdex)

    def standing(told: dict[str, RunFigures]) -> dict[str, RunFigures]:
        return {name: without_withheld(found, record.run, findings) for name, found in told.items()}

    return ExaminedRun(
        windowed,
        without_withheld(figures, record.run, findings),
        standing(_by_operation(windowed, figures, apdex)),
        findings,
        standing(_by_group(windowed, apdex)),
        standing(
            {
                name: operation_figures(windowed, part, apdex)
                for name, part in windowed.over_groups.items()
            }
        ),
    )


def _by_operation(
    run: WindowedRun, figures: RunFigures, apdex: ApdexThresholds
) -> dict[str, RunFigures]:
    """The figures of each operation; of a single operation they are those of the run."""
    names = tuple(run.record.operations)
    if len(names) == 1:
        return {names[0]: {metric: figures[metric] for metric in OPERATION_METRICS}}
    return {name: operation_figures(run, Part.operation(name), apdex) for name in names}


def _by_group(run: WindowedRun, apdex: ApdexThresholds) -> dict[str, RunFigures]:
    """The figures of each of several groups; of a single one they are those of the run."""
    if len(run.groups) == 1:
        return {}
    return {name: group_figures(run, part, apdex) for name, part in run.groups.items()}


def figures_of_run(
    record: RunRecord, directory: Path, findings: Iterable[Finding] = ()
) -> RunFigures:
    """Every metric of one run; those that `findings` withhold are replaced by the reason."""
    if record.status != "completed":
        return _without_run(record)
    if record.kind == "startup":
        return figures_without_load(record)
    windowed = read_windowed_run(record, directory)
    return without_withheld(run_figures(windowed), record.run, findings)


def without_withheld(
    figures: RunFigures, run: RunIdentity, findings: Iterable[Finding]
) -> RunFigures:
    """The figures, each that a finding of this run withholds replaced by the rule's code."""
    withholding = [each for each in findings if each.severity is Severity.WITHHOLD]
    subject = scope.run(run)
    replaced = dict(figures)
    for name in figures:
        codes = withheld_by(withholding, (subject,), name)
        if codes:
            replaced[name] = RunFigure(value=None, state="withheld", reason=codes)
    return replaced


def figures_without_load(record: RunRecord) -> RunFigures:
    """Every metric of a completed run that only started a service."""
    found = service_figures(record)
    return {info.name: found[info.name] for info in METRICS if record.kind in info.kinds}


def _without_run(record: RunRecord) -> RunFigures:
    reason = f"the run is {record.status}"
    return {info.name: not_measured(reason) for info in METRICS if record.kind in info.kinds}
