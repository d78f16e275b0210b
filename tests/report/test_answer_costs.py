"""The table of what each answer costs on both sides of a database."""

from made_up_figures import figure, without_value
from page_reader import PageReader
from study_builder import ENVIRONMENT, StudyBuilder

from loadstone.metrics.database_metrics import DATABASE_METRICS
from loadstone.metrics.model import MetricInfo
from loadstone.metrics.store_metrics import STORE_METRICS
from loadstone.report.page.html import render_html
from loadstone.report.page.markdown import render_markdown
from loadstone.report.tables.answer_costs import answer_cost_table

ARMS = ("go", "node")


def without(*metrics: MetricInfo) -> StudyBuilder:
    made = StudyBuilder()
    for arm in ARMS:
        for info in metrics:
            made.with_figure(arm, without_value(info.name, "not measured", "no such server"))
        bench = without_value("bench_service_cpu_per_ok", "not measured", "no such service")
        made.with_figure(arm, bench)
    return made


def test_costs_of_both_sides_and_how_full_they_were_stand_side_by_side() -> None:
    table = answer_cost_table(StudyBuilder().analysis())
    assert table is not None
    assert table.columns == (
        "throughput",
        "CPU per ok",
        "bench services' CPU per ok",
        "database's CPU per ok",
        "statements per ok",
        "rows read per ok",
        "other commands per ok",
        "rows added",
        "store's CPU per ok",
        "store commands per ok",
        "keys added",
        "store memory",
        "service's CPU used",
        "bench's CPU busy",
    )
    (arm, workload, figures), _ = table.rows
    assert (arm, workload) == ("go", "closed-50")
    assert [each.text for each in figures][3:7] == ["22.0 µs", "1", "6", "0"]


def test_a_column_that_no_arm_has_is_left_out() -> None:
    made = StudyBuilder()
    for arm in ARMS:
        bench = without_value("bench_service_cpu_per_ok", "not measured", "no such service")
        made.with_figure(arm, bench)
    table = answer_cost_table(made.analysis())
    assert table is not None
    assert "bench services' CPU per ok" not in table.columns


def test_without_a_database_and_a_store_there_is_no_such_table() -> None:
    made = without(*DATABASE_METRICS, *STORE_METRICS)
    assert answer_cost_table(made.analysis()) is None
    arguments = (made.analysis(), made.findings, made.plan(), ENVIRONMENT)
    assert "What each answer costs" not in render_html(*arguments) + render_markdown(*arguments)


def test_behind_a_store_alone_there_are_its_columns() -> None:
    table = answer_cost_table(without(*DATABASE_METRICS).analysis())
    assert table is not None
    assert "statements per ok" not in table.columns
    assert "store commands per ok" in table.columns


def test_an_arm_without_a_figure_says_why() -> None:
    made = StudyBuilder().with_figure("node", figure("database_cpu_per_ok", 2.0))
    made.with_figure("go", without_value("database_cpu_per_ok", "not measured", "unread"))
    table = answer_cost_table(made.analysis())
    assert table is not None
    (_, _, figures), _ = table.rows
    assert figures[3].text == "–"
    assert table.notes[(figures[3].note or 0) - 1] == "not measured: unread"


def test_page_and_markdown_have_it() -> None:
    made = StudyBuilder()
    arguments = (made.analysis(), made.findings, made.plan(), ENVIRONMENT)
    assert "#answer-costs" in PageReader(render_html(*arguments)).values("href")
    assert "## What each answer costs" in render_markdown(*arguments)
