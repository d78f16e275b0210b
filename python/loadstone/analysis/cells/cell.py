"""One arm under one workload: its runs read, audited, and brought together."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from loadstone.analysis.cells.run import ExaminedRun, examine_run
from loadstone.analysis.chart_model import CurvePoint
from loadstone.analysis.figures.arm_figures import arm_figure
from loadstone.analysis.figures.boxes import boxes
from loadstone.analysis.figures.curve import curve
from loadstone.analysis.figures.failure_figures import FAILURE_METRICS
from loadstone.analysis.figures.figure_states import not_measured
from loadstone.analysis.figures.quantile_figure import quantile_figure
from loadstone.analysis.figures.run_figures import (
    OPERATION_METRICS,
    USUAL_APDEX,
    connection_figure,
)
from loadstone.analysis.figures.series import series
from loadstone.analysis.model import ApdexThresholds, ArmFigure, Cell, OperationFigures, RunFigure
from loadstone.audit.rules import audit_cell
from loadstone.audit.warmth.late_step import late_look
from loadstone.audit.warmth.loaded_cell import LoadedCell
from loadstone.findings import scope
from loadstone.findings.model import Finding
from loadstone.findings.withholding import unclaimed_by, withheld_by
from loadstone.metrics.catalogue import CONNECTION_QUANTILES, METRICS, QUANTILES, metric
from loadstone.metrics.model import MetricInfo, WorkloadKind
from loadstone.metrics.outcomes import Clock, Outcome
from loadstone.results.histograms import Histogram, merge
from loadstone.results.read import StoredRun
from loadstone.results.window import WindowedRun


@dataclass(frozen=True)
class ExaminedCell:
    """One arm under one workload, after its runs were read: without their large histograms."""

    cell: Cell
    blocks: tuple[int, ...]
    """Of the planned runs, in the order of each figure's runs."""
    findings: tuple[Finding, ...]
    simulated: bool

    def figure(self, metric: str) -> ArmFigure:
        """The arm's figure of a metric."""
        return self.cell.by_metric[metric]

    def by_block(self, metric: str) -> dict[int, float]:
        """Block to value, of the runs that have one."""
        runs = zip(self.blocks, self.figure(metric).runs, strict=True)
        return {block: run.value for block, run in runs if run.value is not None}


def examine_cell(
    stored: Sequence[StoredRun],
    kind: WorkloadKind,
    study_findings: Sequence[Finding],
    apdex: ApdexThresholds = USUAL_APDEX,
    *,
    may_fail: bool = True,
) -> ExaminedCell:
    """Read and examine the planned runs of one arm under one workload; there is at least one.

    `may_fail` says that the workload has a stop rule. Without one nothing tells when a service fails,
    so the metrics of failure are not measured.
    """
    ordered = sorted(stored, key=lambda run: run.planned.block)
    examined = {
        run.planned.id: examine_run(run.record, run.directory, apdex)
        for run in ordered
        if run.record is not None and run.completed
    }
    arm, workload = ordered[0].planned.arm, ordered[0].planned.workload
    loaded = [run.windowed for run in examined.values() if run.windowed is not None]
    together = LoadedCell(arm, workload, loaded)
    judgement = together.judgement if loaded else None
    look = late_look(together)
    of_cell = audit_cell(together) if loaded else ()
    judging = (*study_findings, *of_cell)

    def figures_of(operation: str | None, metrics: Iterable[MetricInfo]) -> tuple[ArmFigure, ...]:
        figures = (
            _figure(info, ordered, examined, operation)
            if may_fail or info.name not in FAILURE_METRICS
            else _without_stop_rule(info, len(ordered))
            for info in metrics
        )
        return tuple(_judged(each, arm, workload, judging) for each in figures)

    figures = figures_of(None, (info for info in METRICS if kind in info.kinds))
    outcomes = _outcomes(loaded, None)
    names = dict.fromkeys(name for run in examined.values() for name in run.operations)
    return ExaminedCell(
        cell=Cell(
            arm=arm,
            workload=workload,
            kind=kind,
            runs_planned=len(ordered),
            runs_completed=len(examined),
            outcomes=outcomes,
            figures=figures,
            warmth=judgement and judgement.warmth,
            warmth_unknown=judgement.reason if judgement else "",
            late_look=look.text if look else "",
            operations=tuple(
                OperationFigures(
                    operation=name,
                    outcomes=_outcomes(loaded, name),
                    figures=figures_of(name, map(metric, OPERATION_METRICS)),
                )
                for name in names
            ),
            curve=_standing(
                curve(_ok_times(loaded, Clock.RESPONSE_TIME), sum(outcomes.values())), figures
            ),
            series=tuple(series(windowed) for windowed in loaded),
            boxes=() if _is_withheld(figures, "response_time.median") else boxes(loaded),
        ),
        blocks=tuple(run.planned.block for run in ordered),
        findings=(
            *of_cell,
            *(finding for run in examined.values() for finding in run.findings),
        ),
        simulated=any(windowed.load.simulated for windowed in loaded)
        or any(run.record is not None and run.record.simulated for run in ordered),
    )


