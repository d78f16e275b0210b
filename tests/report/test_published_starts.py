"""Published starts beside measured ones."""

import csv
import io

from made_up_figures import figure, without_value
from page_reader import PageReader
from published_rows_builder import PLAIN
from study_builder import ENVIRONMENT, StudyBuilder

from loadstone.analysis.model import Analysis, ArmFigure
from loadstone.report.page.html import render_html
from loadstone.report.page.markdown import render_markdown
from loadstone.report.published.published_starts import COLUMNS, StartsTable, starts_table
from loadstone.report.published.published_table import CAVEAT
from loadstone.report.tables.csv_tables import render_published
from loadstone.study.values.published import Published, PublishedSource, PublishedStart

BESIDE = Published(
    scenarios=(PLAIN,),
    sources=(
        PublishedSource(
            source="mac",
            stack=None,
            origin="somebody's table",
            machine="a larger one",
            validity=("Start-up is what each log claims.",),
            starts=(
                PublishedStart(
                    stack="spring",
                    runtime="native",
                    startup_ms=169,
                    rss_after_five_mib=144.578,
                    executable_mb=134.18,
                    build_seconds=146,
                    cpu_percent=1.9,
                ),
                PublishedStart(stack="spring", runtime="jit", startup_ms=2358, cpu_percent=140),
            ),
        ),
    ),
)
RSS = figure("rss_peak").model_copy(update={"metric": "rss.after_five_requests"})
CLAIMED = figure("startup").model_copy(update={"metric": "startup_claimed"})
STARTS: dict[str, tuple[ArmFigure, ...]] = {
    "startup": (figure("startup", 2.0), CLAIMED),
    "footprint": (RSS, figure("startup", 3.0)),
}


def analysis_of(starts: dict[str, tuple[ArmFigure, ...]]) -> Analysis:
    """A study of one arm that has these figures, by kind of workload."""
    analysis = StudyBuilder(arms={"go": 1.0}).analysis()
    (load,) = analysis.cells
    cells = [
        load.model_copy(
            update={"workload": kind, "kind": kind, "figures": figures, "operations": ()}
        )
        for kind, figures in starts.items()
    ]
    return Analysis.model_validate(
        analysis.model_dump()
        | {"cells": [each.model_dump() for each in cells], "workloads": tuple(starts)}
    )


PLAN = StudyBuilder(arms={"go": 1.0}).plan()


def lines_of(table: StartsTable | None) -> dict[str, list[str]]:
    assert table is not None
    return {
        line.stack: [
            each.text + (f" {table.notes[each.note - 1]}" if each.note else "")
            for each in line.figures
        ]
        for line in table.lines
    }


def test_what_a_log_claims_and_the_first_correct_answer_are_two_columns() -> None:
    lines = lines_of(starts_table(analysis_of(STARTS), PLAN, BESIDE))
    claimed, answered = COLUMNS[:2]
    assert (claimed, answered) == ("start-up as claimed", "start-up to the first correct answer")
    assert list(lines) == ["go@go", "spring@native (mac)", "spring@jit (mac)"]
    assert lines["go@go"][:3] == ["23.4 ms", "46.8 ms", "18.2 MiB"]
    assert lines["spring@native (mac)"] == [
        "169 ms",
        "– published tables have no time to the first correct answer",
        "145 MiB",
        "134.18 MB",
        "146 s",
        "1.9 %",
    ]
    assert lines["spring@jit (mac)"][2] == "– not published, or not known"
    assert lines["spring@jit (mac)"][5] == "140 %"


def test_what_is_measured_under_another_name_is_not_put_beside_it() -> None:
    lines = lines_of(starts_table(analysis_of(STARTS), PLAN, BESIDE))
    assert lines["go@go"][3:] == ["– measured otherwise, under another name"] * 3


def test_a_figure_that_is_no_value_says_why() -> None:
    without = without_value("startup_claimed", "not measured", "its log claims nothing")
    starts = {**STARTS, "startup": (figure("startup", 2.0), without)}
    lines = lines_of(starts_table(analysis_of(starts), PLAN, BESIDE))
    assert lines["go@go"][0] == "– not measured: its log claims nothing"


def test_without_starts_or_without_anything_published_there_is_no_table() -> None:
    load = StudyBuilder(arms={"go": 1.0}).analysis()
    assert starts_table(load, PLAN, BESIDE) is None
    assert starts_table(analysis_of(STARTS), PLAN, None) is None
    assert starts_table(StudyBuilder(simulated=True).analysis(), PLAN, BESIDE) is None
    (source,) = BESIDE.sources
    none = BESIDE.model_copy(update={"sources": (source.model_copy(update={"starts": ()}),)})
    assert starts_table(analysis_of(STARTS), PLAN, none) is None


def test_the_csv_has_every_digit_in_published_units() -> None:
    text = render_published(analysis_of(STARTS), PLAN, BESIDE)["published-starts.csv"]
    measured, native, jit = csv.DictReader(io.StringIO(text))
    assert (measured["origin"], measured["arm"]) == ("measured", "go")
    assert float(measured["startup_claimed_ms"]) == 23.4
    assert float(measured["startup_ms"]) == 46.8
    assert (native["source"], native["startup_claimed_ms"], native["startup_ms"]) == (
        "mac",
        "169.0",
        "",
    )
    assert jit["rss_after_five_mib"] == ""


def test_page_and_markdown_show_the_table_with_its_caveat() -> None:
    arguments = (analysis_of(STARTS), (), PLAN, ENVIRONMENT, BESIDE)
    html, markdown = render_html(*arguments), render_markdown(*arguments)
    assert "#published-starts" in PageReader(html).values("href")
    assert html.count('<tr class="published">') == 2
    part = markdown.partition("## Published starts\n")[2].partition("\n## ")[0]
    assert part.startswith(f"\n**{CAVEAT}**")
    assert "spring@jit (mac) (published)" in part.replace("&#64;", "@")
