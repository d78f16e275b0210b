"""The claims of others in every form of the report."""

import csv
import io

from page_reader import PageReader
from rich.console import Console
from study_builder import ENVIRONMENT, StudyBuilder

from loadstone.analysis.claim_model import Reproduction
from loadstone.analysis.model import Analysis
from loadstone.report.page.html import render_html
from loadstone.report.page.markdown import render_markdown
from loadstone.report.tables.csv_tables import render_tables
from loadstone.report.terminal.study_result import print_result
from loadstone.study.values.claim import Claim

CLAIM = Claim(
    claim="Node needs more <CPU> than Go",
    source="Table 5",
    of="node",
    against="go",
    says="higher",
    metric="response_time.p99",
    margin=0.05,
    published_ratio=1.35,
    workload="closed-50",
)
TOLD = Reproduction(
    claim=CLAIM,
    outcome="reproduced",
    size="less than published",
    scale="ratio",
    estimate=1.2,
    low=1.1,
    high=1.31,
    level=0.95,
    of_value=12e6,
    against_value=10e6,
)
NOT_TOLD = Reproduction(
    claim=CLAIM.model_copy(update={"claim": "Both are alike", "says": "alike", "source": ""}),
    outcome="undecided",
    scale="ratio",
    level=0.95,
    reason="fewer than 3 runs an arm",
)


def analysis() -> Analysis:
    built: Analysis = StudyBuilder().analysis()
    return built.model_copy(update={"reproductions": (TOLD, NOT_TOLD)})


def test_a_page_has_a_table_of_them() -> None:
    page = PageReader(render_html(analysis(), (), StudyBuilder().plan(), ENVIRONMENT))
    text = " ".join(page.text.split())
    assert "Of 2 claims 1 is reproduced, 1 is undecided." in text
    assert "Node needs more <CPU> than Go (Table 5)" in text
    assert "higher, 1.35 ×" in text
    assert "1.20 ×, 95 % interval [1.10, 1.31]" in text
    assert "12.0 ms of node, 10.0 ms of go" in text
    assert "less than published" in text
    assert "fewer than 3 runs an arm" in text


def test_a_study_without_claims_has_none_of_it() -> None:
    page = render_html(StudyBuilder().analysis(), (), StudyBuilder().plan(), ENVIRONMENT)
    assert "claims-title" not in page
    markdown = render_markdown(StudyBuilder().analysis(), (), StudyBuilder().plan(), ENVIRONMENT)
    assert "Claims of others" not in markdown


def test_markdown_has_the_same_rows() -> None:
    text = render_markdown(analysis(), (), StudyBuilder().plan(), ENVIRONMENT)
    (row,) = [line for line in text.splitlines() if "Table 5" in line]
    assert row.startswith("| Node needs more &lt;CPU&gt; than Go (Table 5) | reproduced | higher")


def test_a_terminal_has_a_line_each() -> None:
    console = Console(width=100, file=io.StringIO(), highlight=False)
    print_result(console, analysis(), (), None)
    text = console.file.getvalue()  # type: ignore[attr-defined]
    assert "REPRODUCED  published higher, 1.35 ×" in text
    assert "UNDECIDED" in text


def test_a_table_has_every_digit() -> None:
    rows = list(csv.DictReader(io.StringIO(render_tables(analysis(), ())["claims.csv"])))
    assert [row["outcome"] for row in rows] == ["reproduced", "undecided"]
    assert (rows[0]["published_ratio"], rows[0]["low"], rows[1]["low"]) == ("1.35", "1.1", "")
