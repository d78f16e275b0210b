"""Everything that the HTML file shows, as plain values for the template: no markup is made here."""

from dataclasses import dataclass
from typing import Any

from loadstone.analysis.model import Analysis, Finding
from loadstone.report.charts import workload_pictures
from loadstone.report.doubts import FindingGroup, grouped
from loadstone.report.environment_table import FactTable, fact_tables, time_table
from loadstone.report.picture import Picture
from loadstone.report.question_part import QuestionPart, question_parts
from loadstone.report.result_table import ResultTable, result_tables
from loadstone.report.verdicts import VerdictLine, verdict_lines
from loadstone.report.workload_text import workload_sentence
from loadstone.study.model import AnyWorkload, Plan


@dataclass(frozen=True, slots=True)
class WorkloadPart:
    """One workload with its tables and charts."""

    name: str
    sentence: str
    summary: ResultTable
    full: ResultTable
    outcomes: tuple[str, ...]
    """Outcomes that occurred, `ok` first: columns of `counts`."""
    counts: tuple[tuple[str, tuple[int, ...]], ...]
    """Arm, and how many requests ended so: offered first."""
    pictures: tuple[Picture, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """The whole report."""

    analysis: Analysis
    plan: Plan
    runs: int
    """Planned, as far as the study needed them."""
    questions: tuple[QuestionPart, ...]
    workloads: tuple[WorkloadPart, ...]
    findings: tuple[FindingGroup, ...]
    environment: tuple[FactTable, ...]


def page(
    analysis: Analysis, findings: tuple[Finding, ...], plan: Plan, environment: dict[str, Any]
) -> Page:
    """Assemble the page from values whose texts are plain."""
    lines = verdict_lines(analysis, findings)
    planned = {workload.workload: workload for workload in plan.workloads}
    tables = zip(result_tables(analysis, summary=True), result_tables(analysis), strict=True)
    return Page(
        analysis=analysis,
        plan=plan,
        runs=sum(cell.runs_planned for cell in analysis.cells),
        questions=question_parts(analysis, lines),
        workloads=tuple(
            _workload_part(analysis, planned.get(summary.workload), summary, full, lines)
            for summary, full in tables
        ),
        findings=grouped(findings, analysis),
        environment=(*fact_tables(environment), *time_table(analysis.time_use)),
    )


def _workload_part(
    analysis: Analysis,
    workload: AnyWorkload | None,
    summary: ResultTable,
    full: ResultTable,
    lines: tuple[VerdictLine, ...],
) -> WorkloadPart:
    name = summary.workload
    cells = [cell for cell in analysis.cells if cell.workload == name]
    occurred = {kind for cell in cells for kind, times in cell.outcomes.items() if times}
    known = dict.fromkeys(kind for cell in cells for kind in cell.outcomes)
    kinds = tuple(kind for kind in known if kind in occurred)
    return WorkloadPart(
        name=name,
        sentence=workload_sentence(workload) if workload else "",
        summary=summary,
        full=full,
        outcomes=kinds,
        counts=tuple(
            (
                cell.arm,
                (sum(cell.outcomes.values()), *(cell.outcomes.get(kind, 0) for kind in kinds)),
            )
            for cell in cells
        ),
        pictures=workload_pictures(analysis, name, lines),
    )
