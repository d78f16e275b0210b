import csv
import io
import re
from collections import Counter
from pathlib import Path

import pytest
from made_up_figures import figure, without_value
from study_builder import ENVIRONMENT, StudyBuilder, comparison, finding

from loadstone.analysis.figures.run_figures import OPERATION_METRICS
from loadstone.analysis.model import Adaptive, Analysis, RunFigure
from loadstone.errors import InputError
from loadstone.metrics.catalogue import METRICS
from loadstone.report.labels import blocks_text
from loadstone.report.page.html import render_html
from loadstone.report.page.markdown import render_markdown
from loadstone.report.page.markdown_text import escaped
from loadstone.report.tables.csv_tables import render_tables
from loadstone.report.write import write_report


def rows_of(builder: StudyBuilder, table: str) -> list[dict[str, str]]:
    text = render_tables(builder.analysis(), builder.findings)[table]
    return list(csv.DictReader(io.StringIO(text)))


def markdown_of(builder: StudyBuilder) -> str:
    return render_markdown(builder.analysis(), builder.findings, builder.plan(), ENVIRONMENT)


def write(directory: Path, builder: StudyBuilder) -> Path:
    return write_report(
        directory, builder.analysis(), builder.findings, builder.plan(), ENVIRONMENT
    )


def contents(directory: Path) -> dict[str, bytes]:
    files = (path for path in directory.rglob("*") if path.is_file())
    return {str(path.relative_to(directory)): path.read_bytes() for path in files}


def test_figures_are_one_fact_a_line_with_every_digit() -> None:
    rows = rows_of(StudyBuilder(), "figures.csv")
    together = [row for row in rows if not row["operation"]]
    assert len(together) == 2 * sum("load" in info.kinds for info in METRICS)
    row = next(r for r in rows if r["arm"] == "node" and r["metric"] == "cpu_per_ok")
    assert float(row["value"]) == 61_300.0 * 1.42
    assert (row["unit"], row["state"], row["runs"]) == ("ns", "value", "6")
    assert float(row["deviation"]) == pytest.approx(0.01525, abs=1e-5)


def test_each_operation_has_its_own_lines_and_runs() -> None:
    builder = StudyBuilder(operations=("login", "book"))
    for table, runs in (("figures.csv", 1), ("runs.csv", 6)):
        rows = [row for row in rows_of(builder, table) if row["arm"] == "go"]
        found = Counter(row["operation"] for row in rows)
        assert found["login"] == found["book"] == len(OPERATION_METRICS) * runs


def test_the_bound_of_a_run_that_did_not_fail_is_no_value() -> None:
    lasted = RunFigure(value=None, state="not reached", reason="by duration", at_least=3e10)
    figure = without_value("time_to_failure", "not reached", "6 of 6 runs did not fail")
    builder = StudyBuilder().with_figure("go", figure.model_copy(update={"runs": (lasted,) * 6}))
    rows = [r for r in rows_of(builder, "runs.csv") if r["metric"] == "time_to_failure"]
    assert {(r["state"], r["value"], r["at_least"]) for r in rows if r["arm"] == "go"} == {
        ("not reached", "", "30000000000.0")
    }
    (row,) = (
        r
        for r in rows_of(builder, "figures.csv")
        if (r["metric"], r["arm"]) == ("time_to_failure", "go")
    )
    assert (row["state"], row["value"], row["reason"]) == (
        "not reached",
        "",
        "6 of 6 runs did not fail",
    )


def test_runs_are_a_line_for_each_block() -> None:
    rows = rows_of(StudyBuilder(), "runs.csv")
    blocks = [r["block"] for r in rows if (r["arm"], r["metric"]) == ("go", "startup")]
    assert blocks == ["1", "2", "3", "4", "5", "6"]


def test_a_withheld_figure_has_no_number_in_any_table_though_its_runs_have() -> None:
    runs = tuple(RunFigure(value=987.654, state="value") for _ in range(6))
    withheld = without_value("cpu_per_ok", "withheld", "unread").model_copy(
        update={"runs": runs, "low": 987.654, "high": 987.654}
    )
    hidden = comparison(metric="cpu_per_ok", estimate=987.654, low=987.654, high=987.654)
    builder = StudyBuilder(comparisons=(hidden,)).with_figure("node", withheld)
    tables = render_tables(builder.analysis(), ())
    assert "987.654" not in "".join(tables.values())
    assert "988" not in "".join(text for name, text in tables.items() if name.endswith(".tex"))
    assert rows_of(builder, "comparisons.csv")[0]["reason"] == "withheld: node: unread"
    assert rows_of(builder, "comparisons.csv")[0]["verdict"] == "cannot tell"
    assert "988" not in markdown_of(builder)


def test_a_simulated_study_has_no_comparisons_in_its_tables() -> None:
    assert rows_of(StudyBuilder(simulated=True), "comparisons.csv") == []
    assert "slower" not in markdown_of(StudyBuilder(simulated=True)).replace("is node slower", "")


@pytest.mark.parametrize("start", ["=", "+", "-", "@"])
def test_a_text_is_no_formula_for_a_spreadsheet(start: str) -> None:
    builder = StudyBuilder(findings=(finding(evidence=f"{start}HYPERLINK(1)"),))
    assert rows_of(builder, "findings.csv")[0]["evidence"] == f"'{start}HYPERLINK(1)"


def test_markdown_has_answers_first_and_every_part() -> None:
    headings = re.findall(r"^## (.*)$", markdown_of(StudyBuilder(failed_runs=("x",))), re.MULTILINE)
    assert headings == [
        "Answers",
        "Results",
        "Cost sheet",
        "What each answer costs",
        "Pairs of arms",
        "Findings",
        "Failed runs",
        "Environment",
        "Run again",
    ]