def _without_stop_rule(info: MetricInfo, runs: int) -> ArmFigure:
    reason = "the workload has no stop rule"
    return ArmFigure(
        metric=info.name,
        value=None,
        state="not measured",
        reason=reason,
        runs=(not_measured(reason),) * runs,
    )


def _outcomes(loaded: Sequence[WindowedRun], operation: str | None) -> dict[str, int]:
    counted: Counter[Outcome] = Counter()
    for windowed in loaded:
        counted.update(windowed.outcomes(operation))
    return {outcome: counted[outcome] for outcome in Outcome}


def _figure(
    info: MetricInfo,
    ordered: Sequence[StoredRun],
    examined: dict[str, ExaminedRun],
    operation: str | None,
) -> ArmFigure:
    def pool() -> RunFigure:
        loaded = [run.windowed for run in examined.values() if run.windowed is not None]
        if info.name in CONNECTION_QUANTILES:
            return connection_figure(loaded, *CONNECTION_QUANTILES[info.name])
        clock, quantile = QUANTILES[info.name]
        offered = sum(_outcomes(loaded, operation).values())
        return quantile_figure(_ok_times(loaded, clock, operation), offered, quantile)

    def run_figure(run: StoredRun) -> RunFigure:
        if run.planned.id not in examined:
            return not_measured(f"the run has no figures: {run.problem}")
        found = examined[run.planned.id]
        figures = found.figures if operation is None else found.operations.get(operation)
        return figures[info.name] if figures else not_measured("the run has no such operation")

    runs = [run_figure(run) for run in ordered]
    pooled = info.name in QUANTILES or info.name in CONNECTION_QUANTILES
    return arm_figure(info, runs, len(examined), pool if pooled else None)


def _standing(
    points: tuple[CurvePoint, ...], figures: Sequence[ArmFigure]
) -> tuple[CurvePoint, ...]:
    """The points below the first quantile that is withheld; none where the median is withheld."""
    withheld = (
        QUANTILES[figure.metric][1]
        for figure in figures
        if figure.state == "withheld"
        and figure.metric in QUANTILES
        and QUANTILES[figure.metric][0] is Clock.RESPONSE_TIME
    )
    limit = min(withheld, default=2.0)  # beyond every quantile
    if limit <= QUANTILES["response_time.median"][1]:
        return ()
    return tuple(point for point in points if point.quantile < limit)


def _is_withheld(figures: Sequence[ArmFigure], metric: str) -> bool:
    return any(figure.metric == metric and figure.state == "withheld" for figure in figures)


def _ok_times(
    loaded: Sequence[WindowedRun], clock: Clock, operation: str | None = None
) -> Histogram:
    return merge([windowed.histogram(clock, ok=True, operation=operation) for windowed in loaded])


def _judged(figure: ArmFigure, arm: str, workload: str, findings: Sequence[Finding]) -> ArmFigure:
    """The figure, unless a finding on the arm or the whole study withholds it; or marked, where one
    takes away what may be claimed of it.
    """
    subjects = scope.STUDY, scope.arm(arm, workload)
    codes = withheld_by(findings, subjects, figure.metric)
    if codes:
        return ArmFigure(
            metric=figure.metric, value=None, state="withheld", reason=codes, runs=figure.runs
        )
    unclaimed = unclaimed_by(findings, subjects, figure.metric)
    return figure.model_copy(update={"no_claim": unclaimed}) if unclaimed else figure
