"""The whole analysis of a results folder, and its two files. Deterministic: it only reads records."""

import json
from pathlib import Path

from loadstone.analysis.answers import answer
from loadstone.analysis.catalogue import METRICS
from loadstone.analysis.comparison import compare
from loadstone.analysis.examine import examine
from loadstone.analysis.figures import USUAL_APDEX
from loadstone.analysis.model import (
    Adaptive,
    Analysis,
    ApdexThresholds,
    ArmInfo,
    Finding,
    Severity,
)
from loadstone.analysis.pairs import pairs_by_factor
from loadstone.results import folder
from loadstone.results.looks import Look, stopped_after
from loadstone.results.write import write_text
from loadstone.stats.adaptive import alpha_of
from loadstone.study.model import Plan

_SEVERITIES = (Severity.WITHHOLD, Severity.WARNING, Severity.NOTE)


def analyse(
    results: Path, apdex: ApdexThresholds = USUAL_APDEX
) -> tuple[Analysis, tuple[Finding, ...]]:
    """Figures, comparisons and answers of a study, and every finding, the gravest first.

    `InputError` where the folder, its plan or a completed run's files are missing or foreign.
    """
    examined = examine(results, apdex)
    plan = examined.plan
    compared = [
        compare(
            question,
            pairs_by_factor(plan.arms, question.compare),
            examined.cells,
            alpha_of(plan.looks),
        )
        for question in plan.questions
    ]
    comparisons = tuple(each for found, _ in compared for each in found)
    findings = (*examined.findings, *(each for _, found in compared for each in found))
    analysis = Analysis(
        study=plan.study,
        goal=plan.goal,
        system=plan.system,
        profile=plan.profile,
        blocks=examined.blocks,
        adaptive=_adaptive(plan, examined.looks),
        order=plan.order,
        simulated=any(cell.simulated for cell in examined.cells.values()),
        arms=tuple(ArmInfo(id=arm.id, factors=arm.factors) for arm in plan.arms),
        workloads=tuple(workload.workload for workload in plan.workloads),
        metrics=METRICS,
        apdex=apdex,
        cells=tuple(cell.cell for cell in examined.cells.values()),
        comparisons=comparisons,
        answers=tuple(answer(question.question, comparisons) for question in plan.questions),
        failed_runs=examined.failed_runs,
        time_use=examined.time_use,
    )
    return analysis, tuple(sorted(findings, key=lambda each: _SEVERITIES.index(each.severity)))


def _adaptive(plan: Plan, looks: tuple[Look, ...]) -> Adaptive | None:
    if not plan.looks:
        return None
    return Adaptive(
        looks=plan.looks,
        stopped_after=stopped_after(looks),
        level=1 - alpha_of(plan.looks),
    )


def write(
    results: Path, apdex: ApdexThresholds = USUAL_APDEX
) -> tuple[Analysis, tuple[Finding, ...]]:
    """Analyse, and write `analysis.json` and `findings.json` into the folder."""
    analysis, findings = analyse(results, apdex)
    write_text(results / folder.ANALYSIS, analysis.model_dump_json(indent=1) + "\n")
    listed = [finding.model_dump(mode="json") for finding in findings]
    text = json.dumps(listed, indent=1, ensure_ascii=False) + "\n"
    write_text(results / folder.FINDINGS, text)
    return analysis, findings