def test_rows_of_a_markdown_table_have_the_columns_of_its_heading() -> None:
    builder = StudyBuilder(arms={"a|b": 1.0, "node": 1.42})
    table = [line for line in markdown_of(builder).splitlines() if line.startswith("| ")]
    cells = [len(re.findall(r"(?<!\\)\|", line)) for line in table if "metric" in line[:9]]
    assert set(cells) == {4}
    assert "a\\|b" in "\n".join(table)


def test_markdown_says_of_each_finding_where_and_what_was_seen() -> None:
    assert (
        "- go under closed-50 (2 runs): The generator used 91 % of its CPU, more than 85 %. "
        "(and 1 more like it)\n"
    ) in markdown_of(StudyBuilder())


def test_hostile_text_is_text_in_markdown() -> None:
    hostile = "<script>x</script> [a](http://evil.example) `b` www.evil.example\n# c"
    text = markdown_of(StudyBuilder(findings=(finding(evidence=hostile),)))
    assert "<script" not in text
    assert "http://" not in text
    assert "www." not in text
    assert "\n# c" not in text
    assert escaped("[a]") == "\\[a\\]"


def test_a_report_is_written_whole(tmp_path: Path) -> None:
    assert write(tmp_path, StudyBuilder()) == tmp_path / "report.html"
    assert sorted(contents(tmp_path)) == [
        "report.html",
        "report.md",
        "tables/all-figures-closed-50.tex",
        "tables/claims.csv",
        "tables/comparisons.csv",
        "tables/comparisons.tex",
        "tables/costs.csv",
        "tables/costs.tex",
        "tables/factor_effects.csv",
        "tables/factorials.csv",
        "tables/figures-closed-50.tex",
        "tables/figures.csv",
        "tables/findings.csv",
        "tables/operations-closed-50.tex",
        "tables/rankings.csv",
        "tables/runs.csv",
        "tables/survival_comparisons.csv",
        "tables/survivals.csv",
    ]


def test_writing_again_gives_the_same_bytes(tmp_path: Path) -> None:
    write(tmp_path, StudyBuilder())
    before = contents(tmp_path)
    write(tmp_path, StudyBuilder())
    assert contents(tmp_path) == before


def test_an_analysis_that_was_stored_and_read_gives_the_same_tables() -> None:
    builder = StudyBuilder()
    stored = Analysis.model_validate_json(builder.analysis().model_dump_json())
    assert render_tables(stored, ()) == render_tables(builder.analysis(), ())


def test_a_missing_folder_is_an_error_with_its_path(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"absent.*cannot be written") as caught:
        write(tmp_path / "absent", StudyBuilder())
    assert caught.value.remedy


def test_a_file_in_the_way_leaves_nothing_partial(tmp_path: Path) -> None:
    (tmp_path / "report.md").mkdir()
    with pytest.raises(InputError, match=r"report\.md: cannot be written"):
        write(tmp_path, StudyBuilder())
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


def test_a_pooled_quantile_is_labelled() -> None:
    pooled = figure("response_time.p99.9").model_copy(
        update={"pooled": True, "low": None, "high": None}
    )
    builder = StudyBuilder().with_figure("go", pooled)
    assert "pooled: from the histograms of all runs merged" in markdown_of(builder)
    row = next(r for r in rows_of(builder, "figures.csv") if r["metric"] == "response_time.p99.9")
    assert row["pooled"] == "true"


def test_workloads_with_blocks_of_their_own_are_told_apart() -> None:
    assert blocks_text({"closed": 6, "fixed-rate": 6}) == "6 blocks"
    assert blocks_text({"starts": 20, "closed": 1}) == "20 blocks of starts, 1 block of closed"


@pytest.mark.parametrize(
    ("stopped_after", "text"),
    [
        (
            12,
            "Adaptive: stopped after 12 of at most 24 blocks, intervals at level 98.33 % before Holm.",
        ),
        (
            None,
            "Adaptive: not ended yet, at most 24 blocks, intervals at level 98.33 % before Holm.",
        ),
    ],
)
def test_an_adaptive_study_says_how_far_it_went(stopped_after: int | None, text: str) -> None:
    builder = StudyBuilder()
    adaptive = Adaptive(looks=(6, 12, 24), stopped_after=stopped_after, level=1 - 0.05 / 3)
    analysis = builder.analysis().model_copy(update={"adaptive": adaptive})
    markdown = render_markdown(analysis, (), builder.plan(), ENVIRONMENT)
    page = render_html(analysis, (), builder.plan(), ENVIRONMENT)
    assert text in markdown
    assert text in page
    assert "The study could end after 6, 12, 24 blocks" in page


def test_an_order_that_is_not_random_is_told_in_both_reports() -> None:
    builder = StudyBuilder()
    analysis = builder.analysis().model_copy(update={"order": "as-listed"})
    markdown = render_markdown(analysis, (), builder.plan(), ENVIRONMENT)
    page = render_html(analysis, (), builder.plan(), ENVIRONMENT)
    assert "Order as listed, not random" in markdown
    assert "Order as listed, not random" in page
    assert "in random order" not in page


def test_a_usual_study_says_nothing_of_looks_or_order() -> None:
    builder = StudyBuilder()
    arguments = builder.analysis(), (), builder.plan(), ENVIRONMENT
    for text in (render_markdown(*arguments), render_html(*arguments)):
        assert "daptive" not in text
        assert "as listed" not in text
