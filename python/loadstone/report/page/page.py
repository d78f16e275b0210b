"""Everything that the HTML file shows, as plain values for the template: no markup is made here."""

from dataclasses import dataclass

from loadstone.analysis.model import Analysis
from loadstone.findings.model import Finding
from loadstone.report.charts.arm_choice import arm_choice
from loadstone.report.charts.chart_data import chart_data
from loadstone.report.charts.picture import Picture, arm_colour, arm_dash
from loadstone.report.charts.steady_chart import steady_picture
from loadstone.report.charts.workload_charts import workload_pictures
from loadstone.report.finding_groups import FindingGroup, grouped
from loadstone.report.goal_and_questions import asked
from loadstone.report.page.question_part import QuestionPart, question_parts
from loadstone.report.published.published_ramps import RampsTable, ramps_table
from loadstone.report.published.published_starts import StartsTable, starts_table
from loadstone.report.published.published_table import PublishedTable, published_table
from loadstone.report.tables.answer_costs import answer_cost_table
from loadstone.report.tables.costs import CostTable, cost_table
from loadstone.report.tables.engine_table import EngineTable, engine_table
from loadstone.report.tables.environment_table import FactTable, fact_tables, time_table
from loadstone.report.tables.full_tables import (
    FigureBlocks,
    GroupTables,
    OperationTables,
    full_tables,
    group_tables,
    operation_tables,
    over_groups_tables,
)
from loadstone.report.tables.per_request_table import PerRequestTable, per_request_table
from loadstone.report.tables.reproduction_table import ReproductionTable, reproduction_table
from loadstone.report.tables.result_table import ResultTable, result_tables
from loadstone.report.tables.session_table import SessionTable, session_table
from loadstone.report.tables.steady_table import SteadyTable, steady_table
from loadstone.report.verdict_lines import verdict_lines
from loadstone.report.workload_text import workload_sentence
from loadstone.results.environment import Environment
from loadstone.study.values.model import AnyWorkload, Plan
from loadstone.study.values.published import Published

MOST_CELLS = 150
"""Arms under workloads of which a page shows every figure: of 36 arms under 12 workloads these tables
alone are 2 MB, which a browser lays out before anything is seen."""


@dataclass(frozen=True, slots=True)
class WorkloadPart:
    """One workload with its tables and charts."""

    name: str
    sentence: str
    summary: ResultTable
    full: FigureBlocks | None
    """None in a large report, whose tables hold them as CSV."""
    sessions: SessionTable | None
    """None where nobody tells of sessions, or each is one request."""
    engines: EngineTable | None
    """None where the engine is with the services."""
    groups: tuple[GroupTables, ...]
    """Of a workload with several."""
    operations: tuple[OperationTables, ...]
    """Of a workload without several groups."""
    over_groups: tuple[OperationTables, ...]
    """Operations that several groups perform."""
    outcomes: tuple[str, ...]
    """Outcomes that occurred, `ok` first: columns of `counts`."""
    counts: tuple[tuple[str, tuple[int, ...]], ...]
    """Arm, and how many requests ended so: offered first."""
    steady: SteadyTable | None
    """None where no warm-up was watched."""
    steady_pictures: dict[str, Picture]
    """What stands beside it, by the key under which the script finds them."""
    pictures: dict[str, Picture]
    """The other charts, by their keys."""


@dataclass(frozen=True, slots=True)
class PickableArm:
    """One arm in the list from which a reader picks."""

    id: str
    colour: str
    dash: str
    """As SVG writes it: `none` for a solid line."""


