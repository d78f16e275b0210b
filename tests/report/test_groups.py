"""Groups and sessions on the terminal, in the page, in Markdown, in tables; nothing of them without."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from study_builder import ENVIRONMENT, StudyBuilder
from test_report_files import rows_of

from loadstone.analysis.figures.run_figures import GROUP_METRICS, OPERATION_METRICS
from loadstone.report.charts.group_users_chart import group_users_picture
from loadstone.report.latex.tables import latex_tables
from loadstone.report.page.html import render_html
from loadstone.report.page.markdown import render_markdown
from loadstone.report.tables.csv_tables import render_tables
from loadstone.report.tables.full_tables import group_tables, over_groups_tables
from loadstone.report.tables.session_table import session_table
from loadstone.report.terminal.study_result import print_result

FLAT = StudyBuilder(operations=("log-in", "book"))
GROUPED = StudyBuilder(operations=("log-in", "book"), groups=("bookers", "raters"))
Show = Callable[..., str]


def rendered(builder: StudyBuilder) -> str:
    return render_html(builder.analysis(), builder.findings, builder.plan(), ENVIRONMENT)


def markdown(builder: StudyBuilder) -> str:
    return render_markdown(builder.analysis(), builder.findings, builder.plan(), ENVIRONMENT)


def test_each_group_has_its_figures_and_those_of_its_operations() -> None:
    tables = group_tables(GROUPED.analysis(), "closed-50")
    assert [each.group for each in tables] == ["bookers", "raters"]
    assert [each.operation for each in tables[1].operations] == ["raters.log-in", "raters.book"]
    assert "session duration p99" in tables[0].summary.columns
    titles = [block.title for block in tables[0].full.blocks]
    assert titles[:5] == ["response time", "service time", "first byte", "sessions", "users"]
    over = over_groups_tables(GROUPED.analysis(), "closed-50")
    assert [each.operation for each in over] == ["log-in", "book"]


def test_a_flat_workload_has_no_groups_no_sessions_and_no_column_of_them() -> None:
    analysis = FLAT.analysis()
    assert group_tables(analysis, "closed-50") == over_groups_tables(analysis, "closed-50") == ()
    assert session_table(analysis, "closed-50") is None
    for text in (rendered(FLAT), markdown(FLAT)):
        assert "session duration" not in text
        assert "by group" not in text.lower().replace("mixed by group", "")
    assert "sessions.csv" not in render_tables(analysis, FLAT.findings)
    assert not [name for name in latex_tables(analysis, FLAT.findings) if "groups-" in name]


def test_the_page_shows_groups_sessions_and_operations_over_groups() -> None:
    page = rendered(GROUPED)
    assert "Figures by group under closed-50" in page
    assert "Figures of raters by operation under closed-50" in page
    assert "Figures by operation over all groups under closed-50" in page
    assert "Sessions under closed-50." in page
    assert page.count("<td>2,160</td>") == 2 * 3
    assert "Active users by group over time" in page


def test_notes_of_groups_have_ids_of_their_own() -> None:
    page = rendered(GROUPED)
    ids = [part.split('"', 1)[0] for part in page.split(' id="')[1:]]
    assert len(ids) == len(set(ids))


def test_markdown_tells_the_same() -> None:
    text = markdown(GROUPED)
    titles = (
        "Sessions",
        "Group bookers",
        "Operation raters.log-in",
        "Operation book of all groups",
    )
    assert [title for title in titles if f"#### {title}\n" not in text] == []
    assert "| go | bookers | 2,160 | 2,140 | 12 | 2 | 18 |" in text


def test_csv_has_a_line_for_each_group_and_operation_of_it() -> None:
    rows = [row for row in rows_of(GROUPED, "figures.csv") if row["arm"] == "go"]
    of_group = [row for row in rows if row["group"] == "raters" and not row["operation"]]
    assert [row["metric"] for row in of_group] == [*GROUP_METRICS]
    own = [row for row in rows if (row["group"], row["operation"]) == ("raters", "book")]
    over = [row for row in rows if (row["group"], row["operation"]) == ("", "book")]
    assert [row["metric"] for row in own] == [row["metric"] for row in over] == [*OPERATION_METRICS]
    sessions = rows_of(GROUPED, "sessions.csv")
    assert [(row["arm"], row["group"]) for row in sessions] == [
        (arm, group) for arm in ("go", "node") for group in ("", "bookers", "raters")
    ]
    assert sessions[0]["ended_early"] == "12"


def test_latex_has_a_table_for_each_group() -> None:
    tables = latex_tables(GROUPED.analysis(), GROUPED.findings)
    assert "Bookers" in tables["groups-closed-50.tex"]
    assert "session duration p99" in tables["groups-closed-50.tex"]
    assert "Raters.log-in" in tables["operations-closed-50.tex"]


def result_of(builder: StudyBuilder) -> tuple[Any, ...]:
    return print_result, builder.analysis(), builder.findings, Path("/r/report.html")


TERMINAL = """\
sessions of all windows
go    2,160 begun · 2,140 finished · 12 ended early · 2 aborted · 18 cut
node  2,160 begun · 2,140 finished · 12 ended early · 2 aborted · 18 cut
"""


@pytest.mark.parametrize("width", [40, 80, 160])
def test_the_terminal_shows_them_at_any_width(shown: Show, width: int) -> None:
    text = shown(width, *result_of(GROUPED))
    assert max(map(len, text.splitlines())) <= width
    assert "group bookers" in text
    assert text.count("  log-in") >= 4
    if width >= 80:
        assert TERMINAL in text
    assert "group" not in shown(width, *result_of(FLAT))


def test_a_chart_of_groups_is_drawn_where_their_users_change() -> None:
    picture = group_users_picture(GROUPED.analysis(), "closed-50")
    assert picture is not None
    assert "bookers" in picture.wide
    assert "raters" in picture.narrow
    assert group_users_picture(FLAT.analysis(), "closed-50") is None
