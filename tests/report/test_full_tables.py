"""Every figure in blocks, operations apart, and the cost sheet: as HTML, Markdown and CSV."""

import csv
import io

import pytest
from made_up_figures import BASE, figure, without_value
from page_reader import PageReader
from study_builder import ENVIRONMENT, StudyBuilder

from loadstone.analysis.model import Analysis, ArmFigure, Cell
from loadstone.metrics.labels import column_label, label_in
from loadstone.report.page import page as page_values
from loadstone.report.page.html import render_html
from loadstone.report.page.markdown import render_markdown
from loadstone.report.tables.costs import COST_METRICS, cost_sheet
from loadstone.report.tables.csv_tables import render_tables
from loadstone.report.tables.full_tables import ARMS_AS_COLUMNS, full_tables, operation_tables

OPERATIONS = ("login", "facilities", "book")


def page_of(builder: StudyBuilder) -> PageReader:
    return PageReader(
        render_html(builder.analysis(), builder.findings, builder.plan(), ENVIRONMENT)
    )


def markdown_of(builder: StudyBuilder) -> str:
    return render_markdown(builder.analysis(), builder.findings, builder.plan(), ENVIRONMENT)


def operations_of(page: PageReader) -> list[dict[str, str | None]]:
    """The attributes of each part that tells operations apart."""
    return [p for tag, p in page.elements if tag == "details" and p.get("class") == "operations"]


def many(arms: int) -> StudyBuilder:
    return StudyBuilder(arms={f"arm-{i}": 1 + i / 100 for i in range(arms)}, comparisons=())


def test_every_metric_of_a_load_is_in_one_block() -> None:
    analysis = StudyBuilder().analysis()
    full = full_tables(analysis, "closed-50")
    shown = [column for block in full.blocks for column in block.columns]
    measured = [each for each in analysis.cells[0].figures if each.state != "not measured"]
    assert len(shown) == len(measured) == len(BASE)
    assert [block.title for block in full.blocks][:2] == ["response time", "service time"]
    assert full.blocks[0].columns[:4] == ("mean", "standard deviation", "min", "median")


def test_what_no_arm_can_have_is_left_out_and_what_one_lacks_is_told() -> None:
    builder = StudyBuilder()
    for arm in ("go", "node"):
        for name in ("tls.p99", "time_to_failure", "rss_peak"):
            builder.with_figure(arm, without_value(name, "not measured", "nobody looked"))
    full = full_tables(builder.analysis(), "closed-50")
    columns = [column for block in full.blocks for column in block.columns]
    assert "TLS p99" not in columns
    assert "time to failure" not in columns
    assert "RSS peak" in columns
    assert full.notes == ("not measured: nobody looked",)


@pytest.mark.parametrize("arms", [ARMS_AS_COLUMNS, ARMS_AS_COLUMNS + 1])
def test_arms_are_columns_only_while_they_fit(arms: int) -> None:
    (first, *_) = full_tables(many(arms).analysis(), "closed-50").blocks
    assert first.has_arms_as_rows is (arms > ARMS_AS_COLUMNS)
    assert len(first.transposed) == len(first.columns)
    assert [texts[-1] for _, texts in first.transposed] == list(first.rows[-1].figures)
    page, markdown = page_of(many(arms)), markdown_of(many(arms))
    heading = "arm | mean" if first.has_arms_as_rows else "metric | arm-0"
    assert heading in markdown
    assert page.unbalanced == []


def test_a_large_page_says_where_every_figure_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "Every figure under closed-50" in page_of(many(3)).text
    monkeypatch.setattr(page_values, "MOST_CELLS", 2)
    large = page_of(many(3))
    assert "Every figure under" not in large.text
    assert "stands in tables/figures.csv" in large.text
    assert large.unbalanced == []


def test_a_column_is_named_without_what_stands_above_it() -> None:
    names = ("response_time.p99.9", "response_time.standard_deviation", "service_time.p99.9")
    assert [column_label(name) for name in names] == [
        "p99.9",
        "standard deviation",
        "service time p99.9",
    ]
    assert label_in("service time", "service_time.p99.9") == "p99.9"
    assert label_in("load", "bytes_received") == "bytes received"


@pytest.mark.parametrize("arms", [2, ARMS_AS_COLUMNS + 1])
def test_what_belongs_to_one_arm_is_marked_so_that_arms_can_be_picked(arms: int) -> None:
    page = page_of(many(arms))
    marked = [tag for tag, p in page.elements if p.get("data-arm") == "arm-1"]
    analysis = many(arms).analysis()
    blocks = full_tables(analysis, "closed-50").blocks
    rows = "tr" if blocks[0].has_arms_as_rows else "td"
    assert marked.count(rows) >= len(blocks)
    assert marked.count("tr") >= 3  # the summary, the outcomes and the cost sheet


def test_variation_between_runs_stands_beside_every_figure() -> None:
    text = page_of(StudyBuilder()).text
    assert "4.83 ms 4.74–4.94 CV 1.53 %" in text
    assert "0.120 % 0.118–0.123 SD 0.00183 points" in text
    assert "4.83 ms (4.74–4.94, CV 1.53 %)" in markdown_of(StudyBuilder())


def test_operations_are_told_apart_and_open_where_there_are_several() -> None:
    builder = StudyBuilder(operations=OPERATIONS)
    page = page_of(builder)
    assert [each.operation for each in operation_tables(builder.analysis(), "closed-50")] == [
        *OPERATIONS
    ]
    assert all(f"{name} under closed-50" in page.text for name in OPERATIONS)
    (part,) = operations_of(page)
    assert "open" in part
    markdown = markdown_of(builder)
    assert all(f"#### Operation {name}" in markdown for name in OPERATIONS)


