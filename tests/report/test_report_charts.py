from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_up_figures import without_value
from study_builder import StudyBuilder, comparison

from loadstone.analysis.chart_model import RunSeries
from loadstone.metrics.catalogue import QUANTILES
from loadstone.report.charts.arm_choice import arm_choice
from loadstone.report.charts.axis import apart, linear_ticks, log_ticks
from loadstone.report.charts.picture import Picture
from loadstone.report.charts.ratio_chart import ratio_ticks
from loadstone.report.charts.workload_charts import workload_pictures
from loadstone.report.page.question_part import question_parts
from loadstone.report.verdict_lines import verdict_lines
from loadstone.results.fault_facts import FaultFacts

TITLES = [
    "Response time by percentile",
    "p99 response time over time",
    "Mean response time over time",
    "Throughput over time",
    "Failures over time",
    "Offered load over time",
    "Active users over time",
    "CPU of the service over time",
    "Memory of the service over time",
    "Response time of pass-through",
    "Median and p99 of each run",
    "Start-up of each run",
    "Ratios with intervals",
]


def pictures_of(builder: StudyBuilder) -> dict[str, Picture]:
    analysis = builder.analysis()
    lines = verdict_lines(analysis, builder.findings)
    drawn = (
        *(picture for name in analysis.workloads for picture in workload_pictures(analysis, name)),
        *(
            picture
            for part in question_parts(analysis, lines)
            for picture in (*part.pair_pictures, *part.rank_pictures, *part.pictures)
        ),
    )
    return {picture.title: picture for picture in drawn}


def texts_of(svg: str) -> list[str]:
    return [text.text or "" for text in ElementTree.fromstring(svg).iter() if text.text]


def test_a_workload_has_its_charts_in_order() -> None:
    assert list(pictures_of(StudyBuilder())) == TITLES


@pytest.mark.parametrize("title", TITLES[:-1])
def test_each_arm_is_named_in_the_drawing(title: str) -> None:
    picture = pictures_of(StudyBuilder())[title]
    for svg in (picture.wide, picture.narrow):
        assert {"go", "node"} <= set(texts_of(svg))


def test_the_percentile_axis_gives_each_nine_the_same_room() -> None:
    texts = texts_of(pictures_of(StudyBuilder())["Response time by percentile"].wide)
    assert [text for text in texts if text.endswith("%")] == [
        "50 %",
        "90 %",
        "99 %",
        "99.9 %",
        "99.99 %",
    ]


def test_a_ratio_is_written_beside_its_interval() -> None:
    picture = pictures_of(StudyBuilder())["Ratios with intervals"]
    assert "1.42 ×  [1.31, 1.54]  slower" in texts_of(picture.wide)
    assert not any("points" in text for text in texts_of(picture.wide))


def test_an_arm_with_withheld_response_times_is_named_and_not_drawn() -> None:
    builder = StudyBuilder()
    for name in (name for name in QUANTILES if name.startswith("response_time.")):
        builder.with_figure("node", without_value(name, "withheld", "generator-limit"))
    pictures = pictures_of(builder)
    for title in ("Response time by percentile", "Median and p99 of each run"):
        assert "Withheld and not drawn: node (generator-limit)." in pictures[title].reading
        assert "node" not in texts_of(pictures[title].wide)
    assert "node" in texts_of(pictures["Throughput over time"].wide)
    assert "Ratios with intervals" in pictures
    assert not any("p99" in text for text in texts_of(pictures["Ratios with intervals"].wide))


def test_an_arm_with_one_withheld_quantile_is_drawn_with_the_others() -> None:
    builder = StudyBuilder().with_figure(
        "node", without_value("response_time.p99", "withheld", "generator-limit")
    )
    pictures = pictures_of(builder)
    for title in ("Response time by percentile", "Median and p99 of each run"):
        assert "not drawn" not in pictures[title].reading
        assert "node" in texts_of(pictures[title].wide)


