"""Engines on machines of their own in the page, in Markdown, in tables; nothing of them without."""

from study_builder import ENVIRONMENT, StudyBuilder

from loadstone.analysis.model import Analysis, EngineFigures
from loadstone.report.page.html import render_html
from loadstone.report.page.markdown import render_markdown
from loadstone.report.tables.csv_tables import render_tables

BUILDER = StudyBuilder()
ENGINE = EngineFigures(
    machine="shire",
    runs=3,
    request_share=0.5,
    service_time_ns=1_234_567.0,
    round_trip_ns=41_000.0,
    clock_bound_ns=12_000,
    busy_share=None,
    retransmitted_share=0.002,
)


def with_engines() -> Analysis:
    analysis = BUILDER.analysis()
    first, *others = analysis.cells
    engines = (ENGINE, ENGINE.model_copy(update={"machine": "mordor", "service_time_ns": None}))
    return analysis.model_copy(
        update={"cells": (first.model_copy(update={"engines": engines}), *others)}
    )


def test_the_report_shows_each_engine() -> None:
    analysis = with_engines()
    page = render_html(analysis, BUILDER.findings, BUILDER.plan(), ENVIRONMENT)
    assert "Engines under " in page
    assert (
        '<td class="text">shire</td><td>3</td><td>50.0 %</td><td>1.23 ms</td><td>41.0 µs</td>'
        in page
    )
    assert "<td>12.0 µs</td><td>–</td><td>0.200 %</td>" in page
    text = render_markdown(analysis, BUILDER.findings, BUILDER.plan(), ENVIRONMENT)
    assert "#### Engines\n" in text
    assert "mordor" in text
    heading, row, _ = render_tables(analysis, BUILDER.findings)["engines.csv"].splitlines()
    assert heading.split(",")[2:4] == ["machine", "runs"]
    assert row.split(",")[2:6] == ["shire", "3", "0.5", "1234567.0"]


def test_where_the_engine_is_with_the_services_nothing_is_said_of_it() -> None:
    analysis = BUILDER.analysis()
    page = render_html(analysis, BUILDER.findings, BUILDER.plan(), ENVIRONMENT)
    assert "Engines under " not in page
    assert "#### Engines" not in render_markdown(
        analysis, BUILDER.findings, BUILDER.plan(), ENVIRONMENT
    )
    assert "engines.csv" not in render_tables(analysis, BUILDER.findings)
