"""Comparisons by single requests in every form of the report."""

import csv
import io

import pytest
from page_reader import PageReader
from rich.console import Console
from study_builder import ENVIRONMENT, QUESTION, StudyBuilder

from loadstone.analysis.model import Analysis
from loadstone.analysis.per_request.output import AsPublished
from loadstone.analysis.per_request_model import (
    PerRequestComparison,
    RequestSample,
    RequestTest,
    RunsAnswer,
)
from loadstone.analysis.sentences.per_request import (
    blocks_text,
    effect_text,
    independent_text,
    p_text,
    pair_text,
    published_text,
    runs_text,
    samples_text,
    summary_text,
)
from loadstone.report.page.html import render_html
from loadstone.report.page.markdown import render_markdown
from loadstone.report.tables.csv_tables import render_tables
from loadstone.report.terminal.per_request import print_as_published
from loadstone.report.terminal.study_result import print_result

SAMPLE = RequestSample(
    run="001-go-closed-50",
    requests=300,
    is_exact=False,
    median_ns=5.5e6,
    normality="Lilliefors",
    normality_statistic=0.135,
    normality_p_value=2.3e-14,
    is_normal=False,
    skewness=0.87,
    is_symmetric=True,
    seconds=30,
    correlation=0.87,
    independent=34.1,
)
SLOWER = RequestTest(
    block=1,
    baseline=SAMPLE,
    other=SAMPLE.model_copy(update={"run": "002-node-<b>", "independent": None}),
    test="Wilcoxon rank-sum",
    statistic=87285.5,
    p_value=3e-88,
    told="slower",
    cliffs_delta=0.94,
    median_difference_ns=7.75e6,
    by_second_p_value=2e-10,
)
ALIKE = SLOWER.model_copy(
    update={
        "block": 2,
        "test": "Student's t",
        "statistic": -0.51,
        "p_value": 0.61,
        "told": "no difference",
        "by_second_p_value": 0.4,
    }
)
TOLD = RunsAnswer(
    metric="service_time.median",
    words="slower",
    estimate=1.42,
    low=1.31,
    high=1.54,
    level=0.95,
    runs=(6, 6),
)
PAIR = PerRequestComparison(
    question=QUESTION,
    workload="closed-50",
    baseline="go",
    other="node",
    tests=(SLOWER, ALIKE),
    left_out=("block 3: node: run: not done",),
    by_runs=TOLD,
)
UNTOLD = PAIR.model_copy(
    update={
        "tests": (),
        "by_runs": RunsAnswer(
            metric="service_time.median",
            words="cannot tell",
            runs=(0, 6),
            reason="withheld: littles-law",
        ),
    }
)


def analysis() -> Analysis:
    built: Analysis = StudyBuilder().analysis()
    return built.model_copy(update={"per_request": (PAIR, UNTOLD)})


def rendered(made: Analysis) -> tuple[str, str]:
    arguments = made, (), StudyBuilder().plan(), ENVIRONMENT
    return render_html(*arguments), render_markdown(*arguments)


def test_what_the_procedure_says_has_its_statistic_and_its_p_value() -> None:
    assert published_text(SLOWER) == "slower: Wilcoxon rank-sum, W 87,285.5, p 3.00e-88"
    assert published_text(ALIKE) == "no difference: Student's t, t -0.510, p 0.610"


def test_each_sample_has_its_two_tests() -> None:
    first, second = samples_text(SLOWER).split("; ")
    assert first == (
        "001-go-closed-50: 300 requests, not normal (Lilliefors D 0.135, p 2.30e-14), skewness 0.87"
    )
    assert second.startswith("002-node-<b>: 300 requests")
    nothing = {"normality": None, "normality_statistic": None, "skewness": None}
    alike = SLOWER.model_copy(update={"baseline": SAMPLE.model_copy(update=nothing)})
    assert samples_text(alike).startswith("001-go-closed-50: 300 requests, all alike; ")


def test_what_it_does_not_give_stands_beside_it() -> None:
    assert effect_text(SLOWER) == "Cliff's delta +0.94, median +7.75 ms"
    assert independent_text(SLOWER) == "34.1 of 300 and not known of 300; by second p 2.00e-10"


def test_all_blocks_are_counted() -> None:
    assert blocks_text(PAIR) == "slower in 1 of 2 blocks, no difference in 1, not compared in 1"
    assert blocks_text(UNTOLD) == "not compared in 1"
    alone = PAIR.model_copy(update={"tests": (SLOWER.model_copy(update={"block": None}),)})
    assert blocks_text(alone) == "one run a side"


