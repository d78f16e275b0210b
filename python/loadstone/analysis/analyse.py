"""The whole analysis of a results folder, and its two files. Deterministic: it only reads records."""

import json
from pathlib import Path

from loadstone.analysis.answer_model import Answer
from loadstone.analysis.cells.examine import examine
from loadstone.analysis.cells.parallel_cells import OnRead, unseen
from loadstone.analysis.compare.adaptive import adaptive_of
from loadstone.analysis.compare.bounds import Bounds
from loadstone.analysis.compare.comparisons import Cells
from loadstone.analysis.compare.question_results import question_result
from loadstone.analysis.compare.reproductions import TIME_TO_FAILURE, reproductions
from loadstone.analysis.compare.survivals import slow_means, survivals
from loadstone.analysis.figures.failure_figures import SLOW_MEAN
from loadstone.analysis.figures.run_figures import USUAL_APDEX
from loadstone.analysis.made_of import made_of
from loadstone.analysis.model import Analysis, ApdexThresholds, ArmInfo
from loadstone.analysis.per_request.of_study import per_request
from loadstone.analysis.sentences.answers import answer
from loadstone.analysis.sentences.doubts import FindingIndex
from loadstone.analysis.sentences.no_claim import state_of
from loadstone.findings.model import Finding, Severity
from loadstone.metrics.catalogue import METRICS
from loadstone.results import folder
from loadstone.results.read import read_results
from loadstone.results.write import write_text
from loadstone.stats.comparison.adaptive import alpha_of
from loadstone.uncollected import uncollected

_SEVERITIES = (Severity.WITHHOLD, Severity.NO_CLAIM, Severity.WARNING, Severity.NOTE)


def analyse(
    results: Path, apdex: ApdexThresholds = USUAL_APDEX, on_read: OnRead = unseen
) -> tuple[Analysis, tuple[Finding, ...]]:
    """Figures, comparisons and answers of a study, and every finding, the gravest first.

    `InputError` where the folder, its plan or a completed run's files are missing or foreign.
    """
    examined = examine(results, apdex, on_read)
    plan = examined.plan
    alpha = alpha_of(plan.looks)
    bounds = Bounds(examined.findings)
    question_results = [
        question_result(
            question,
            plan.arms,
            examined.cells,
            alpha,
            simulated=examined.simulated,
            bounds=bounds,
        )
        for question in plan.questions
    ]
    findings = (
        *examined.findings,
        *(finding for each in question_results for finding in each.findings),
    )
    failures = (
        ()
        if examined.simulated
        else (
            *survivals(
                plan.workloads,
                [arm.id for arm in plan.arms],
                examined.endings,
                _left_out(examined.cells, TIME_TO_FAILURE),
                alpha,
            ),
            *slow_means(examined.cells, _left_out(examined.cells, SLOW_MEAN), alpha),
        )
    )
    index = FindingIndex(findings)
    is_loaded = any(workload.kind != "startup" for workload in plan.workloads)
    analysis = Analysis(
        study=plan.study,
        goal=plan.goal,
        system=plan.system,
        entry=plan.entry,
        profile=plan.profile,
        blocks=examined.blocks,
        adaptive=adaptive_of(plan, examined.looks),
        order=plan.order,
        simulated=examined.simulated,
        arms=tuple(
            ArmInfo(
                id=arm.id,
                factors=arm.factors,
                made_of=made_of(arm, examined.environment),
                not_held=arm.not_held_text(is_loaded=is_loaded),
            )
            for arm in plan.arms
        ),
        workloads=tuple(workload.workload for workload in plan.workloads),
        metrics=METRICS,
        apdex=apdex,
        cells=tuple(cell.cell for cell in examined.cells.values()),
        comparisons=tuple(each for result in question_results for each in result.comparisons),
        rankings=tuple(each for result in question_results for each in result.rankings),
        factor_effects=tuple(each for result in question_results for each in result.factor_effects),
        factorials=tuple(each for result in question_results for each in result.factorials),
        survivals=failures,
        answers=tuple(
            Answer(question=result.question.question)
            if examined.simulated
            else answer(result, failures, index, examined.cells)
            for result in question_results
        ),
        reproductions=()
        if examined.simulated
        else reproductions(plan.claims, examined.cells, failures, alpha),
        # The records are read again: a study that does not ask for it need not keep them.
        per_request=per_request(plan, read_results(results).runs, examined.cells, alpha)
        if plan.analysis == "per-request" and not examined.simulated
        else (),
        failed_runs=examined.failed_runs,
        time_use=examined.time_use,
    )
    return analysis, tuple(sorted(findings, key=lambda each: _SEVERITIES.index(each.severity)))


def _left_out(cells: Cells, metric: str) -> dict[tuple[str, str], str]:
    """Why times to failure by this metric are not compared, by arm and workload."""
    figures = {place: cell.cell.by_metric.get(metric) for place, cell in cells.items()}
    return {
        place: f"withheld: {figure.reason}"
        if figure.state == "withheld"
        else state_of(figure.no_claim)
        for place, figure in figures.items()
        if figure is not None and (figure.state == "withheld" or figure.no_claim)
    }


@uncollected()
def write(
    results: Path, apdex: ApdexThresholds = USUAL_APDEX, on_read: OnRead = unseen
) -> tuple[Analysis, tuple[Finding, ...]]:
    """Analyse, and write `analysis.json` and `findings.json` into the folder."""
    analysis, findings = analyse(results, apdex, on_read)
    write_text(results / folder.ANALYSIS, analysis.model_dump_json(indent=1) + "\n")
    listed = [finding.model_dump(mode="json") for finding in findings]
    text = json.dumps(listed, indent=1, ensure_ascii=False) + "\n"
    write_text(results / folder.FINDINGS, text)
    return analysis, findings
