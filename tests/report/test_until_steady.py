"""The part of a report on what an arm gives from its start until it is steady."""

import dataclasses
import io
import json
from statistics import median

import pytest
from made_up_figures import BASE, WOBBLE, figure, without_value
from page_reader import PageReader
from rich.console import Console
from study_builder import ENVIRONMENT, StudyBuilder

from loadstone.analysis.model import Analysis, RunFigure
from loadstone.report.charts.images import images
from loadstone.report.charts.steady_chart import MOST_POINTS, steady_picture
from loadstone.report.page.html import render_html
from loadstone.report.page.markdown import render_markdown
from loadstone.report.tables.steady_table import SteadyTable, steady_table
from loadstone.report.terminal.study_result import print_result
from loadstone.results.record import SteadyBy

WATCHED = StudyBuilder(steady_by=("idle",))


def html_of(builder: StudyBuilder) -> str:
    return render_html(builder.analysis(), builder.findings, builder.plan(), ENVIRONMENT)


def markdown_of(builder: StudyBuilder) -> str:
    return render_markdown(builder.analysis(), builder.findings, builder.plan(), ENVIRONMENT)


def terminal_of(builder: StudyBuilder) -> str:
    console = Console(file=io.StringIO(), width=100)
    print_result(console, builder.analysis(), builder.findings, None)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def table_of(builder: StudyBuilder) -> SteadyTable:
    found = steady_table(builder.analysis(), "closed-50")
    assert found is not None
    return found


def lines_of(analysis: Analysis) -> list[dict[str, list[float]]]:
    picture = steady_picture(analysis, "closed-50")
    assert picture is not None
    assert picture.live is not None
    lines: list[dict[str, list[float]]] = picture.live.data["lines"]
    return lines


def test_it_is_in_no_report_whose_warm_ups_nobody_watched() -> None:
    for text in (html_of(StudyBuilder()), markdown_of(StudyBuilder())):
        assert "\n## From start" not in text
        assert 'id="steady"' not in text
    assert "steady after" not in terminal_of(StudyBuilder())
    assert steady_picture(StudyBuilder().analysis(), "closed-50") is None


def test_the_page_has_a_part_a_link_to_it_a_chart_and_a_table() -> None:
    page = PageReader(html_of(WATCHED))
    assert [at.get("id") for tag, at in page.elements if tag == "section"][2] == "steady"
    assert "#steady" in [at.get("href") for tag, at in page.elements if tag == "a"]
    keys = [at.get("data-chart") for tag, at in page.elements if tag == "figure"]
    assert "0-throughput-from-start-to-steady" in keys
    assert "Steady after 5 s; in its first 10 s it answered 77 % of what it does when warm." in (
        page.text
    )
    assert "why the window began" in page.text


def test_markdown_and_terminal_say_the_same() -> None:
    sentence = "- **go**: Steady after 5 s; in its first 10 s it answered 77 % of what it does when"
    assert sentence in markdown_of(WATCHED)
    assert (
        "go    steady after 5 s (compilers idle); first 10 s: 77 % of its throughput\n"
        "node  steady after 7 s (compilers idle); first 10 s: 77 % of its throughput\n"
    ) in terminal_of(WATCHED)


def test_the_columns_are_those_that_an_arm_has() -> None:
    columns = (
        "start-up",
        "time to steady",
        "throughput in first 10 s",
        "throughput in first 30 s",
        "throughput in window",
        "p99 in first 10 s",
        "p99 in first 30 s",
        "p99 in window",
    )
    assert table_of(WATCHED).columns == (*columns, "compilers' CPU")
    unknown = without_value("compile_cpu", "not measured", "nothing compiles")
    builder = StudyBuilder(steady_by=("level",)).with_figure("go", unknown)
    assert table_of(builder.with_figure("node", unknown)).columns == columns


@pytest.mark.parametrize(
    ("steady_by", "reasons"),
    [
        (("idle",), "nothing to compile"),
        (("idle", "cap"), "3 nothing to compile, 3 longest warm-up"),
        (("level",), "cost level"),
    ],
)
def test_of_what_never_compiles_no_compilers_are_told(
    steady_by: tuple[SteadyBy, ...], reasons: str
) -> None:
    never = without_value("compile_cpu", "not measured", "no runtime compiles")
    builder = StudyBuilder(steady_by=steady_by).with_figure("go", never)
    assert table_of(builder).rows[0].reasons == reasons


