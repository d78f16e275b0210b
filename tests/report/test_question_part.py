"""A question's part of the report: ranks, factors, times to failure, and many comparisons."""

import csv
import io
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from page_reader import PageReader
from study_builder import ENVIRONMENT, QUESTION, StudyBuilder, comparison

from loadstone.analysis.model import Analysis, Superiority
from loadstone.analysis.multi_arm_model import (
    ArmSurvival,
    FactorEffect,
    FactorialModel,
    FactorialTerm,
    RankedArm,
    Ranking,
    SurvivalComparison,
    Survivals,
    UnrankedArm,
)
from loadstone.report.charts.rank_chart import rank_ticks
from loadstone.report.charts.survival_chart import steps
from loadstone.report.page.html import render_html
from loadstone.report.page.markdown import render_markdown
from loadstone.report.page.question_part import question_parts
from loadstone.report.tables.csv_tables import render_tables
from loadstone.report.tables.rank_table import rank_tables
from loadstone.report.verdict_lines import verdict_lines

WORKLOAD = "closed-50"
P99 = "response_time.p99"


def ranking(*arms: str, unranked: str = "bad") -> Ranking:
    return Ranking(
        question=QUESTION,
        workload=WORKLOAD,
        metric=P99,
        level=0.95,
        arms=tuple(
            RankedArm(arm=arm, rank=place, low=1, high=len(arms), value=1e6 * place)
            for place, arm in enumerate(arms, start=1)
        ),
        best=arms,
        pairs=len(arms) * (len(arms) - 1) // 2,
        told=0,
        unranked=(UnrankedArm(arm=unranked, reason="withheld: failures"),),
    )


EFFECT = FactorEffect(
    question=QUESTION,
    workload=WORKLOAD,
    metric=P99,
    factor="gateway",
    baseline="go",
    other="node",
    pairs=3,
    scale="ratio",
    estimate=1.2,
    low=1.1,
    high=1.3,
    level=0.95,
    blocks=6,
)
MODEL = FactorialModel(
    question=QUESTION,
    workload=WORKLOAD,
    metric=P99,
    scale="ratio",
    terms=(FactorialTerm(factors=("gateway",), degrees=1, share=0.71, f_value=80.0, p_value=1e-6),),
    block_share=0.02,
    residual_share=0.27,
    residual_degrees=20,
)
LASTED = ArmSurvival(
    arm="go",
    runs=6,
    failed=0,
    times_ns=(),
    probabilities=(),
    low=(),
    high=(),
    median_ns=None,
    median_low_ns=None,
    median_high_ns=None,
    longest_ns=60_000_000_000,
)
FAILED = LASTED.model_copy(
    update={
        "arm": "node",
        "failed": 2,
        "times_ns": (10e9, 20e9),
        "probabilities": (5 / 6, 4 / 6),
        "low": (0.3, 0.2),
        "high": (1.0, 0.9),
    }
)
SURVIVALS = Survivals(
    workload=WORKLOAD,
    arms=(LASTED, FAILED),
    comparisons=(
        SurvivalComparison(
            baseline="go",
            other="node",
            statistic=4.2,
            p_value=0.04,
            level=0.95,
            words="fails sooner",
        ),
    ),
)


def beyond_pairs(**changes: Any) -> Analysis:
    added = {
        "rankings": (ranking("go", "node", "rust"),),
        "factor_effects": (EFFECT,),
        "factorials": (MODEL,),
        "survivals": (SURVIVALS,),
    }
    analysis = StudyBuilder().analysis()
    (answer,) = analysis.answers
    (standing,) = answer.standings
    # Of several cases all arms are ranked together beside the answer.
    standings = (standing.model_copy(update={"case": {"client": "h1c"}}),)
    answers = (answer.model_copy(update={"standings": standings}),)
    return analysis.model_copy(update={"answers": answers, **added, **changes})


def page_of(analysis: Analysis) -> str:
    return render_html(analysis, (), StudyBuilder().plan(), ENVIRONMENT)