def test_a_single_operation_is_left_out_since_it_would_repeat_the_figures_above() -> None:
    assert operations_of(page_of(StudyBuilder())) == []
    assert "#### Operation" not in markdown_of(StudyBuilder())


def test_an_operation_that_an_arm_never_did_is_not_measured_there() -> None:
    analysis = StudyBuilder(operations=OPERATIONS).analysis()
    without = analysis.cells[0].model_copy(update={"operations": analysis.cells[0].operations[1:]})
    analysis = analysis.model_copy(update={"cells": (without, *analysis.cells[1:])})
    (login,) = (e for e in operation_tables(analysis, "closed-50") if e.operation == "login")
    assert login.offered == ("0", "740,889")
    assert not any(each.is_value for each in login.summary.rows[0].figures)


def test_a_withheld_figure_of_an_operation_leaves_no_number() -> None:
    withheld = without_value("response_time.p99", "withheld", "generator-late")
    hidden = withheld.model_copy(update={"low": 987.654e6, "high": 987.654e6, "deviation": 0.98765})
    builder = StudyBuilder().with_figure("node", hidden)
    tables = render_tables(builder.analysis(), ())
    for text in (page_of(builder).text, markdown_of(builder), *tables.values()):
        assert "98765" not in text
        assert "987.654" not in text
        assert "988 ms" not in text


def test_hostile_names_stay_text_in_every_table() -> None:
    hostile = "<img src=x onerror=alert(1)>|`a`"
    builder = StudyBuilder(arms={hostile: 1.0, "node": 1.42}, operations=(hostile, "b"))
    page = page_of(builder)
    assert page.count("img") == 0
    assert page.unbalanced == []
    assert "<img" not in markdown_of(builder)


def test_the_cost_sheet_has_a_row_for_each_arm_and_load() -> None:
    builder = StudyBuilder(workloads=("closed-50", "rate-100"))
    sheet = cost_sheet(builder.analysis())
    assert [(row.arm, row.workload) for row in sheet.rows] == [
        ("go", "closed-50"),
        ("node", "closed-50"),
        ("go", "rate-100"),
        ("node", "rate-100"),
    ]
    assert sheet.metrics == tuple(name for name in COST_METRICS if name != "pss.at_rest")
    assert "Cost sheet" in page_of(builder).text
    rows = csv.DictReader(io.StringIO(render_tables(builder.analysis(), ())["costs.csv"]))
    (row,) = (r for r in rows if (r["arm"], r["workload"], r["metric"]) == COSTS_OF_GO)
    assert (row["value"], row["unit"], row["measured_under"]) == ("61300.0", "ns", "closed-50")


def test_services_on_the_bench_have_a_column_only_where_some_arm_has_one() -> None:
    name = "bench_service_cpu_per_ok"
    builder = StudyBuilder()
    assert name in cost_sheet(builder.analysis()).metrics
    for arm in ("go", "node"):
        builder.with_figure(arm, without_value(name, "not measured", "no service has the role"))
    assert name not in cost_sheet(builder.analysis()).metrics
    full = full_tables(builder.analysis(), "closed-50")
    columns = [column for block in full.blocks for column in block.columns]
    assert "dependencies' CPU per ok" in columns
    assert "bench services' CPU per ok" not in columns


COSTS_OF_GO = ("go", "closed-50", "cpu_per_ok")


def cell_of_kind(like: Cell, kind: str, figures: tuple[ArmFigure, ...]) -> Cell:
    changes = {"workload": kind, "kind": kind, "figures": figures, "operations": ()}
    return like.model_copy(update=changes)


def test_starts_and_memory_at_rest_come_from_the_workloads_that_measure_them() -> None:
    analysis = StudyBuilder(arms={"go": 1.0}).analysis()
    (load,) = analysis.cells
    at_rest = figure("rss_peak").model_copy(update={"metric": "pss.at_rest"})
    cells = (
        load,
        cell_of_kind(load, "startup", (figure("startup", 2.0),)),
        cell_of_kind(load, "footprint", (at_rest, figure("startup", 3.0))),
    )
    workloads = tuple(cell.workload for cell in cells)
    changed = Analysis.model_validate(
        analysis.model_dump() | {"cells": [c.model_dump() for c in cells], "workloads": workloads}
    )
    sheet = cost_sheet(changed)
    assert sheet.metrics == COST_METRICS
    (row,) = sheet.rows
    found = {each.metric: each for each in row.figures if each is not None}
    assert found["startup"].workload == "startup"
    assert found["startup"].figure.value == pytest.approx(2 * 23.4e6)
    assert found["pss.at_rest"].workload == "footprint"
    assert found["startup_cpu"].workload == "closed-50"


def test_a_study_without_runs_has_no_cost_sheet() -> None:
    builder = StudyBuilder(arms={})
    assert cost_sheet(builder.analysis()).rows == ()
    assert "Cost sheet" not in page_of(builder).text
    assert "Cost sheet" not in markdown_of(builder)


def test_the_thresholds_of_apdex_are_told() -> None:
    builder = StudyBuilder()
    sentence = "Apdex counts up to 1.00 s as satisfied and up to 10.0 s as tolerating."
    assert sentence in page_of(builder).text
    assert sentence in markdown_of(builder)