def test_the_answer_of_the_runs_names_its_metric() -> None:
    assert runs_text(TOLD) == (
        "slower: service time median 1.42 ×, 95 % interval [1.31, 1.54], 6 runs each"
    )
    assert runs_text(UNTOLD.by_runs) == "cannot tell: withheld: littles-law, 0 and 6 runs"


def test_the_summary_counts_both() -> None:
    assert summary_text([PAIR, UNTOLD]) == (
        "Of 2 tests of single requests, one run a side, 1 tells a difference, and 1 would by the "
        "means of seconds. Of 2 pairs of arms the runs tell 1 apart."
    )


@pytest.mark.parametrize(("p_value", "text"), [(0.0, "p < 1e-300"), (0.0127, "p 0.0127")])
def test_no_p_value_reads_zero(p_value: float, text: str) -> None:
    assert p_text(p_value) == text


def test_a_part_is_named() -> None:
    part = PAIR.model_copy(update={"group": "buyers", "operation": "buy"})
    assert pair_text(part) == "node against go under closed-50, group buyers, operation buy"


def test_a_page_has_a_section_of_its_own_that_its_head_leads_to() -> None:
    html, _ = rendered(analysis())
    page = PageReader(html)
    ids = page.values("id")
    assert ids.index("answers") < ids.index("per-request") < ids.index("questions")
    assert "#per-request" in page.values("href")
    assert page.unbalanced == []
    for text in (
        "Single requests, as published",
        "slower: Wilcoxon rank-sum, W 87,285.5, p 3.00e-88",
        "002-node-<b>: 300 requests",
        "No verdict follows from it",
    ):
        assert text in page.text


def test_markdown_has_the_same_rows() -> None:
    _, markdown = rendered(analysis())
    part = markdown.partition("## Single requests, as published")[2].partition("\n## ")[0]
    rows = [line for line in part.splitlines() if line.startswith("| node against go")]
    assert len(rows) == 2
    assert "002-node-&lt;b&gt;: 300 requests" in rows[0]
    assert "cannot tell: withheld: littles-law" in rows[1]


def test_a_terminal_has_a_line_for_each_column() -> None:
    console = Console(width=100, file=io.StringIO(), highlight=False)
    print_result(console, analysis(), (), None)
    text = console.file.getvalue()  # type: ignore[attr-defined]
    assert "  as published  slower: Wilcoxon rank-sum, W 87,285.5, p 3.00e-88\n" in text
    assert "  as published  no block has a run of both\n" in text
    assert "  by runs       slower: service time median 1.42 ×" in text


def test_compare_prints_the_same_and_how_to_read_it() -> None:
    console = Console(width=100, file=io.StringIO(), highlight=False)
    print_as_published(console, AsPublished(comparisons=(PAIR,), findings=()))
    text = " ".join(console.file.getvalue().split())  # type: ignore[attr-defined]
    assert text.startswith("Of 2 tests of single requests")
    assert "effect Cliff's delta +0.94, median +7.75 ms" in text
    assert text.endswith("the answer is that by runs.")


def test_a_table_has_a_line_for_each_test_with_every_digit() -> None:
    tables = render_tables(analysis(), ())
    rows = list(csv.DictReader(io.StringIO(tables["per_request.csv"])))
    told = [(row["block"], row["told"]) for row in rows]
    assert told == [("1", "slower"), ("2", "no difference")]
    assert (rows[0]["statistic"], rows[0]["p_value"]) == ("87285.5", "3e-88")
    assert (rows[0]["baseline_independent"], rows[0]["other_independent"]) == ("34.1", "")
    assert (rows[0]["baseline_is_exact"], rows[0]["runs_low"]) == ("false", "1.31")


def test_a_paper_has_the_first_test_of_each_pair() -> None:
    table = render_tables(analysis(), ())["per-request.tex"]
    assert "Wilcoxon rank-sum & slower & slower" in table
    assert "+0.94" in table


def test_a_study_that_does_not_ask_for_it_has_none_of_it() -> None:
    built: Analysis = StudyBuilder().analysis()
    html, markdown = rendered(built)
    assert "per-request-title" not in html
    assert "Single requests" not in markdown
    assert not {"per_request.csv", "per-request.tex"} & set(render_tables(built, ()))
