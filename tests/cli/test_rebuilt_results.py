"""The real `report` and `compare` on stored records: nothing is changed, all of it is made again."""

import json
import shutil
from pathlib import Path

import jsonschema
import pytest
from lab import CHECKOUT, Lab

from results_builder import Behaviour, build_results

HEALTHY = Behaviour()


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    arms = {"go": HEALTHY, "node": Behaviour(median_ms=26), "rust": HEALTHY}
    return build_results(tmp_path_factory.mktemp("built"), arms=arms)


@pytest.fixture
def study(lab: Lab, built: Path) -> Path:
    return Path(shutil.copytree(built, lab.root / "results" / built.name))


def files_of(directory: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(directory)): path.read_bytes()
        for path in directory.rglob("*")
        if path.is_file()
    }


def test_a_report_made_again_is_the_same_to_the_byte(lab: Lab, study: Path) -> None:
    assert lab.run("report", str(study)).code == 0
    first = files_of(study)
    assert {"tables/rankings.csv", "tables/comparisons.csv", "report.html"} <= first.keys()
    assert lab.run("report", str(study)).code == 0
    assert files_of(study) == first


def severities_of(study: Path) -> set[str]:
    findings = json.loads((study / "findings.json").read_text())
    return {each["severity"] for each in findings if each["code"] == "failures"}


def test_another_threshold_changes_the_findings_and_no_record(lab: Lab) -> None:
    arms = {"go": Behaviour(failing_share=0.004), "node": Behaviour(failing_share=0.004)}
    study = build_results(lab.root / "results", arms=arms, blocks=2)
    records = files_of(study / "runs")
    assert lab.run("report", str(study)).code == 0
    before = json.loads((study / "findings.json").read_text())
    assert severities_of(study) == {"warning"}
    stricter = "import loadstone.audit.service.failures as rules; rules.WITHHOLD_ABOVE = 0.0001"
    ended = lab.run("report", str(study), changed=stricter)
    assert ended.code == 1, ended.stderr
    assert "withhold" in severities_of(study)
    assert files_of(study / "runs") == records
    assert lab.run("report", str(study)).code == 0
    assert json.loads((study / "findings.json").read_text()) == before


def test_the_report_as_json_is_the_analysis_and_the_progress_is_elsewhere(
    lab: Lab, study: Path
) -> None:
    ended = lab.run("report", str(study), "--json")
    assert ended.code == 0
    assert ended.stdout == (study / "analysis.json").read_text()
    assert ended.told.splitlines() == [f"report: {study / 'report.html'}"]
    schema = json.loads((CHECKOUT / "schemas" / "analysis.schema.json").read_text())
    jsonschema.validate(json.loads(ended.stdout), schema)


def test_a_gate_over_one_folder_says_what_its_exit_code_means(lab: Lab, study: Path) -> None:
    ended = lab.run("compare", str(study), "--baseline", "go", "--metric", "throughput")
    assert ended.code == 1
    assert ended.told == "exit code 1: worse than the baseline: node (throughput)\n"
    ended = lab.run("compare", str(study), "--baseline", "node", "--metric", "throughput")
    assert ended.code == 0
    assert ended.told == "exit code 0: no arm is told to be worse than the baseline\n"


def test_without_a_baseline_no_arm_fails_the_comparison(lab: Lab, study: Path) -> None:
    ended = lab.run("compare", str(study), "--metric", "throughput")
    assert ended.code == 0
    assert "LOWER" in ended.stdout
    assert "Ranks by throughput under closed" in ended.stdout
    assert ended.told.startswith("exit code 0: no compared figure is withheld")


def test_a_simulated_study_is_compared_by_nobody(lab: Lab, study: Path) -> None:
    for path in study.glob("runs/*/run.json"):
        record = json.loads(path.read_text())
        record["load"]["simulated"] = True
        path.write_text(json.dumps(record))
    ended = lab.run("compare", str(study))
    assert ended.code == 2
    assert ended.stdout == ""
    assert "simulated, and nothing of them is compared" in ended.stderr
    assert lab.run("report", str(study)).code == 0
    analysis = json.loads((study / "analysis.json").read_text())
    assert analysis["rankings"] == analysis["factorials"] == analysis["survivals"] == []
    assert "Ranks by" not in (study / "report.html").read_text()
