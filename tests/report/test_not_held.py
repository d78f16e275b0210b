"""What an arm is not held to stands beside its figures, in every form of a report."""

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from page_reader import PageReader
from rich.console import Console

from loadstone.analysis.analyse import write
from loadstone.analysis.compare.one_folder import compare_results
from loadstone.analysis.model import Analysis
from loadstone.findings.model import Finding
from loadstone.report.terminal.study_result import print_comparisons, print_result
from loadstone.report.write import write_report
from loadstone.results import folder
from loadstone.results.read import read_environment, read_plan
from loadstone.study.values.held_to import Deviation, NotHeld
from results_builder import Behaviour, build_results, rate

LEFT_OUT = NotHeld(deviations=(Deviation(clause="PT-3", reason="it adds a field"),))
TEXT = "it deviates from PT-3"
SENTENCE = f"Caddy is not held to all of its contract: {TEXT}."
NOTE = f"the arm is not held to all of its contract: {TEXT}"
PHRASE = f"caddy is not held to all of its contract: {TEXT}"


def results_of(directory: Path, left_out: NotHeld | None) -> Path:
    arms = {
        "go": Behaviour(),
        "caddy": Behaviour(median_ms=30.0),
        "node": Behaviour(median_ms=45.0),
    }
    workload = rate(200, seconds=4, warm_up=1)
    results = build_results(directory, arms=arms, workloads=(workload,), blocks=6)
    if left_out is not None:
        facts = {"gateway": left_out.model_dump(mode="json")}
        plan = json.loads((results / folder.PLAN).read_text())
        for arm in plan["arms"]:
            arm["not_held"] = facts if arm["id"] == "caddy" else {}
        (results / folder.PLAN).write_text(json.dumps(plan))
        for path in results.glob("runs/*-caddy-*/run.json"):
            record = json.loads(path.read_text())
            path.write_text(json.dumps(record | {"not_held": facts}))
    return results


class Told:
    """One study in all its forms."""

    def __init__(self, results: Path) -> None:
        self.results = results
        self.analysis: Analysis
        self.findings: tuple[Finding, ...]
        self.analysis, self.findings = write(results)
        plan = read_plan(results / folder.PLAN)
        environment = read_environment(results / folder.ENVIRONMENT)
        write_report(results, self.analysis, self.findings, plan, environment)
        shown = io.StringIO()
        print_result(Console(width=100, file=shown), self.analysis, self.findings, None)
        self.terminal = " ".join(shown.getvalue().split())
        self.markdown = (results / "report.md").read_text()
        self.page = PageReader((results / "report.html").read_text()).text

    def rows(self, table: str) -> list[dict[str, Any]]:
        with (self.results / "tables" / table).open() as file:
            return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Told:
    return Told(results_of(tmp_path_factory.mktemp("told"), LEFT_OUT))


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> Told:
    return Told(results_of(tmp_path_factory.mktemp("held"), None))


def test_the_analysis_has_it_with_arm_cell_comparison_and_place(told: Told) -> None:
    assert {arm.id: arm.not_held for arm in told.analysis.arms} == {
        "go": "",
        "caddy": TEXT,
        "node": "",
    }
    assert {cell.arm: cell.not_held for cell in told.analysis.cells}["caddy"] == TEXT
    for each in told.analysis.comparisons:
        assert each.not_held == (PHRASE if "caddy" in (each.baseline, each.other) else "")
    (answer,) = told.analysis.answers
    assert answer.headline[-1] == SENTENCE
    for standing in answer.standings:
        ranked = [*standing.places, *standing.no_places]
        assert {each.arm: each.not_held for each in ranked}["caddy"] == TEXT
    assert all(
        each.not_held == (TEXT if each.arm == "caddy" else "")
        for ranking in told.analysis.rankings
        for each in ranking.arms
    )


def test_it_is_a_finding_and_a_doubt_of_the_answer(told: Told, held: Told) -> None:
    (found,) = (each for each in told.findings if each.code == "not-held")
    assert "PT-3 (it adds a field)" in found.evidence
    assert not any(each.code == "not-held" for each in held.findings)

    def doubts(each: Told) -> int:
        number = re.match(r"\d+", each.analysis.answers[0].belief)
        return int(number[0]) if number else 0

    assert doubts(told) == doubts(held) + 1


@pytest.mark.parametrize("form", ["terminal", "page"])
def test_a_report_says_it_in_answer_places_tables_and_findings(form: str, told: Told) -> None:
    text = getattr(told, form)
    assert SENTENCE in text
    assert f"not held to all of its contract: {TEXT}" in text
    assert NOTE in text
    assert "PT-3 (it adds a field)" in text


def test_markdown_says_it_in_the_answer_in_places_tables_and_findings(told: Told) -> None:
    assert SENTENCE in told.markdown
    assert re.search(rf"\| caddy \| .*not held to all of its contract: {TEXT}", told.markdown)
    assert re.search(rf"^\d+\. .*{NOTE}$", told.markdown, re.MULTILINE)
    assert re.search(rf"\| caddy \| go \|.*{PHRASE}", told.markdown)


def test_every_figure_of_the_arm_has_a_note_in_every_table(told: Told) -> None:
    tables = told.markdown.partition("## Results")[2].partition("## Pairs of arms")[0]
    marked = [line for line in tables.splitlines() if line.startswith("| caddy |")]
    assert marked
    assert all("(note " in line for line in marked)


def test_a_csv_table_has_it_as_a_column(told: Told) -> None:
    for table in ("figures.csv", "costs.csv"):
        rows = told.rows(table)
        assert {row["not_held"] for row in rows if row["arm"] == "caddy"} == {TEXT}
        assert {row["not_held"] for row in rows if row["arm"] != "caddy"} == {""}
    assert {row["not_held"] for row in told.rows("comparisons.csv")} == {"", PHRASE}


def test_latex_has_it_as_a_note(told: Told) -> None:
    for name in ("comparisons", "costs", "figures-rate"):
        assert TEXT in (told.results / "tables" / f"{name}.tex").read_text()


def test_compare_says_it_with_each_comparison(told: Told) -> None:
    shown = io.StringIO()
    compared = compare_results(told.results, metric="throughput")
    print_comparisons(Console(width=400, file=shown), compared)
    lines = shown.getvalue().splitlines()
    pairs = [line for line in lines if " against " in line]
    assert {("caddy" in line) == (PHRASE in line) for line in pairs} == {True}
    assert any(f"caddy (not held to all: {TEXT})" in line for line in lines)


def test_nothing_of_it_is_said_where_all_is_held(held: Told) -> None:
    for text in (held.terminal, held.markdown, held.page):
        assert "not held to all" not in text