@dataclass(frozen=True, slots=True)
class Page:
    """The whole report."""

    analysis: Analysis
    plan: Plan
    runs: int
    """Planned, as far as the study needed them."""
    asked: tuple[str, ...]
    """Each question with the metrics that answer it."""
    questions: tuple[QuestionPart, ...]
    reproductions: ReproductionTable | None
    """None of a study without claims."""
    per_request: PerRequestTable | None
    """None of a study that does not ask for it."""
    published: PublishedTable | None
    """None where nothing that was published fits the study."""
    starts: StartsTable | None
    """As well, of starts."""
    ramps: RampsTable | None
    """As well, of ramps."""
    workloads: tuple[WorkloadPart, ...]
    arms: tuple[PickableArm, ...]
    """In the order of the charts."""
    choice: str
    """Which of them pictures draw; empty where they draw all."""
    chart_data: str
    """JSON in which no character can end an element."""
    costs: CostTable
    answer_costs: CostTable | None
    """None where there is no database."""
    findings: tuple[FindingGroup, ...]
    environment: tuple[FactTable, ...]


def page(
    analysis: Analysis,
    findings: tuple[Finding, ...],
    plan: Plan,
    environment: Environment,
    published: Published | None = None,
) -> Page:
    """Assemble the page from values whose texts are plain."""
    lines = verdict_lines(analysis, findings)
    planned = {workload.workload: workload for workload in plan.workloads}
    has_full = len(analysis.cells) <= MOST_CELLS
    parts = tuple(
        _workload_part(analysis, planned.get(summary.workload), index, summary, has_full=has_full)
        for index, summary in enumerate(result_tables(analysis))
    )
    pictures = {
        key: (part.name, picture)
        for part in parts
        for key, picture in (part.steady_pictures | part.pictures).items()
    }
    choice = arm_choice(analysis)
    return Page(
        analysis=analysis,
        plan=plan,
        runs=sum(cell.runs_planned for cell in analysis.cells),
        asked=asked(plan),
        questions=question_parts(analysis, lines),
        reproductions=reproduction_table(analysis),
        per_request=per_request_table(analysis),
        published=published_table(analysis, plan, published),
        starts=starts_table(analysis, plan, published),
        ramps=ramps_table(analysis, plan, published),
        workloads=parts,
        arms=tuple(
            PickableArm(arm, arm_colour(index), ",".join(map(str, arm_dash(index))) or "none")
            for index, arm in enumerate(choice.order)
        ),
        choice=choice.sentence,
        chart_data=chart_data(analysis, pictures),
        costs=cost_table(analysis),
        answer_costs=answer_cost_table(analysis),
        findings=grouped(findings, by_arm=True),
        environment=(*fact_tables(environment), *time_table(analysis.time_use)),
    )


def _workload_part(
    analysis: Analysis,
    workload: AnyWorkload | None,
    index: int,
    summary: ResultTable,
    *,
    has_full: bool,
) -> WorkloadPart:
    name = summary.workload
    cells = [cell for cell in analysis.cells if cell.workload == name]
    occurred = {kind for cell in cells for kind, times in cell.outcomes.items() if times}
    known = dict.fromkeys(kind for cell in cells for kind in cell.outcomes)
    kinds = tuple(kind for kind in known if kind in occurred)
    until_steady = steady_picture(analysis, name)
    groups = group_tables(analysis, name)
    return WorkloadPart(
        name=name,
        sentence=workload_sentence(workload) if workload else "",
        summary=summary,
        full=full_tables(analysis, name) if has_full else None,
        sessions=session_table(analysis, name),
        engines=engine_table(analysis, name),
        groups=groups,
        operations=() if groups else operation_tables(analysis, name),
        over_groups=over_groups_tables(analysis, name),
        outcomes=kinds,
        counts=tuple(
            (
                cell.arm,
                (sum(cell.outcomes.values()), *(cell.outcomes.get(kind, 0) for kind in kinds)),
            )
            for cell in cells
        ),
        steady=steady_table(analysis, name),
        steady_pictures={f"{index}-{until_steady.name}": until_steady} if until_steady else {},
        pictures={
            f"{index}-{picture.name}": picture for picture in workload_pictures(analysis, name)
        },
    )