def test_an_arm_whose_curve_the_analysis_took_away_is_named_all_the_same() -> None:
    analysis = (
        StudyBuilder()
        .with_figure("node", without_value("response_time.p99", "withheld", "generator-limit"))
        .analysis()
    )
    cells = tuple(
        cell.model_copy(update={"curve": ()}) if cell.arm == "node" else cell
        for cell in analysis.cells
    )
    emptied = analysis.model_copy(update={"cells": cells})
    first, *_ = workload_pictures(emptied, "closed-50")
    assert "Withheld and not drawn: node (generator-limit)." in first.reading


def test_a_chart_without_anything_to_show_is_left_out() -> None:
    builder = StudyBuilder(arms={"go": 1.0}, comparisons=()).with_figure(
        "go", without_value("throughput", "withheld", "generator-limit")
    )
    assert "Throughput over time" not in pictures_of(builder)
    assert "Ratios with intervals" not in pictures_of(builder)


def test_what_the_load_was_is_not_drawn_where_other_charts_or_a_sentence_tell_it() -> None:
    usual = StudyBuilder().analysis()

    def drawn(**columns: object) -> set[str]:
        cells = tuple(
            cell.model_copy(
                update={
                    "series": tuple(
                        run.model_copy(
                            update={
                                name: tuple(value(run)) if callable(value) else value
                                for name, value in columns.items()
                            }
                        )
                        for run in cell.series
                    )
                }
            )
            for cell in usual.cells
        )
        analysis = usual.model_copy(update={"cells": cells})
        return {each.title for each in workload_pictures(analysis, "closed-50")}

    def ended(run: RunSeries) -> list[float]:
        return [
            (ok or 0) + (bad or 0) for ok, bad in zip(run.throughput, run.failures, strict=True)
        ]

    def as_many(run: RunSeries) -> list[float]:
        return [*[50.0] * (len(run.seconds) - 1), 0.0]

    assert "Active users over time" not in drawn(users=as_many)
    assert "Offered load over time" not in drawn(offered=ended)
    assert "Offered load over time" in drawn(offered=ended, users=())  # of a rate


def test_a_simulated_study_has_no_ratios() -> None:
    assert "Ratios with intervals" not in pictures_of(StudyBuilder(simulated=True))


def test_names_of_arms_are_text_in_the_drawing() -> None:
    builder = StudyBuilder(arms={"<script>": 1.0, "{{x}}'\"&": 1.2}, comparisons=())
    for picture in pictures_of(builder).values():
        assert "<script>" not in picture.wide
        assert any("<script>" in text for text in texts_of(picture.wide))


def test_a_picture_draws_the_best_twelve_of_many_arms_and_says_so() -> None:
    arms = {f"arm-{number:02d}": 2 - number / 100 for number in range(24)}
    picture = pictures_of(StudyBuilder(arms=arms))["Response time by percentile"]
    named = {text for text in texts_of(picture.wide) if text.startswith("arm-")}
    assert named == {f"arm-{number}" for number in range(12, 24)}
    assert arm_choice(StudyBuilder(arms=arms).analysis()).sentence == (
        "Pictures draw 12 of 24 arms: those with the lowest response time p99 under closed-50"
    )


def test_the_arms_of_a_simulated_study_are_not_put_in_order() -> None:
    arms = {f"arm-{number:02d}": 2 - number / 100 for number in range(24)}
    builder = StudyBuilder(arms=arms, simulated=True)
    assert "arm-00" in texts_of(pictures_of(builder)["Throughput over time"].wide)
    sentence = arm_choice(builder.analysis()).sentence
    assert sentence == "Pictures draw 12 of 24 arms: the first of the plan"


def test_a_chart_drawn_twice_is_the_same_text_without_ids() -> None:
    first, second = pictures_of(StudyBuilder()), pictures_of(StudyBuilder())
    assert first == second
    assert not any(" id=" in picture.wide + picture.narrow for picture in first.values())