def test_runs_that_were_not_seen_to_be_steady_are_told() -> None:
    runs = (
        RunFigure(value=58e9, state="value"),
        RunFigure(value=64.4e9, state="value"),
        RunFigure(value=None, state="not reached", at_least=1e9),
    )
    found = without_value("time_to_steady", "not reached", "2 of 6 runs were not seen to be steady")
    builder = StudyBuilder(steady_by=("idle", "idle", "cap"))
    builder.with_figure("go", found.model_copy(update={"runs": runs * 2}))
    (row, _) = table_of(builder).rows
    assert row.reasons == "4 compilers idle, 2 longest warm-up"
    assert row.sentence == (
        "Steady after 58 to 64 s, in 2 of 6 runs not seen to be steady within 2 s; "
        "in its first 10 s it answered 77 % of what it does in its window."
    )
    assert row.figures[1].text == "not reached"


def test_of_a_rate_the_response_times_are_told() -> None:
    builder = StudyBuilder(steady_by=("no-sign",), is_rate=True)
    (row, _) = table_of(builder).rows
    assert row.brief == (
        "steady after 5 s (no sign of a warm-up); first 10 s: median 1.70 ms, then 1.12 ms"
    )
    assert row.sentence == (
        "Steady after 5 s; half of its answers took 1.70 ms in its first 10 s, 1.12 ms when warm."
    )
    picture = steady_picture(builder.analysis(), "closed-50")
    assert picture is not None
    assert picture.title == "p99 response time from start to steady"


def test_a_line_is_the_median_of_the_runs_and_begins_after_the_start() -> None:
    first, _ = lines_of(WATCHED.analysis())
    started = BASE["startup"] / 1e9
    assert first["x"][:2] == pytest.approx([started + 0.5, started + 1.5])
    # The figure of the arm is of a wobble of 1.
    assert first["y"][:2] == pytest.approx([0.8 * median(WOBBLE), median(WOBBLE)], rel=1e-3)
    picture = steady_picture(WATCHED.analysis(), "closed-50")
    assert picture is not None
    assert picture.live is not None
    assert picture.live.data["begins"][0] == {
        "arm": 0,
        "x": pytest.approx(started + 2),
        "y": pytest.approx(median(WOBBLE), rel=1e-3),
    }


def test_a_line_goes_on_as_long_as_half_of_the_runs_and_has_few_points() -> None:
    analysis = WATCHED.analysis()
    go = analysis.cells[0]
    lengths = (400, 400, 300, 250, 200, 100)
    series = tuple(
        run.model_copy(
            update={
                "seconds": tuple(second + 0.5 for second in range(length)),
                "throughput": (BASE["throughput"],) * length,
            }
        )
        for run, length in zip(go.series, lengths, strict=True)
    )
    longer = analysis.model_copy(update={"cells": (go.model_copy(update={"series": series}),)})
    (line,) = lines_of(longer)
    assert len(line["x"]) == len(line["y"]) <= MOST_POINTS
    assert line["x"][-1] == pytest.approx(BASE["startup"] / 1e9 + 299.5, abs=4)


def test_an_arm_without_a_throughput_that_stands_is_not_drawn() -> None:
    withheld = without_value("throughput", "withheld", "files-contradict")
    builder = StudyBuilder(steady_by=("idle",)).with_figure("node", withheld)
    (line,) = lines_of(builder.analysis())
    assert line["arm"] == 0
    assert table_of(builder).rows[1].sentence == "Steady after 7 s."
    alone = StudyBuilder(arms={"node": 1.42}, comparisons=(), steady_by=("idle",))
    assert steady_picture(alone.with_figure("node", withheld).analysis(), "closed-50") is None


def test_its_picture_is_among_the_images() -> None:
    found = images(WATCHED.analysis(), WATCHED.findings, WATCHED.plan(), ENVIRONMENT)
    assert "closed-50-throughput-from-start-to-steady" in [image.name for image in found]


def test_a_start_of_unknown_length_moves_no_line() -> None:
    analysis = WATCHED.analysis()
    cells = tuple(
        cell.model_copy(
            update={
                "series": tuple(run.model_copy(update={"startup_ns": None}) for run in cell.series)
            }
        )
        for cell in analysis.cells
    )
    picture = steady_picture(analysis.model_copy(update={"cells": cells}), "closed-50")
    assert picture is not None
    assert picture.live is not None
    assert picture.live.data["lines"][0]["x"][0] == 0.5
    assert "seconds since the load began" in json.dumps(picture.live.specification)
    assert "seconds since the load began" in picture.wide


def test_a_time_to_steady_that_varies_is_a_range() -> None:
    varied = figure("time_to_steady").model_copy(
        update={"runs": tuple(RunFigure(value=value * 1e9, state="value") for value in (48, 61))}
    )
    builder = dataclasses.replace(WATCHED, replaced={}).with_figure("go", varied)
    assert table_of(builder).rows[0].sentence.startswith("Steady after 48 to 61 s; ")
