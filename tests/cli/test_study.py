"""A smoke study from the command to the report, through the front door."""

import json
from pathlib import Path

import jsonschema
import pytest
from lab import CHECKOUT, Ended, Lab, code_of, study_of


@pytest.fixture(scope="module")
def smoke(tmp_path_factory: pytest.TempPathFactory) -> tuple[Lab, Ended]:
    """The quickstart study's smoke profile, run once for all tests of this file."""
    lab = Lab(tmp_path_factory.mktemp("smoke"))
    lab.study((CHECKOUT / "studies" / "quickstart.yaml").read_text(), "quickstart")
    ended = lab.run("run", "quickstart", "--profile", "smoke")
    assert lab.left_behind() == []
    return lab, ended


def test_every_arm_is_measured_under_every_workload(smoke: tuple[Lab, Ended]) -> None:
    lab, ended = smoke
    assert ended.code == code_of(lab.results()), ended.stderr
    plan = json.loads((lab.results() / "plan.json").read_text())
    schema = json.loads((CHECKOUT / "schemas" / "run-record.schema.json").read_text())
    for planned in plan["runs"]:
        directory = lab.results() / "runs" / planned["id"]
        record = json.loads((directory / "run.json").read_text())
        jsonschema.validate(record, schema)
        assert record["status"] == "completed", record["failure"]
        assert record["outcomes"]["ok"] > 0
        assert [check["failed"] for check in record["checks"]] == [[], [], []]
        assert record["processes"][0]["role"] == "dependency"
        assert {process["role"] for process in record["processes"]} >= {"service", "engine"}
        for name in ("histograms.hlog", "timeline.ndjson", "samples.ndjson", "resources.parquet"):
            assert (directory / name).stat().st_size > 0


def test_totals_of_the_record_are_the_sums_of_the_timeline(smoke: tuple[Lab, Ended]) -> None:
    lab, _ = smoke
    for directory in (lab.results() / "runs").iterdir():
        record = json.loads((directory / "run.json").read_text())
        counted = dict.fromkeys(record["outcomes"], 0)
        for line in (directory / "timeline.ndjson").read_text().splitlines():
            for operation in json.loads(line)["operations"].values():
                for outcome, number in operation["outcomes"].items():
                    counted[outcome] += number
        assert counted == record["outcomes"]


def test_one_block_ranks_nobody_and_says_so(smoke: tuple[Lab, Ended]) -> None:
    lab, ended = smoke
    assert "Nobody can be ranked by throughput." in ended.stdout
    assert "no place: fewer than 3 runs" in ended.stdout
    assert "report.html" in ended.stdout
    for name in ("report.html", "report.md", "analysis.json", "findings.json"):
        assert (lab.results() / name).stat().st_size > 0


def test_report_rebuilds_the_same_bytes(smoke: tuple[Lab, Ended]) -> None:
    lab, first = smoke
    files = ["report.html", "report.md", "analysis.json", "findings.json"]
    before = {name: (lab.results() / name).read_bytes() for name in files}
    again = lab.run("report", str(lab.results()))
    assert again.code == first.code
    assert {name: (lab.results() / name).read_bytes() for name in files} == before


def test_compare_prints_each_question_and_takes_a_metric(smoke: tuple[Lab, Ended]) -> None:
    lab, _ = smoke
    ended = lab.run("compare", str(lab.results()))
    assert "throughput" in ended.stdout
    assert "CANNOT TELL" in ended.stdout
    ended = lab.run("compare", str(lab.results()), "--metric", "rss_peak", "--baseline", "go")
    assert "rss_peak" in ended.stdout or "RSS" in ended.stdout
    ended = lab.run("compare", str(lab.results()), "--metric", "response_time.p97")
    assert ended.code == 2
    assert "response_time.p99" in ended.stderr
    ended = lab.run("compare", str(lab.results()), "--baseline", "gone")
    assert ended.code == 2
    assert "go, python" in ended.stderr


def test_a_dry_run_prints_the_plan_and_starts_nothing(lab: Lab) -> None:
    lab.study(study_of("go", "node", blocks=2))
    ended = lab.run("run", "trial", "--dry-run")
    assert ended.code == 0
    assert "2 arms × 1 workload × 2 blocks = 4 runs" in ended.stdout
    assert ended.stdout.count("saturation-50b") == 4
    assert not (lab.root / "results").exists()


def test_a_folder_that_is_no_result_is_refused(lab: Lab, tmp_path: Path) -> None:
    for command in ("report", "compare"):
        ended = lab.run(command, str(tmp_path / "absent"))
        assert ended.code == 2
        assert "there is no such folder" in ended.stderr