def markdown_of(analysis: Analysis) -> str:
    return render_markdown(analysis, (), StudyBuilder().plan(), ENVIRONMENT)


def texts_of(svg: str) -> list[str]:
    return [text.text or "" for text in ElementTree.fromstring(svg).iter() if text.text]


def test_page_and_markdown_have_the_same_words_on_what_goes_beyond_pairs() -> None:
    for text in (page_of(beyond_pairs()), markdown_of(beyond_pairs()).replace("\\", "")):
        for expected in (
            "Ranks by response time p99 under closed-50: 0 of 3 pairs told apart",
            "withheld: failures",
            "What gateway does on average",
            "1.20 ×",
            "What varies response time p99 under closed-50",
            "71 %",
            "Times to failure under closed-50",
            "half of the runs of go did not fail within 60.0 s",
            "node fails sooner than go (p 0.0400 at 95 %): log-rank tests, corrected by Holm",
        ):
            assert expected in text, expected


def test_arms_that_the_answer_ranks_all_are_not_ranked_again() -> None:
    analysis = StudyBuilder().analysis().model_copy(update={"rankings": (ranking("go", "node"),)})
    for text in (page_of(analysis), markdown_of(analysis)):
        assert "Ranks by" not in text


def test_every_row_of_one_arm_can_be_picked() -> None:
    page = PageReader(page_of(beyond_pairs()))
    arms = [present["data-arm"] for tag, present in page.elements if "data-arm" in present]
    assert {"go", "node", "rust", "bad"} <= set(arms)
    assert page.unbalanced == []


def test_a_rank_is_never_drawn_or_written_without_its_interval() -> None:
    analysis = beyond_pairs()
    (part,) = question_parts(analysis, verdict_lines(analysis, ()))
    picture = next(
        each for each in part.rank_pictures if each.title == "Ranks by response time p99"
    )
    assert "1.00 ms  1 to 3" in texts_of(picture.wide)
    assert "bad" not in texts_of(picture.wide)
    for row in part.ranks[0].rows:
        assert bool(row.rank) == (row.interval == "1 to 3")


def test_pairs_are_folded_behind_the_answer_however_few_they_are() -> None:
    for count in (1, 20):
        many = tuple(comparison(other=f"a{n}", baseline="go") for n in range(count))
        page = page_of(beyond_pairs(comparisons=many))
        pairs = page.index("pair by pair</summary>")
        assert page.rindex("<details>", 0, pairs) > page.rindex("</details>", 0, pairs)
        assert page.index('id="answers"') < pairs


def test_what_a_comparison_would_find_and_how_often_it_is_better_are_shown() -> None:
    told = comparison(
        smallest_effect=1.041, superiority=Superiority(probability=0.97, low=0.7, high=1.0)
    )
    analysis = beyond_pairs(comparisons=(told,))
    assert '<td class="number">4.1 %</td>' in page_of(analysis)
    assert "0.97 [0.70, 1.00]" in page_of(analysis)
    assert "| 4.1 % | 0.97 \\[0.70, 1.00\\] |" in markdown_of(analysis)
    rows = csv.DictReader(io.StringIO(render_tables(analysis, ())["comparisons.csv"]))
    (row,) = rows
    assert (row["smallest_effect"], row["superiority_high"]) == ("1.041", "1.0")


@pytest.mark.parametrize(
    ("smallest", "text"), [(1.0, "0 %"), (1.0004, "0.04 %"), (1.96, "96 %"), (2.5, "2.50 ×")]
)
def test_a_smallest_effect_reads_as_a_percentage_until_it_doubles(
    smallest: float, text: str
) -> None:
    analysis = beyond_pairs(comparisons=(comparison(smallest_effect=smallest),))
    assert f"| 3 % | {text} |" in markdown_of(analysis)


