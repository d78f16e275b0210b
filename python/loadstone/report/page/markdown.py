"""`report.md`: the report as text, in the order of the HTML file, without its charts."""

from collections.abc import Iterable

from loadstone.analysis.model import Analysis
from loadstone.findings.model import Finding
from loadstone.report.finding_groups import FindingGroup, FindingLine, grouped
from loadstone.report.goal_and_questions import asked
from loadstone.report.labels import (
    DEVIATION,
    SIMULATED,
    VARIATION,
    apdex_text,
    blocks_text,
    design_notes,
    nothing_found,
    rerun_commands,
)
from loadstone.report.page.markdown_answers import answers, pairs
from loadstone.report.page.markdown_figures import (
    answer_costs,
    costs,
    published_figures,
    published_ramps,
    published_starts,
    until_steady,
    workload_figures,
)
from loadstone.report.page.markdown_text import escaped, table
from loadstone.report.published.published_ramps import ramps_table
from loadstone.report.published.published_starts import starts_table
from loadstone.report.published.published_table import published_table
from loadstone.report.tables import per_request_table
from loadstone.report.tables.answer_costs import answer_cost_table
from loadstone.report.tables.costs import cost_table
from loadstone.report.tables.environment_table import fact_tables, time_table
from loadstone.report.tables.reproduction_table import (
    COLUMNS,
    READING,
    reproduction_table,
)
from loadstone.report.verdict_lines import verdict_lines
from loadstone.report.workload_text import workload_sentence
from loadstone.results.environment import Environment
from loadstone.study.values.model import Plan
from loadstone.study.values.published import Published
from loadstone.text.plain import plain_model


def render_markdown(
    analysis: Analysis,
    findings: tuple[Finding, ...],
    plan: Plan,
    environment: Environment,
    published: Published | None = None,
) -> str:
    """The whole file. Same arguments, same bytes."""
    analysis, findings = plain_model(analysis), tuple(map(plain_model, findings))
    plan = plain_model(plan)
    known = None if published is None else plain_model(published)
    lines = verdict_lines(analysis, findings)
    parts = (
        _opening(analysis, plan),
        answers(analysis, table, escaped),
        _claims(analysis),
        _per_request(analysis),
        published_figures(published_table(analysis, plan, known), table, escaped),
        published_ramps(ramps_table(analysis, plan, known), table, escaped),
        published_starts(starts_table(analysis, plan, known), table, escaped),
        until_steady(analysis, table, escaped),
        _results(analysis, plan),
        costs(cost_table(analysis), table, escaped),
        answer_costs(answer_cost_table(analysis), table, escaped),
        pairs(lines, table),
        _findings(analysis, grouped(findings, by_arm=True)),
        _failed(analysis),
        _environment(environment, analysis),
        _again(plan),
    )
    return "\n".join(line for part in parts for line in part)


def _opening(analysis: Analysis, plan: Plan) -> Iterable[str]:
    yield f"# {escaped(analysis.study)}"
    yield ""
    yield f"Goal: {escaped(analysis.goal)}"
    yield ""
    for number, question in enumerate(asked(plan), start=1):
        yield f"{number}. {escaped(question)}"
    yield ""
    profile = f", profile {escaped(analysis.profile)}" if analysis.profile else ""
    yield f"System {escaped(analysis.system)}{profile}, {blocks_text(analysis.blocks)}."
    yield ""
    for note in design_notes(analysis):
        yield escaped(note)
        yield ""
    if analysis.simulated:
        yield f"**{escaped(SIMULATED)}**"
        yield ""


def _claims(analysis: Analysis) -> Iterable[str]:
    found = reproduction_table(analysis)
    if found is None:
        return
    yield "## Claims of others"
    yield ""
    yield escaped(found.summary)
    yield ""
    yield from table(COLUMNS, [row.cells for row in found.rows])
    yield READING
    yield ""


def _per_request(analysis: Analysis) -> Iterable[str]:
    found = per_request_table.per_request_table(analysis)
    if found is None:
        return
    yield f"## {per_request_table.TITLE}"
    yield ""
    yield escaped(found.summary)
    yield ""
    yield from table(per_request_table.COLUMNS, [row.cells for row in found.rows])
    yield per_request_table.READING
    yield ""


def _results(analysis: Analysis, plan: Plan) -> Iterable[str]:
    yield "## Results"
    yield ""
    yield f"{VARIATION} {DEVIATION} {apdex_text(analysis.apdex)}"
    yield ""
    sentences = {workload.workload: workload_sentence(workload) for workload in plan.workloads}
    for workload in analysis.workloads:
        yield f"### {escaped(workload)}"
        yield ""
        if workload in sentences:
            yield f"{escaped(sentences[workload])}."
            yield ""
        yield from workload_figures(analysis, workload, table, escaped)


def _findings(analysis: Analysis, groups: tuple[FindingGroup, ...]) -> Iterable[str]:
    yield "## Findings"
    yield ""
    if not groups:
        yield nothing_found(analysis)
        yield ""
    for group in groups:
        yield f"### {group.severity.value}: {escaped(group.code)}"
        yield ""
        yield from (f"- {escaped(_seen(line))}" for line in group.lines)
        yield ""
        yield f"{escaped(group.advice)}"
        yield ""


def _seen(line: FindingLine) -> str:
    """Where, and what was seen there first; `findings.csv` has all of it."""
    hidden = len(line.evidence) - 1
    more = f" (and {hidden} more like it)" if hidden else ""
    return f"{', '.join(line.places)}: {line.evidence[0]}{more}"


def _failed(analysis: Analysis) -> Iterable[str]:
    if not analysis.failed_runs:
        return
    yield "## Failed runs"
    yield ""
    yield from (f"- {escaped(failed)}" for failed in analysis.failed_runs)
    yield ""


def _environment(environment: Environment, analysis: Analysis) -> Iterable[str]:
    yield "## Environment"
    yield ""
    for found in (*fact_tables(environment), *time_table(analysis.time_use)):
        yield from table([found.title, ""], [list(fact) for fact in found.facts])


def _again(plan: Plan) -> Iterable[str]:
    yield "## Run again"
    yield ""
    yield f"In the folder of this report; the seed is {plan.seed}."
    yield ""
    yield from (f"    {command}" for command in rerun_commands(plan))
    yield ""
