"""One arm under one workload: its runs read, audited, and brought together."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from loadstone.analysis.cells.about import ALL, About
from loadstone.analysis.cells.narrowed import narrowed
from loadstone.analysis.cells.run import ExaminedRun, examine_run
from loadstone.analysis.chart_model import CurvePoint
from loadstone.analysis.figures.arm_figures import arm_figure
from loadstone.analysis.figures.boxes import boxes
from loadstone.analysis.figures.curve import curve
from loadstone.analysis.figures.engine_figures import engine_figures
from loadstone.analysis.figures.failure_figures import FAILURE_METRICS
from loadstone.analysis.figures.figure_states import not_measured
from loadstone.analysis.figures.quantile_figure import quantile_figure
from loadstone.analysis.figures.run_figures import (
    GROUP_METRICS,
    OPERATION_METRICS,
    USUAL_APDEX,
    connection_figure,
)
from loadstone.analysis.figures.series import series
from loadstone.analysis.figures.session_figures import (
    session_durations,
    session_outcomes,
    session_quantile,
)
from loadstone.analysis.model import (
    ApdexThresholds,
    ArmFigure,
    Cell,
    GroupFigures,
    OperationFigures,
    RunFigure,
    SessionTotals,
)
from loadstone.audit.rules import audit_cell
from loadstone.audit.warmth.late_step import late_look
from loadstone.audit.warmth.loaded_cell import LoadedCell
from loadstone.findings import scope
from loadstone.findings.model import Finding
from loadstone.findings.scope import Subject
from loadstone.findings.withholding import unclaimed_by, withheld_by
from loadstone.metrics.catalogue import (
    CONNECTION_QUANTILES,
    METRICS,
    QUANTILES,
    SESSION_QUANTILES,
    metric,
)
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

    def about(self, group: str | None, operation: str | None) -> "ExaminedCell":
        """The same with the figures of one group, or of one operation."""
        if group is None and operation is None:
            return self
        return replace(self, cell=narrowed(self.cell, group, operation))

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

    def figures_of(about: About, metrics: Iterable[MetricInfo]) -> tuple[ArmFigure, ...]:
        figures = (
            _figure(info, ordered, examined, about)
            if may_fail or info.name not in FAILURE_METRICS
            else _without_stop_rule(info, len(ordered))
            for info in metrics
        )
        subjects = scope.STUDY, *_subjects(arm, workload, about)
        return tuple(_judged(each, subjects, judging) for each in figures)

    def operations_of(abouts: Iterable[About]) -> tuple[OperationFigures, ...]:
        return tuple(
            OperationFigures(
                operation=about.name,
                group=_group_of(loaded, about),
                outcomes=_outcomes(loaded, about),
                figures=figures_of(about, map(metric, OPERATION_METRICS)),
            )
            for about in abouts
        )

    figures = figures_of(ALL, (info for info in METRICS if kind in info.kinds))
    outcomes = _outcomes(loaded, ALL)
    apart = dict.fromkeys(
        about
        for run in examined.values()
        for about in run.abouts
        if not _is_unheard_of(loaded, about)
    )
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
            not_held=_not_held(ordered),
            sessions=_sessions(loaded, ALL),
            engines=engine_figures(loaded),
            groups=tuple(
                GroupFigures(
                    group=about.name,
                    outcomes=_outcomes(loaded, about),
                    sessions=_sessions(loaded, about),
                    figures=figures_of(about, map(metric, GROUP_METRICS)),
                )
                for about in apart
                if about.what == "group"
            ),
            operations=operations_of(each for each in apart if each.what == "operation"),
            over_groups=operations_of(each for each in apart if each.what == "over groups"),
            curve=_standing(
                curve(_ok_times(loaded, Clock.RESPONSE_TIME, ALL), sum(outcomes.values())), figures
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


def _not_held(runs: Iterable[StoredRun]) -> str:
    """What the completed runs were not held to, in words; they are of one arm, so it is the same."""
    records = (run.record for run in runs if run.completed)
    return next((record.not_held_text for record in records if record is not None), "")


def _outcomes(loaded: Sequence[WindowedRun], about: About) -> dict[str, int]:
    counted: Counter[Outcome] = Counter()
    for windowed in loaded:
        if about.is_in(windowed):
            counted.update(windowed.outcomes(about.part(windowed)))
    return {outcome: counted[outcome] for outcome in Outcome}


def _sessions(loaded: Sequence[WindowedRun], about: About) -> SessionTotals:
    counted: Counter[str] = Counter()
    for windowed in loaded:
        if about.is_in(windowed):
            counted.update(session_outcomes(windowed, about.part(windowed)))
    return dict(counted)


def _is_unheard_of(loaded: Sequence[WindowedRun], about: About) -> bool:
    """Whether it is a further status that no answer of any run had."""
    if about.what != "operation":
        return False
    told = [run.record.operations.get(about.name) for run in loaded]
    return all(facts is None or facts.is_further_status(about.name) for facts in told) and not any(
        facts is not None and facts.offered for facts in told
    )


def _group_of(loaded: Sequence[WindowedRun], about: About) -> str:
    """Of an operation under several groups; empty under one, and over all of them."""
    if about.what != "operation":
        return ""
    told = (run.record.operations.get(about.name) for run in loaded if len(run.groups) > 1)
    return next((facts.group for facts in told if facts and facts.group), "")


def _figure(
    info: MetricInfo,
    ordered: Sequence[StoredRun],
    examined: dict[str, ExaminedRun],
    about: About,
) -> ArmFigure:
    def pool() -> RunFigure:
        every = [run.windowed for run in examined.values() if run.windowed is not None]
        loaded = [run for run in every if about.is_in(run)]
        if info.name in CONNECTION_QUANTILES:
            return connection_figure(loaded, *CONNECTION_QUANTILES[info.name])
        if info.name in SESSION_QUANTILES:
            durations = [session_durations(run, about.part(run)) for run in loaded]
            counted = _sessions(loaded, about)
            ended = counted.get("finished", 0) + counted.get("aborted", 0)
            return session_quantile(merge(durations), ended, SESSION_QUANTILES[info.name])
        clock, quantile = QUANTILES[info.name]
        offered = sum(_outcomes(loaded, about).values())
        return quantile_figure(_ok_times(loaded, clock, about), offered, quantile)

    def run_figure(run: StoredRun) -> RunFigure:
        if run.planned.id not in examined:
            return not_measured(f"the run has no figures: {run.problem}")
        figures = examined[run.planned.id].about(about)
        return figures[info.name] if figures else not_measured(f"the run has no such {about.noun}")

    runs = [run_figure(run) for run in ordered]
    pooled = info.name in (*QUANTILES, *CONNECTION_QUANTILES, *SESSION_QUANTILES)
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


def _ok_times(loaded: Sequence[WindowedRun], clock: Clock, about: About) -> Histogram:
    return merge(
        [
            windowed.histogram(clock, ok=True, part=about.part(windowed))
            for windowed in loaded
            if about.is_in(windowed)
        ]
    )


def _subjects(arm: str, workload: str, about: About) -> tuple[Subject, ...]:
    """What a finding may be about that judges such figures of an arm."""
    of_arm = scope.arm(arm, workload)
    return (of_arm, scope.arm(arm, workload, over_all=True)) if about == ALL else (of_arm,)


def _judged(
    figure: ArmFigure, subjects: tuple[Subject, ...], findings: Sequence[Finding]
) -> ArmFigure:
    """The figure, unless a finding on the arm or the whole study withholds it; or marked, where one
    takes away what may be claimed of it.
    """
    codes = withheld_by(findings, subjects, figure.metric)
    if codes:
        return ArmFigure(
            metric=figure.metric, value=None, state="withheld", reason=codes, runs=figure.runs
        )
    unclaimed = unclaimed_by(findings, subjects, figure.metric)
    return figure.model_copy(update={"no_claim": unclaimed}) if unclaimed else figure