def test_an_equal_ratio_without_width_can_be_drawn() -> None:
    equal = comparison(estimate=1.0, low=1.0, high=1.0, verdict="equivalent", words="equivalent")
    assert "Ratios with intervals" in pictures_of(StudyBuilder(comparisons=(equal,)))


@given(
    st.lists(st.floats(min_value=0, max_value=300), min_size=1, max_size=40),
    st.floats(min_value=1, max_value=20),
)
def test_labels_keep_their_order_and_their_distance(positions: list[float], gap: float) -> None:
    moved = apart(positions, gap, 300)
    order = sorted(range(len(positions)), key=lambda index: positions[index])
    sorted_moved = [moved[index] for index in order]
    assert all(b - a >= gap - 1e-6 for a, b in pairwise(sorted_moved))
    assert min(moved) >= -1e-6
    assert max(moved) <= max(300, gap * (len(positions) - 1)) + 1e-6


@given(st.floats(min_value=1e-3, max_value=1e9), st.floats(min_value=1.5, max_value=1e6))
def test_logarithmic_ticks_lie_inside_and_are_few(low: float, factor: float) -> None:
    ticks = log_ticks(low, low * factor)
    assert all(low <= tick <= low * factor for tick in ticks)
    assert len(ticks) <= 9


@given(st.floats(min_value=1e-3, max_value=1e9))
def test_linear_ticks_reach_the_largest_value(high: float) -> None:
    ticks = linear_ticks(high)
    assert ticks[0] == 0
    assert ticks[-1] >= high * (1 - 1e-6)
    assert 2 <= len(ticks) <= 7


@given(st.floats(min_value=0.05, max_value=0.999), st.floats(min_value=1.001, max_value=20))
def test_ratio_ticks_always_have_the_line_of_equality(low: float, high: float) -> None:
    assert 1 in ratio_ticks(low, high)


def test_the_course_says_how_many_runs_held_a_level() -> None:
    reading = pictures_of(StudyBuilder())["Throughput over time"].reading
    assert "Steadiness of 12 runs: 10 warm-up, 2 flat." in reading


def with_faults(builder: StudyBuilder, *faults: FaultFacts) -> Picture:
    """The throughput of runs in which these were done."""
    analysis = builder.analysis()
    cells = tuple(
        cell.model_copy(
            update={
                "series": tuple(run.model_copy(update={"faults": faults}) for run in cell.series)
            }
        )
        for cell in analysis.cells
    )
    pictures = workload_pictures(analysis.model_copy(update={"cells": cells}), "closed-50")
    return next(each for each in pictures if each.title == "Throughput over time")


def test_what_was_done_to_a_system_is_a_strip_in_its_charts_over_time() -> None:
    second = 10**9
    killed = FaultFacts(fault="kill", part="users.2", began_ns=3 * second, done_ns=3 * second)
    frozen = FaultFacts(
        fault="freeze",
        part="database",
        began_ns=5 * second,
        done_ns=5 * second,
        ended_ns=7 * second,
    )
    thawed_late = frozen.model_copy(update={"part": "users", "ended_ns": 8 * second})
    picture = with_faults(StudyBuilder(), killed, frozen, thawed_late)
    assert (
        " Strips are faults, in 001-go-closed-50: users.2 killed at 3.0 s; database frozen from 5.0 s "
        "to 7.0 s; users frozen from 5.0 s to 8.0 s."
    ) in picture.reading
    assert picture.live is not None
    moment, while_frozen = picture.live.data["strips"]
    assert moment["x"] == 3 < moment["to"] < 3.1
    assert while_frozen == {"x": 5, "to": 8}
    without = with_faults(StudyBuilder())
    assert without == pictures_of(StudyBuilder())["Throughput over time"]
    assert picture.wide.count("<path") > without.wide.count("<path")