def test_names_of_arms_and_reasons_stay_text_in_every_table() -> None:
    hostile = "<script>alert(1)</script>"
    analysis = beyond_pairs(rankings=(ranking(hostile, "node", "rust", unranked="<b>x</b>"),))
    page = page_of(analysis)
    assert hostile not in page
    assert "<b>x</b>" not in page
    assert f'data-arm="{hostile}"' not in page
    assert hostile not in markdown_of(analysis)


def test_tables_of_what_goes_beyond_pairs_keep_every_digit() -> None:
    tables = render_tables(beyond_pairs(), ())
    ranks = list(csv.DictReader(io.StringIO(tables["rankings.csv"])))
    assert [
        (row["arm"], row["rank"], row["lowest_rank"], row["highest_rank"]) for row in ranks
    ] == [
        ("go", "1", "1", "3"),
        ("node", "2", "1", "3"),
        ("rust", "3", "1", "3"),
        ("bad", "", "", ""),
    ]
    shares = list(csv.DictReader(io.StringIO(tables["factorials.csv"])))
    assert [(row["source"], row["share"]) for row in shares] == [
        ("gateway", "0.71"),
        ("blocks", "0.02"),
        ("runs", "0.27"),
    ]
    lasted = list(csv.DictReader(io.StringIO(tables["survivals.csv"])))
    assert [(row["arm"], row["failed"], row["median_ns"]) for row in lasted] == [
        ("go", "0", ""),
        ("node", "2", ""),
    ]


def test_a_model_that_was_not_fitted_gives_its_reason_and_no_table() -> None:
    pruned = MODEL.model_copy(update={"terms": (), "reason": "the cross product is pruned"})
    for text in (
        page_of(beyond_pairs(factorials=(pruned,))),
        markdown_of(beyond_pairs(factorials=(pruned,))),
    ):
        assert "Not fitted: the cross product is pruned." in text
        assert "share of the variance" not in text


def test_curves_are_drawn_only_where_a_run_failed() -> None:
    (part,) = question_parts(beyond_pairs(), verdict_lines(beyond_pairs(), ()))
    picture = next(each for each in part.pictures if each.title == "Times to failure")
    assert {"go", "node"} <= set(texts_of(picture.narrow))
    calm = beyond_pairs(survivals=(SURVIVALS.model_copy(update={"arms": (LASTED,)}),))
    (part,) = question_parts(calm, verdict_lines(calm, ()))
    assert "Times to failure" not in [each.title for each in part.pictures]


def test_a_curve_begins_with_all_runs_and_ends_with_the_longest() -> None:
    assert steps(FAILED) == [
        {"at_ns": 0, "share": 1.0},
        {"at_ns": 10e9, "share": 5 / 6},
        {"at_ns": 20e9, "share": 4 / 6},
        {"at_ns": 60_000_000_000, "share": 4 / 6},
    ]
    assert [corner["share"] for corner in steps(LASTED)] == [1.0, 1.0]


def test_a_simulated_study_has_no_part() -> None:
    simulated = beyond_pairs(simulated=True)
    assert question_parts(simulated, ()) == ()
    assert 'id="questions"' not in page_of(simulated)


@given(st.integers(3, 200))
def test_the_axis_of_ranks_has_few_whole_ticks_from_the_first(arms: int) -> None:
    ticks = rank_ticks(arms)
    assert ticks[0] == 1
    assert ticks == sorted(set(ticks))
    assert len(ticks) <= 11
    assert ticks[-1] <= arms


def test_what_two_questions_come_to_alike_is_shown_with_the_first() -> None:
    first, second = ranking("go", "node", "rust"), ranking("rust", "node", "go")
    rankings = (
        first,
        first.model_copy(update={"question": "and the same again?"}),
        second.model_copy(update={"question": "and something else?"}),
    )
    analysis = beyond_pairs(rankings=rankings)
    shown = [rank_tables(analysis, each.question) for each in rankings]
    assert [[row.arm for table in each for row in table.rows if row.rank] for each in shown] == [
        ["go", "node", "rust"],
        [],
        ["rust", "node", "go"],
    ]
